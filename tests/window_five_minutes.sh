#!/bin/sh
# README.md's "First five minutes" in the real window, step by step, with real mouse and keys: sh tests/window_five_minutes.sh
# TARGET_FOLDER. Each claim is quoted; it has to be in README.md, and to be true: in the picture, or in what the recording and
# the saved level say. A picture of each step, and film.png with all of them, stay in TARGET_FOLDER/window_five_minutes/.
set -eu
cd "$(dirname "$0")/.."
target=$1
out=$target/window_five_minutes
. tests/window_setup.sh
command -v montage >/dev/null || { echo "montage is missing: install imagemagick"; exit 1; }
moment=$target/debug/examples/moment
[ -x "$moment" ] || { echo "$moment is missing: cargo build --examples"; exit 1; }

# The section, in one line.
section=$(sed -n '/^## First five minutes/,/^Words that/p' README.md | tr -s '\n ' '  ')
# claim WORDS: what is looked at next, as README.md says it.
claim() {
	claimed=$1
	case $section in *"$1"*) ;; *) fail "README.md's first five minutes do not say \"$1\" any more: change this script with them" ;; esac
}
# untrue WHY: what README.md says is not so.
untrue() { fail "README.md says \"$claimed\", but $*"; }

# Of the picture: no panels, no cards above and below, no notices on the left.
middle=420x380+560+170
# keep NAME: a picture of the step, for the film. Notices have gone.
film=""
keep() {
	wait_for 30 rests "$1" || true
	film="$film $out/$1.png"
	echo "$1: so it is"
}
# rests NAME: two pictures, one after the other, are the same in the middle.
rests() {
	picture "$1"
	sleep 1
	picture again
	[ "$(within again "$1")" -lt 40 ]
}
# turns FROM TO: a new picture TO shows something else in the middle.
turns() { picture "$2" && [ "$(within "$1" "$2")" -gt "${3:-2000}" ]; }
# titled WORD: the window's title has it.
titled() { xdotool getwindowname "$id" | grep -q "$1"; }

# The recording that is being written, which holds what was done up to the last tick.
recordings=$out/user/data/breach/recordings
recording() { ls -t "$recordings"/*.breach | head -n 1; }
# now WORD...: where it stands: tick, room, x, y, z, portals_m2, rockets, awake, depth, hash.
now() {
	"$moment" "$(recording)" >"$out/moment.txt" || fail "the recording is not to be played"
	for word in "$@"; do
		sed "s/.*\b$word \([^ ]*\).*/\1/" "$out/moment.txt"
	done
}
# fires: how many shots it has.
fires() { cat "$(recording)" | grep -c '"fire"' || true; }
# looks: yaw and pitch as they are.
looks() { grep '"yaw"' "$(recording)" | tail -n 1 | sed 's/.*"yaw":\([^,]*\),"pitch":\([^,]*\).*/\1 \2/'; }
# sum EXPRESSION: its value; is EXPRESSION: whether it is true.
sum() { awk "BEGIN { print $1 }"; }
is() { [ "$(sum "($1) ? 1 : 0")" = 1 ]; }

# press X Y, drag X Y TO_X TO_Y: by the mouse, so that a slow picture sees it too.
press() {
	act mousemove "$1" "$2"
	sleep 0.5
	act mousedown 1
	sleep 0.5
	act mouseup 1
	sleep 0.5
}
drag() {
	act mousemove "$1" "$2"
	sleep 0.5
	act mousedown 1
	sleep 0.5
	act mousemove $((($1 + $3) / 2)) "$4"
	sleep 0.5
	act mousemove "$3" "$4"
	sleep 0.5
	act mouseup 1
	sleep 0.5
}
# aim X Y Z: turns the mouse, a little at a time, until the crosshair is on a point.
aim() {
	eye=$(now x y z | tr '\n' ' ')
	set -- $eye "$@"
	wanted=$(awk "BEGIN { x = $4 - $1; y = $5 - $2; z = $6 - $3; print atan2(-x, -z), atan2(y, sqrt(x * x + z * z)) }")
	for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
		# A pixel is a tenth of a degree; under Xvfb each comes about three times.
		turn=$(awk "BEGIN {
			split(\"$(looks) $wanted\", a, \" \")
			yaw = atan2(sin(a[1] - a[3]), cos(a[1] - a[3])); pitch = a[2] - a[4]
			if (yaw * yaw + pitch * pitch < 0.0004) exit
			x = yaw * 190; y = pitch * 190
			far = 250 / sqrt(x * x + y * y + 1e-9)
			if (far < 1) { x *= far; y *= far }
			printf \"%d %d\", x + (x > 0 ? 0.9 : -0.9), y + (y > 0 ? 0.9 : -0.9)
		}")
		[ -n "$turn" ] || return 0
		act mousemove_relative -- $turn
		sleep 0.7
	done
	untrue "the crosshair does not get to $4 $5 $6"
}
# shoots: a click, and a hole more; the world is at rest then.
flown() {
	set -- $(now hash rockets awake)
	# A stone that rocks on an edge may stay awake.
	[ "$1" != "$whole" ] && [ "$2" = 0 ] && [ "$3" -le 3 ]
}
shoots() {
	whole=$(now hash)
	fired=$(fires)
	act click 1
	shot() { [ "$(fires)" -gt "$fired" ]; }
	wait_for 10 shot || untrue "the click fires nothing"
	wait_for 60 flown || untrue "the rocket makes no hole"
}

# walk_until COMMAND...: a little way forward at a time.
walk_until() {
	for step in 1 2 3 4 5 6 7 8 9 10 11 12; do
		! "$@" || return 0
		act keydown w
		sleep 0.3
		act keyup w
		sleep 0.7
	done
	return 1
}

# go_to X Z: a little way at a time, to within a metre.
go_to() {
	there() { is "($(now x) - $1) ^ 2 + ($(now z) - $2) ^ 2 < 1"; }
	for leg in 1 2 3 4 5 6 7 8 9 10 11 12; do
		! there "$1" "$2" || return 0
		aim "$1" 1.4 "$2"
		act keydown w
		sleep 0.2
		act keyup w
		sleep 0.7
	done
	untrue "W does not lead to $1 $2, but to $(now x z | tr '\n' ' ')"
}

# No file dialog of whoever's desktop this runs on: neither its portal nor a program that draws one.
mkdir -p "$out/bin" "$out/run"
printf '#!/bin/sh\nexit 1\n' >"$out/bin/zenity"
chmod +x "$out/bin/zenity"
PATH=$out/bin:$PATH
DBUS_SESSION_BUS_ADDRESS=unix:path=$out/run/no_bus
XDG_RUNTIME_DIR=$out/run
export PATH DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
open_server 1280x720

opens() {
	claim "opens the hall of a bunker"
	# No file is named, and the home is empty: as after an installation.
	level=
	open_window
	act windowfocus "$id"
	wait_for 90 titled "^bunker" || untrue "the title is $(xdotool getwindowname "$id")"
	wait_for 90 is_drawn 1_opens || untrue "the window stays blank"
	keep 1_opens
}

looks_and_walks() {
	claim "Click the view: the mouse looks around"
	before=$(looks)
	turned() { [ "$(looks)" != "$before" ]; }
	press 640 340
	[ "$(fires)" -eq 0 ] || untrue "the first click fires already"
	act mousemove_relative -- 60 0
	wait_for 20 turned || untrue "the mouse turns nothing"
	wait_for 20 turns 1_opens 2_looks || untrue "the picture is as it was"

	claim '`W` `A` `S` `D` walk'
	# Each with its way: forward is (-sin yaw, -cos yaw), to the right (cos yaw, -sin yaw).
	yaw=$(looks | cut -d ' ' -f 1)
	for way in "w -sin(yaw) -cos(yaw)" "s sin(yaw) cos(yaw)" "a -cos(yaw) sin(yaw)" "d cos(yaw) -sin(yaw)"; do
		set -- $way
		from=$(now x z | tr '\n' ' ')
		# A slow picture may miss most of a press.
		walked() {
			act keydown "$1"
			sleep 0.6
			act keyup "$1"
			awk "BEGIN { yaw = $yaw; split(\"$from $(now x z | tr '\n' ' ')\", a, \" \")
				exit !((a[3] - a[1]) * ($2) + (a[4] - a[2]) * ($3) > 0.3) }"
		}
		wait_for 3 walked "$@" || untrue "$1 leads from $from to $(now x z | tr '\n' ' ')"
	done
	wait_for 20 turns 1_opens 2_walks || untrue "the picture is as it was"
	keep 2_walks

	claim "a click fires"
	# Into the floor a little ahead.
	yaw=$(looks | cut -d ' ' -f 1)
	set -- $(now x z)
	aim "$(sum "$1 - 4 * sin($yaw)")" 0.01 "$(sum "$2 - 4 * cos($yaw)")"
	keep 3_aims
	shoots
	wait_for 20 turns 3_aims 3_fires || untrue "the picture is as it was"
	keep 3_fires
}

goes_through() {
	claim "Turn round and fire at the thin wall behind the start, high and low, until you see the room beyond"
	# A pier between a door and a window, from two metres before it.
	go_to 2 -3.65
	aim 0 1 -3.65
	near() { is "$(now x) < $1"; }
	set -- $(now x y z portals_m2)
	portals=$4
	keep 4_wall
	# Some time with this picture, for the timeline: a pixel of it is many ticks.
	from=$(now tick)
	sleep 4
	wall_tick=$(((from + $(now tick)) / 2))
	# Asked of the level as it is: whether a place in the room beyond is in sight along the crosshair's line.
	beyond=$(awk "BEGIN { k = ($1 + 1.5) / $1; printf \"-1.5,%f,%f\", $2 + k * (1 - $2), $3 + k * (-3.65 - $3) }")
	question="{\"sight\":{\"from\":[$1,$2,$3],\"to\":[$beyond]}}"
	sees_beyond() {
		"$breach" replay "$(recording)" --save "$out/now.map" >/dev/null 2>&1
		answer=$(echo "$question" | "$breach" query "$out/now.map")
		case $answer in *'"visible":'*) ;; *) fail "$question: $answer" ;; esac
		case $answer in *true*) ;; *) return 1 ;; esac
	}
	! sees_beyond || untrue "the room beyond is seen before a shot"
	shots=0
	until sees_beyond; do
		[ $shots -lt 9 ] || untrue "after $shots shots nothing is seen of it"
		for height in 1.1 1.7 0.5; do
			aim 0 $height -3.65
			shoots
			shots=$((shots + 1))
		done
	done
	aim 0 1 -3.65
	wait_for 20 turns 4_wall 5_hole 5000 || untrue "the picture is as it was"
	keep 5_hole
	echo "after $shots shots"

	claim "Step through: the hole is a door now"
	is "$(now portals_m2) > $portals + 0.3" || untrue "no portal has come about: $portals m² before, $(now portals_m2) now"
	until walk_until near -1.2; do
		claim "Where it is too narrow, crouch (\`Q\`) or fire once more"
		[ $shots -lt 12 ] || untrue "after $shots shots W does not lead through the hole: $(now x y z | tr '\n' ' ')"
		for height in 1.1 1.7 0.5; do
			aim -0.3 $height -3.65
			shoots
			shots=$((shots + 1))
		done
		aim -2 1 -3.65
	done
	wait_for 20 turns 5_hole 6_through 5000 || untrue "the picture is as it was"
	keep 6_through
}

# rays NAME: pixels of a new picture that are a ray's green.
rays() {
	picture "$1"
	convert "$out/$1.png[$middle]" -fuzz 15% -fill black +opaque '#8af08f' -fill white -opaque '#8af08f' -threshold 50% -format '%[fx:int(mean*w*h)]' info:
}
draws_lines() {
	claim "Press \`3\` and fire to see the rocket's ray"
	act key 3
	sleep 1
	[ "$(rays 7_quiet)" -lt 20 ] || untrue "there are rays before a shot"
	whole=$(now hash)
	# A ray is there for two seconds, in which a slow machine may take no picture: time is held meanwhile.
	drawn() {
		act click 1
		sleep 0.5
		act key p
		green=0
		for look in 1 2 3 4; do
			[ "$green" -ge 300 ] || green=$(rays 7_rays)
		done
		act key p
		[ "$green" -ge 300 ]
	}
	wait_for 2 drawn || untrue "none is drawn"
	film="$film $out/7_rays.png"
	wait_for 60 flown || untrue "the rocket makes no hole"
	gone_again() { [ "$(rays 8_plain)" -lt 20 ]; }
	wait_for 30 gone_again || untrue "it stays, although two seconds have gone by"
	keep 8_plain

	claim '`2` to see the boxes that rays go through'
	act key 2
	wait_for 20 turns 8_plain 9_boxes 400 || untrue "no box is drawn"
	keep 9_boxes
	# Pressed again they go.
	act key 2
	plain() { picture 9_off && [ "$(within 8_plain 9_off)" -lt 100 ]; }
	wait_for 30 plain || untrue "the boxes stay: $(within 8_plain 9_off) pixels"
	act key 2
	wait_for 20 turns 9_off 9_on 400 || untrue "the boxes do not come back"
}

frees_the_mouse() {
	claim '`Esc` frees the mouse'
	act key Escape
	sleep 1
	before=$(looks)
	act mousemove 700 300
	sleep 1
	[ "$(looks)" = "$before" ] || untrue "the mouse still turns the view"
	keep 10_free

	claim 'open *Bins* beside *Tools*'
	press 118 310
	wait_for 20 changes 10_free 11_bins 5000 || untrue "no other panel comes"

	claim 'drag *depth* under *Box trees*'
	depth=$(now depth)
	drag 159 624 112 624
	shallower() { [ "$(now depth)" -lt "$depth" ]; }
	wait_for 20 shallower || untrue "the depth is $(now depth), as before"
	wait_for 20 turns 10_free 11_depth 100 || untrue "the boxes are as they were"
	keep 11_depth
	# Without lines, so that pictures can be compared.
	act key 2
	act key 3
	wait_for 20 turns 11_depth 11_quiet 1000 || untrue "the boxes stay"
	wait_for 30 rests 11_quiet || true

	claim 'click the view again and fire'
	press 640 340
	shoots
	keep 12_fires
}

goes_back() {
	claim '`Ctrl+Z` takes a hole back'
	act key ctrl+z
	undone() { [ "$(now hash)" = "$whole" ]; }
	wait_for 30 undone || untrue "the world is not as before the shot: $(now hash) instead of $whole"
	# The stones that it threw stay where they fell.
	filled() { picture 13_undone && [ $((4 * $(within 13_undone 11_quiet))) -lt "$(within 13_undone 12_fires)" ]; }
	wait_for 30 filled || untrue "the picture still has it: $(told 13_undone 11_quiet 12_fires)"
	keep 13_undone

	claim '`,` steps back a tick'
	act key comma
	held() { changes 13_undone 14_back 2000; }
	wait_for 20 held || untrue "nothing happens"
	# Tick by tick to before the undo: the hole is there again.
	again() {
		act key --repeat 40 --delay 20 comma
		picture 14_back
		[ "$(within 14_back 12_fires)" -lt "$(within 14_back 13_undone)" ]
	}
	wait_for 40 again || untrue "however often, it does not come to where the hole was there"
	keep 14_back

	claim 'drag the timeline at the bottom to any moment and fire: time goes on from there, another way'
	act key Escape
	sleep 1
	# To before the hole in the wall. The rail's ends, as 14_back shows them: its labels make it shorter or longer.
	old=$(recording)
	ticks=$(now tick)
	row=$(convert "$out/14_back.png[700x1+540+693]" -depth 8 txt:-)
	left=$(echo "$row" | awk -F '[,:]' '/#8D471B|#984A18/ { print $1 + 540; exit }')
	right=$(echo "$row" | awk -F '[,:]' -v left="$left" 'NR > 1 && $1 + 540 > left && /#13151A/ { print $1 + 539; exit }')
	thumb=$(echo "$row" | awk -F '[,:]' '/#DADADA/ { print $1 + 540; exit }')
	[ -n "$left$right" ] && [ -n "$thumb" ] || fail "14_back shows no rail: $left to $right, the thumb at $thumb"
	# Half the thumb at either end.
	drag $((thumb + 6)) 693 $((left + 6 + (right - left - 12) * wall_tick / ticks)) 693
	# The player stands still there; a hole makes two thirds of the pixels others.
	whole_again() { shows 15_past 4_wall 5_hole; }
	wait_for 30 whole_again || untrue "dragged there, the wall has its hole: $(told 15_past 4_wall 5_hole)"
	keep 15_past
	press 640 340
	act click 1
	other() { [ "$(recording)" != "$old" ]; }
	wait_for 30 other || untrue "no other recording begins"
	tick=$(now tick)
	[ "$tick" -lt "$ticks" ] || untrue "it began at the end"
	goes_on() { [ "$(now tick)" -gt $((tick + 60)) ]; }
	wait_for 60 goes_on || untrue "time stays held at tick $(now tick)"
	landed() { [ "$(now rockets)" = 0 ] && [ "$(now awake)" -le 3 ]; }
	wait_for 60 landed || untrue "the rocket still flies"
	keep 16_another
}

saves() {
	claim '`Ctrl+S` asks where, and saves the level with its holes'
	saved=$out/mine.map
	picture 17_before
	act key ctrl+s
	wait_for 30 changes 17_before 17_asks 1000 || untrue "it asks nothing"
	keep 17_asks
	act key Escape
	sleep 1
	press 90 137
	act key ctrl+a
	act type --delay 40 "$saved"
	sleep 1
	press 248 137
	written() { [ -s "$saved" ]; }
	wait_for 30 written || untrue "nothing is saved"
	wait_for 20 titled "^mine.map" || untrue "the title is $(xdotool getwindowname "$id")"
	checked=$("$breach" check --json "$saved") || untrue "what it saves is not sound: $checked"
	case $checked in *'"watertight":true'*) ;; *) untrue "what it saves is not watertight: $checked" ;; esac
	case $checked in *"\"hash\":\"$(now hash)\""*) ;; *) untrue "what it saves is another world: $checked" ;; esac
	keep 18_saved

	claim '`PageDown` opens the next level'
	act key Next
	other_level() { titled "\.map" && ! titled "mine.map"; }
	wait_for 60 other_level || untrue "the title is $(xdotool getwindowname "$id")"
	wait_for 60 turns 18_saved 19_next 5000 || untrue "the picture is as it was"
	keep 19_next

	claim '`F1` shows every key'
	act key F1
	wait_for 20 changes 19_next 20_keys 20000 || untrue "nothing is shown"
	keep 20_keys
}

opens
looks_and_walks
goes_through
draws_lines
frees_the_mouse
goes_back
saves
close_window
# shellcheck disable=SC2086
montage $film -depth 8 -geometry 640x360+4+4 -tile 4x -background '#202020' "$out/film.png"
echo "five minutes: every sentence is true; pictures and film.png in $target/window_five_minutes"

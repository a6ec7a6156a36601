#!/bin/sh
# What the real window shows is the state that is open, whatever was open and done before: sh tests/window_pictures.sh
# TARGET_FOLDER. Levels are opened one after another by their keys; a level is carved, undone, done again, gone back in,
# branched, saved, reset, watched again; the card is lost. Each time the picture has to be that of a window that has just
# started with that state. The pictures stay in TARGET_FOLDER/window_pictures/.
set -eu
cd "$(dirname "$0")/.."
target=$1
out=$target/window_pictures
. tests/window_setup.sh

open_server 640x400
# Below the card that says that time is held.
middle=600x190+20+125
# All of a picture, in every pixel, however slow the machine is: or a busy one would show fewer.
mkdir -p "$out/user/config/breach"
# No crumbs: what is undone and done again throws them a tick later, so they lie elsewhere.
printf 'mute = true\ndetail = "full"\n[world]\ndebris = false\n' >"$out/user/config/breach/settings.toml"
recordings=$out/user/data/breach/recordings

# titled WORD: the window's title has it.
titled() { xdotool getwindowname "$id" | grep -q "$1"; }
# still NAME: two pictures, one after the other, are the same. Notices go, dust settles.
still() {
	picture "$1"
	sleep 1
	picture again
	[ "$(colours "$1")" -gt 200 ] && [ "$(differing again "$1")" -lt 20 ]
}
settles() { wait_for 60 still "$1" || fail "$1: the picture does not come to rest"; }
# start FILE: a window that shows nothing but the picture.
start() {
	level=$1
	open_window
	act windowsize "$id" 640 400
	act windowfocus "$id"
	wait_for 120 titled "$(basename "$1")" || fail "$1 is not open"
	wait_for 60 panels || fail "$1: no panels"
	# A window that has just come may miss its first key.
	for attempt in 1 2 3; do
		act key F2
		! wait_for 20 no_panels || return 0
	done
	fail "$1: the panels stay"
}
# panels: the right end of the menu's bar is as dark as the bar.
panels() {
	picture panels
	[ "$(convert "$out/panels.png" -format '%[hex:u.p{630,12}]' info:)" = 13151A ]
}
no_panels() { ! panels; }
# fresh NAME FILE: the picture of a window that has just started with a file.
fresh() {
	start "$2"
	settles "$1"
	close_window
}

# The levels, each after each other by the keys.
names="bridge bunker caves pillars range tower"
for name in $names; do
	fresh "fresh_$name" "levels/$name.map"
done
start levels/bunker.map
settles warm_bunker
last=bunker
for step in Next:caves Next:pillars Next:range Next:tower Next:bridge Next:bunker Prior:bridge Prior:tower Prior:range; do
	name=${step#*:}
	act key "${step%:*}"
	wait_for 60 titled "$name.map" || fail "$step: not opened"
	wait_for 60 shows "warm_$name" "fresh_$name" "fresh_$last" || fail "$name after $last: $(told "warm_$name" "fresh_$name" "fresh_$last")"
	last=$name
done
echo "levels: each looks after each other as after a fresh start"
close_window

# What becomes of one level. All is held, so that each wish is one tick and nothing moves between two pictures.
cp levels/tower.map "$out/level.map"
level=$out/level.map
start "$level"
act key p
settles whole
act mousemove --window "$id" 320 200
# The wall is far off: a hole that is seen from here has to be large.
larger() { for step in 1 2 3 4 5 6; do act key equal; done; }
# shows_now NAME WANTED CONTROL: the window comes to show it.
shows_now() { wait_for 60 shows "$1" "$2" "$3" || fail "$1: $(told "$1" "$2" "$3")"; }
differs() { picture "$1" && [ "$(within "$1" "$2")" -gt 500 ]; }
# turns NAME THAN: it comes to show something else.
turns() { wait_for 60 differs "$1" "$2" || fail "$1: shows what $2 does"; }
# other NAME THAN: that, and it rests.
other() {
	turns "$1" "$2"
	settles "$1"
}
larger
act key c
other carved whole
act key ctrl+z
shows_now undone whole carved
act key ctrl+y
shows_now done_again carved whole
act key comma
shows_now step_back whole carved
act key period
shows_now step_again carved whole
# Another way from the tick before: something else is carved, and the old recording stays.
act key comma
shows_now back whole carved
act key b
larger
act key c
turns branch carved
# Whoever acts in the past plays on: held again, or its recording goes on for as long as all below takes.
act key p
settles branch
[ "$(ls "$recordings"/*.breach | wc -l)" -ge 2 ] || fail "acting in the past wrote no second recording"
act key ctrl+s
saved() { grep -q func_carve "$level"; }
wait_for 60 saved || fail "Ctrl+S writes nothing"
newest=$(ls -t "$recordings"/*.breach | head -n 1)
act key "ctrl+shift+F12"
shows_now device_lost branch whole
act windowsize "$id" 1 1
sleep 1
act windowsize "$id" 640 400
shows_now resized branch whole
act key F5
shows_now reset branch whole
close_window
cp "$newest" "$out/watched.breach"

# The same in windows that have just started: the level as it was saved, and the recording, watched to its end.
start "$level"
shows_now reopened branch whole
close_window
start "$out/watched.breach"
shows_now recording branch whole
# It has played on since its end: no more ticks to go back by.
act key p
# Tick by tick to before the hole, however many ticks there are: some at a time.
back_to_whole() { act key --repeat 20 --delay 20 comma && shows watched_back whole branch; }
wait_for 60 back_to_whole || fail "watched_back: $(told watched_back whole branch)"
close_window
echo "states: each looks as after a fresh start; pictures in $target/window_pictures"

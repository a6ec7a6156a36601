#!/bin/sh
# The real window under Xvfb, driven by real key and mouse events: sh tests/window.sh TARGET_FOLDER.
# Opens a copy of the start level, looks, fires, looks again, walks, saves, closes. The save has to hold the crater, and
# the pictures have to show a room that changes. The pictures stay in TARGET_FOLDER/window/.
set -eu
cd "$(dirname "$0")/.."
target=$1
breach=$target/debug/breach
out=$target/window
for tool in Xvfb xdotool import identify compare; do
	command -v $tool >/dev/null || { echo "$tool is missing: install xvfb xdotool imagemagick"; exit 1; }
done
[ -x "$breach" ] || { echo "$breach is missing: cargo build"; exit 1; }

rm -rf "$out"
mkdir -p "$out/user"
out=$(cd "$out" && pwd)
level=$out/level.map
cp levels/bunker.map "$level"

server=""
window=""
stop() {
	[ -z "$window" ] || kill "$window" 2>/dev/null || true
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
}
trap stop EXIT
trap 'exit 1' INT TERM HUP
fail() {
	echo "FAILED: $*"
	import -window root "$out/failed.png" 2>/dev/null || true
	echo "--- what the window said"
	cat "$out/stderr.txt" 2>/dev/null || true
	exit 1
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
	left=$(($1 * 5))
	shift
	until "$@" >/dev/null 2>&1; do
		left=$((left - 1))
		[ $left -gt 0 ] || return 1
		sleep 0.2
	done
}

# The server picks a free display and says which.
Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp 3>"$out/display" 2>"$out/xvfb.txt" &
server=$!
wait_for 20 test -s "$out/display" || { echo "Xvfb does not start:"; cat "$out/xvfb.txt"; exit 1; }
DISPLAY=:$(cat "$out/display")
export DISPLAY
unset WAYLAND_DISPLAY WAYLAND_SOCKET
# Its name is known a moment before it answers.
wait_for 20 xdotool getdisplaygeometry || { echo "Xvfb does not answer"; exit 1; }

# Its own home: settings and recordings of whoever runs this stay as they are.
env HOME="$out/user" XDG_DATA_HOME="$out/user/data" XDG_CONFIG_HOME="$out/user/config" XDG_CACHE_HOME="$out/user/cache" \
	"$breach" "$level" >"$out/stdout.txt" 2>"$out/stderr.txt" &
window=$!
alive() { kill -0 "$window" 2>/dev/null; }
seen() { alive || return 0; xdotool search --onlyvisible --pid "$window" || xdotool search --onlyvisible --name Breach; }
wait_for 90 seen || fail "no window within 90 s"
alive || fail "the program ended before a window came"
id=$( (xdotool search --onlyvisible --pid "$window" || xdotool search --onlyvisible --name Breach) 2>/dev/null | tail -n 1)

# On a busy machine the X server may leave a picture or an event waiting: give up and try again, or say so.
picture() { timeout 20 import -window root "$out/$1.png"; }
act() { timeout 20 xdotool "$@" || fail "no answer to: xdotool $*"; }
colours() { identify -format '%k' "$out/$1.png"; }
# Pixels that differ by more than a shade.
differing() { compare -metric AE -fuzz 5% "$out/$1.png" "$out/$2.png" null: 2>&1 | sed 's/[^0-9.e+].*//' | awk '{ printf "%d", $1 }'; }
crater_count() { grep -c breach_blast "$level" || true; }

# Drawn is what has many colours; software Vulkan needs some seconds for the first frame.
drawn() { picture start && [ "$(colours start)" -gt 200 ]; }
wait_for 60 drawn || fail "the window stays blank: $(colours start) colours"
before=$(crater_count)

# changes FROM TO PIXELS: a new picture TO that differs from FROM in so many pixels.
changes() { picture "$2" && [ "$(differing "$1" "$2")" -gt "$3" ]; }

# Without a window manager nothing focuses the window for us.
act windowfocus "$id"
sleep 0.5
act mousemove --window "$id" 640 300
sleep 0.5
act click 1
sleep 2
picture captured
act click 1
wait_for 30 changes captured fired 2000 || fail "firing changed nothing in the picture"
alive || fail "the program ended after firing"
# Until the flash is over, so that what changes next changed for another reason.
sleep 4
picture fired

act keydown w
sleep 1.5
act keyup w
wait_for 20 changes fired walked 5000 || fail "walking changed nothing in the picture"
sleep 1
picture walked
act mousemove_relative -- 120 0
wait_for 20 changes walked turned 5000 || fail "the mouse turned nothing"

# The tools: a preview of lines, a cone carved, a wedge filled, a hull of three marks carved.
sleep 1
picture turned
act key x
wait_for 20 changes turned aimed 2000 || fail "no preview is drawn"
act key b
act key b
act key b
act key t
act key k
sleep 1
act key c
wait_for 20 changes aimed carved 2000 || fail "carving changed nothing in the picture"
sleep 3
picture carved
act key b
act key v
wait_for 20 changes carved filled 2000 || fail "filling changed nothing in the picture"
sleep 2
picture filled
act mousemove_relative -- 160 60
sleep 1
act key m
act mousemove_relative -- 60 0
sleep 1
act key m
act mousemove_relative -- -30 -60
sleep 1
act key m
sleep 1
picture marked
act key c
wait_for 20 changes marked hull 500 || fail "the hull of the marks changed nothing in the picture"
alive || fail "the program ended after the tools"
act key x
act key x
act key Escape
sleep 3
picture turned
act key F1
wait_for 20 changes turned help 2000 || fail "F1 shows nothing"
act key F1
sleep 1

# Undo and redo by their keys: each save says what stands. The hash comes back, and what was carved in between is gone.
act key ctrl+s
saved() { ! cmp -s "$level" "$out/before.map"; }
cp levels/bunker.map "$out/before.map"
wait_for 20 saved || fail "Ctrl+S writes nothing"
# hash_of NAME: of the level as the window saves it now.
hash_of() {
	cp "$level" "$out/before.map"
	act key ctrl+s
	[ "$1" = same ] || wait_for 20 saved || fail "Ctrl+S after $1 writes nothing new"
	"$breach" check --json "$level" | sed 's/.*"hash":"\([0-9a-f]*\)".*/\1/'
}
full=$(hash_of same)
act key ctrl+z
act key ctrl+z
act key ctrl+z
sleep 1
less=$(hash_of undo)
act key ctrl+y
act key ctrl+y
act key ctrl+shift+z
sleep 1
again=$(hash_of redo)
[ "$full" != "$less" ] || fail "three undos changed nothing: $full"
[ "$full" = "$again" ] || fail "redo made another world: $full before, $again after"

# Back in time, and another way from there: the old recording stays. Then timings as a file.
recordings() { ls "$out"/user/data/*/recordings/*.breach 2>/dev/null | wc -l; }
[ "$(recordings)" -eq 1 ] || fail "$(recordings) recordings instead of one"
act key comma
act key comma
act key comma
sleep 1
act key c
branched() { [ "$(recordings)" -eq 2 ]; }
wait_for 20 branched || fail "acting in the past wrote no second recording"
act key p
act key F9
sleep 1
act key F9
timed() { [ "$(cat "$out"/user/data/*/timings/timings-0001.csv | wc -l)" -gt 2 ] && ls "$out"/user/data/*/timings/timings-0001.json; }
wait_for 20 timed || fail "no timings were written"

act key ctrl+s
more() { [ "$(crater_count)" -gt "$before" ]; }
sleep 2
wait_for 20 more || fail "the save holds no crater: $before before, $(crater_count) after"
[ "$(grep -c func_carve "$level")" -ge 2 ] || fail "the save does not hold what the tools carved"
grep -q func_fill "$level" || fail "the save does not hold what was filled in"

# The saved level opens again, in another run.
"$breach" check "$level" || fail "the saved level is not sound"

# Older xdotool has no polite close; then the program is ended as a crash would, and the recording has to be there too.
if xdotool help 2>&1 | grep -q windowquit; then
	act windowquit "$id"
else
	kill "$window"
fi
gone() { ! alive; }
wait_for 20 gone || fail "the window does not close"
status=0
wait "$window" || status=$?
window=""
[ $status -eq 0 ] || [ $status -eq 143 ] || fail "exit code $status"
ls "$out"/user/data/*/recordings/*.breach >/dev/null 2>&1 || ls "$out"/user/data/*/*.breach >/dev/null 2>&1 || fail "no recording was written"
echo "window: $((before + 1)) crater(s) saved, pictures in $target/window"

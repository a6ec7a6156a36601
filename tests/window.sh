#!/bin/sh
# The real window under Xvfb, driven by real key and mouse events: sh tests/window.sh TARGET_FOLDER.
# Opens a copy of the start level, looks, fires, looks again, walks, saves, closes. The save has to hold the crater, and
# the pictures have to show a room that changes. The pictures stay in TARGET_FOLDER/window/.
set -eu
cd "$(dirname "$0")/.."
target=$1
out=$target/window
. tests/window_setup.sh

cp levels/bunker.map "$level"
open_server 1280x720
open_window

# Software Vulkan needs some seconds for the first frame.
wait_for 60 is_drawn start || fail "the window stays blank: $(colours start) colours"
before=$(crater_count)

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

# The tools: a preview of lines, a cone carved, a wedge filled, a hull of three marks carved. Into the floor before the
# feet: how far the walk led depends on the machine, and lines on a far wall are few pixels.
act mousemove_relative -- 0 200
sleep 2
picture turned
act key x
wait_for 20 changes turned aimed 1000 || fail "no preview is drawn"
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

close_window
ls "$out"/user/data/*/recordings/*.breach >/dev/null 2>&1 || ls "$out"/user/data/*/*.breach >/dev/null 2>&1 || fail "no recording was written"
echo "window: $((before + 1)) crater(s) saved, pictures in $target/window"

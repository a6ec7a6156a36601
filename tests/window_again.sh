#!/bin/sh
# The real window dies and goes on: sh tests/window_again.sh TARGET_FOLDER.
# Fires, is killed, starts again, is told to go on where it stopped: the same world, with its crater. The pictures stay in
# TARGET_FOLDER/again/.
set -eu
cd "$(dirname "$0")/.."
target=$1
out=$target/again
. tests/window_setup.sh

cp levels/range.map "$level"
recordings=$out/user/data/breach/recordings
open_server 1280x720

# press X Y: a click that a slow picture sees too.
press() {
	act mousemove "$1" "$2"
	sleep 0.5
	act mousedown 1
	sleep 0.5
	act mouseup 1
}

# open: the window with the level, under the mouse and the keys.
open() {
	open_window
	act windowfocus "$id"
}
# Drawn is what has many colours; software Vulkan needs a while for its first picture.
drawn() { picture drawn && [ "$(colours drawn)" -gt 2000 ]; }
# recorded N: the Nth recording of the window is there.
recorded() { [ -s "$recordings/play-000$1.breach" ]; }

open
wait_for 60 recorded 1 || fail "nothing is recorded"
wait_for 120 drawn || fail "the window stays blank"
act mousemove 640 300
sleep 1
# The first click takes the mouse, the next ones fire.
fired() { grep -q '"fire"' "$recordings/play-0001.breach" || { act click 1 && sleep 1 && false; }; }
wait_for 60 fired || fail "no rocket is in the recording"
# world_of N: the hash of the world that a recording leads to.
hash_in() { sed 's/.*"hash":"\([0-9a-f]*\)".*/\1/'; }
world_of() { "$breach" replay "$recordings/play-000$1.breach" --verify --json | hash_in; }
whole=$("$breach" check --json "$level" | hash_in)
# hit: what was fired has arrived, and nothing is in flight any more.
hit() {
	died=$(world_of 1)
	[ "$died" != "$whole" ] && sleep 3 && [ "$(world_of 1)" = "$died" ]
}
wait_for 12 hit || fail "no rocket has carved"
kill -9 "$window"
wait_for 20 gone || fail "it is not to be killed"
died=$(world_of 1)

# It opens the level, and the offer lies over it: Enter goes on.
open
wait_for 60 recorded 2 || fail "the second run records nothing"
wait_for 120 drawn || fail "the window stays blank"
picture offer
# A window whose pictures are slow may miss a press.
taken() { recorded 3 || { xdotool key Return && sleep 5 && recorded 3; }; }
wait_for 12 taken || fail "the offer to go on was not taken"
sleep 2
[ "$(world_of 3)" = "$died" ] || fail "it went on in another world"

echo "again: killed, went on in the same world; pictures in $target/again"

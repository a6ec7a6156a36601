#!/bin/sh
# The real window dies and goes on: sh tests/window_again.sh TARGET_FOLDER.
# Fires, is killed, starts again, is told to go on where it stopped: the same world. The
# pictures stay in TARGET_FOLDER/again/.
set -eu
cd "$(dirname "$0")/.."
target=$1
breach=$target/debug/breach
out=$target/again
for tool in Xvfb xdotool import identify; do
	command -v $tool >/dev/null || { echo "$tool is missing: install xvfb xdotool imagemagick"; exit 1; }
done
[ -x "$breach" ] || { echo "$breach is missing: cargo build"; exit 1; }

rm -rf "$out"
mkdir -p "$out/user"
out=$(cd "$out" && pwd)
level=$out/level.map
cp levels/range.map "$level"
recordings=$out/user/data/breach/recordings

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

Xvfb -noreset -displayfd 3 -screen 0 1280x720x24 -nolisten tcp 3>"$out/display" 2>"$out/xvfb.txt" &
server=$!
wait_for 20 test -s "$out/display" || { echo "Xvfb does not start:"; cat "$out/xvfb.txt"; exit 1; }
DISPLAY=:$(cat "$out/display")
export DISPLAY
unset WAYLAND_DISPLAY WAYLAND_SOCKET
wait_for 20 xdotool getdisplaygeometry || { echo "Xvfb does not answer"; exit 1; }

alive() { kill -0 "$window" 2>/dev/null; }
gone() { ! alive; }
seen() { xdotool search --onlyvisible --name Breach; }
act() { timeout 20 xdotool "$@" || fail "no answer to: xdotool $*"; }
# press X Y: a click that a slow picture sees too.
press() {
	act mousemove "$1" "$2"
	sleep 0.5
	act mousedown 1
	sleep 0.5
	act mouseup 1
}

# open: the window with the level, and its number.
open() {
	env HOME="$out/user" XDG_DATA_HOME="$out/user/data" XDG_CONFIG_HOME="$out/user/config" \
		XDG_CACHE_HOME="$out/user/cache" "$breach" "$level" >"$out/stdout.txt" 2>"$out/stderr.txt" &
	window=$!
	wait_for 90 seen || fail "no window within 90 s"
	id=$(seen | tail -n 1)
	act windowfocus "$id"
}
# Drawn is what has many colours; software Vulkan needs a while for its first picture.
drawn() { timeout 20 import -window root "$out/drawn.png" && [ "$(identify -format '%k' "$out/drawn.png")" -gt 2000 ]; }
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
sleep 4
kill -9 "$window"
wait_for 20 gone || fail "it is not to be killed"

# world_of N: the hash of the world that a recording leads to.
world_of() { "$breach" replay "$recordings/play-000$1.breach" --verify --json | sed 's/.*"hash":"\([0-9a-f]*\)".*/\1/'; }
died=$(world_of 1)

# It opens the level, and the offer lies over it: its left button is to go on.
open
wait_for 60 recorded 2 || fail "the second run records nothing"
wait_for 120 drawn || fail "the window stays blank"
import -window root "$out/offer.png"
press 506 410
wait_for 60 recorded 3 || fail "the offer to go on was not taken"
sleep 2
[ "$(world_of 3)" = "$died" ] || fail "it went on in another world"

echo "again: killed, went on in the same world; pictures in $target/again"

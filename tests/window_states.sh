#!/bin/sh
# What happens to a window that nobody plans for: sh tests/window_states.sh TARGET_FOLDER. It is made tiny, taken off the
# screen, covered, moved to another scale, and loses its surface and its device; and each time it has to be drawn again as
# it was, and a shot has to carve. The pictures stay in TARGET_FOLDER/window_states/.
set -eu
cd "$(dirname "$0")/.."
target=$1
out=$target/window_states
. tests/window_setup.sh

cp levels/bunker.map "$level"
open_server 1280x720

focus() {
	act windowfocus "$id"
	sleep 0.5
}
# size_is SIZE: the window has it.
size_is() { [ "$(xdotool getwindowgeometry "$id" | sed -n 's/.*Geometry: //p')" = "$1" ]; }
# more: the level, saved again, has a crater more. A busy machine's ticks are few: the rocket may still fly.
more() {
	act key ctrl+s
	sleep 0.5
	[ "$(crater_count)" -gt "$already" ]
}
# fires: a click that takes the mouse, one that shoots; the level is saved again and again until a crater is in it.
fires() {
	focus
	act mousemove --window "$id" 640 300
	sleep 0.5
	act click 1
	sleep 1
	act click 1
	sleep 1
	act key Escape
	wait_for 5 more
}
# shot NAME: a rocket carves, says the level as the window saves it. A window that has just come may still be reading its
# level, and then takes one click less than is meant: it is pressed again, as people do.
shot() {
	already=$(crater_count)
	for attempt in 1 2 3 4 5; do
		! fires || return 0
	done
	fail "$1: no shot carves"
}
# as_before NAME: the window is drawn, and what it shows is what it showed.
as_before() { is_drawn "$1" && [ "$(differing before "$1")" -lt 90000 ]; }
# goes_on NAME: after whatever happened.
goes_on() {
	alive || fail "$1: the program ended"
	focus
	wait_for 60 as_before "$1" || fail "$1: not drawn as before: $(colours "$1") colours, $(differing before "$1") pixels differ"
	shot "$1"
	alive || fail "$1: the program ended after a shot"
	sleep 4
	picture before
	echo "$1: drawn again, and a shot carves"
}

open_window
wait_for 60 is_drawn before || fail "the window stays blank"
shot start
sleep 4
picture before

for size in "1 1" "3 700" "1280 2"; do
	act windowsize "$id" $size
	sleep 2
	alive || fail "resized to $size: the program ended"
	act windowsize "$id" 1280 720
	goes_on "resized to $size"
done
for round in 1 2 3 4 5 6 7 8; do
	act windowsize "$id" $((1400 - 150 * round)) $((100 * round))
done
act windowsize "$id" 1280 720
goes_on "resized quickly"

act windowunmap "$id"
sleep 3
act windowmap "$id"
goes_on "off the screen"

# A black window over all of it, without a frame.
display -immutable -geometry 1280x720+0+0 -size 1280x720 xc:black &
cover=$!
covered() { picture covered && [ "$(colours covered)" -lt 50 ]; }
wait_for 20 covered || fail "nothing covers the window"
sleep 2
kill $cover
wait $cover 2>/dev/null || true
goes_on "covered"

# A screen of twice as many dots to the inch, and the first one again.
scale_to() {
	xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER "Xft.dpi: $1"
	# The program hears only of its own window's properties; a desktop would tell it otherwise.
	xprop -id "$id" -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER "changed"
}
# panels_reach X: the dark panels at the left are at least so wide.
panels_reach() { picture panels && [ "$(convert "$out/panels.png[1x1+$1+560]" -format '%[fx:mean<0.15]' info:)" -eq 1 ]; }
! panels_reach 500 || fail "the panels are too wide from the start"
scale_to 192
wait_for 20 size_is 2560x1440 || fail "another scale: the window does not follow"
wait_for 60 panels_reach 500 || fail "another scale: the panels stay as they were"
scale_to 96
wait_for 20 size_is 1280x720 || fail "the first scale: the window does not follow"
goes_on "another scale"

# A debug build loses them at these keys.
for lost in "surface F11" "device F12"; do
	act key "ctrl+shift+${lost#* }"
	sleep 1
	goes_on "lost ${lost% *}"
done
close_window

# From the start on a screen of twice the scale, with the walls whole again.
cp levels/bunker.map "$level"
WINIT_X11_SCALE_FACTOR=2
export WINIT_X11_SCALE_FACTOR
open_window
wait_for 60 is_drawn before || fail "twice the scale: the window stays blank"
shot "twice the scale"
close_window
echo "window states: pictures in $target/window_states"

#!/bin/sh
# Makes the picture of the window in README.md again: sh screenshots/window.sh TARGET_FOLDER, the folder with debug/breach, or
# with BREACH naming the program. On an X server without a screen, twice as large and scaled down. Needs what
# tests/window.sh needs.
set -eu
cd "$(dirname "$0")/.."
target=${1:-target}
out=$target/window_picture
. tests/window_setup.sh

# Nothing is saved.
level=levels/bunker.map
WINIT_X11_SCALE_FACTOR=2
export WINIT_X11_SCALE_FACTOR
open_server 2560x1440
open_window
wait_for 90 is_drawn start || fail "the window stays blank"
act windowfocus "$id"
sleep 1
act mousemove --window "$id" 1280 600
sleep 1
act click 1
sleep 2
# Some hits in the hall; the last one is seen with its ray, portals and the map.
for turn in "-90 20" "60 -60" "150 10" "-40 60"; do
	act mousemove_relative -- $turn
	sleep 3
	act click 1
	sleep 5
done
for key in 1 3 4 F8; do
	act key $key
	sleep 2
done
act mousemove_relative -- 30 -20
sleep 3
act click 1
sleep 3
act key Escape
sleep 3
picture window
convert "$out/window.png" -filter Box -resize 50% -strip screenshots/window.png
close_window
echo "screenshots/window.png"

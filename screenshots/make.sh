#!/bin/sh
# Makes the pictures of README.md again, here. BREACH names the program where it is not target/release/breach.
set -eu
cd "$(dirname "$0")/.."
breach=${BREACH:-target/release/breach}
[ -x "$breach" ] || cargo build --release

# picture PICTURE LEVEL OPTIONS...
picture() {
    name=$1 level=$2
    shift 2
    echo "screenshots/$name.png"
    "$breach" shot "levels/$level.map" -o "screenshots/$name.png" --size 1280x720 "$@"
}

picture bunker bunker --rockets 300 --radius 1.3 --ticks 60 --from 1,3.4,-1.2 --look 19,1.6,-9
# The same shots twice, from inside the barracks: without and with what lies under them.
barracks='--rockets 500 --seed 3 --radius 1.3 --ticks 60 --from 24.4,2.2,-13.7 --look 20,1.5,-9'
picture breach bunker $barracks
picture overlays bunker $barracks --overlay portals,bins
picture bridge bridge --rockets 250 --radius 2 --ticks 60 --from 7,2.5,-13 --look 30,-4,3
picture pillars pillars --rockets 300 --radius 1.4 --ticks 90 --from 1.5,9,-14 --look 30,3,-11
picture caves caves --rockets 120 --radius 1.5 --ticks 90 --from 48,2,8 --look 37,3,-3
picture tower tower --rockets 400 --radius 1.5 --ticks 60 --from 4,9,-5 --look 21,8,-21

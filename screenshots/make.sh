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

# crater PICTURE LEVEL SHAPE MATERIAL BLASTS OPTIONS...: a copy of the level with blasts at known places, each
# "x y z radius seed" in units of the .map.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
crater() {
	name=$1 level=$2 shape=$3 material=$4 blasts=$5
	shift 5
	echo "screenshots/$name.png"
	cp "levels/$level.map" "$copy/$level.map"
	printf '%s\n' "$blasts" | tr ';' '\n' | while read -r x y z radius seed; do
		printf '{\n"classname" "breach_blast"\n"origin" "%s %s %s"\n"radius" "%s"\n"shape" "%s"\n"material" "%s"\n"seed" "%s"\n}\n' \
			"$x" "$y" "$z" "$radius" "$shape" "$material" $seed
	done >>"$copy/$level.map"
	"$breach" shot "$copy/$level.map" -o "screenshots/$name.png" --size 1280x720 --rockets 0 --ticks 1 "$@"
}

crater brick range concrete brick_red "0 688 102 48 12;0 643 64 19 9" --from 3.1,2.5,-19.5 --look 0,2.85,-21.3
crater rock bunker rock rock_wall "-336 132 76 50 4;-336 166 34 18 8" --from -6.9,2.2,-2.2 --look -10.5,2,-4.4
crater metal bunker metal metal_plate "1056 774 61 45 4;1056 714 102 19 8" --from 36.6,2.2,-25.3 --look 33,1.9,-23.9
picture rockets bunker --rockets 2000 --radius 1 --ticks 60 --from 1,3.4,-1.2 --look 19,1.6,-9

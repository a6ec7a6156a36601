#!/bin/sh
# Makes the pictures of README.md again, here: all, or those named; that of the window is window.sh's. BREACH names the
# program where it is not target/release/breach.
set -eu
cd "$(dirname "$0")/.."
breach=${BREACH:-target/release/breach}
[ -x "$breach" ] || cargo build --release
wanted=" $* "

# picture PICTURE LEVEL OPTIONS...
picture() {
    name=$1 level=$2
    shift 2
    case $wanted in "  " | *" $name "*) ;; *) return 0 ;; esac
    echo "screenshots/$name.png"
    "$breach" shot "$level" -o "screenshots/$name.png" --size 960x540 "$@"
}

# The start level's hall, whole and shot at, at the moment of a hit and later.
hall='--radius 1.3 --seed 2 --from 1.2,3.0,-6.2 --look 18,1.9,-5.4'
picture whole levels/bunker.map $hall --ticks 0
picture hit levels/bunker.map $hall --rockets 160 --ticks 9
picture bunker levels/bunker.map $hall --rockets 160 --ticks 150
# Curved patches, whole and shot at.
vault='--from 3,2.2,0.6 --look 14,2.6,0'
picture vault levels/scenes/vault.map $vault --ticks 0
picture vault-shot levels/scenes/vault.map $vault --rockets 40 --ticks 150
# Water.
pool='--from 4,2.6,3 --look 16,-1,-1'
picture pool levels/scenes/pool.map $pool --ticks 0
picture pool-under levels/scenes/pool.map --from 13,-2.2,3 --look 18,-0.5,-2 --ticks 0
# Half of the bridge falls: four moments after the sixtieth rocket.
beside='--from 7,2.5,-13 --look 30,-4,3'
for ticks in 4 14 24 40; do
    picture "fall-$ticks" levels/bridge.map --rockets 60 --seed 6 --radius 2.5 --ticks "$ticks" $beside
done
# Into the next room, from inside the barracks.
picture breach levels/bunker.map --rockets 500 --seed 3 --radius 1.3 --ticks 150 --from 24.4,2.2,-13.7 --look 20,1.5,-9

# crater PICTURE LEVEL SHAPE MATERIAL BLASTS OPTIONS...: a copy of the level with blasts at known places, each
# "x y z radius seed" in units of the .map.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
crater() {
    name=$1 level=$2 shape=$3 material=$4 blasts=$5
    shift 5
    cp "$level" "$copy/$name.map"
    printf '%s\n' "$blasts" | tr ';' '\n' | while read -r x y z radius seed; do
        printf '{\n"classname" "breach_blast"\n"origin" "%s %s %s"\n' "$x" "$y" "$z"
        printf '"radius" "%s"\n"shape" "%s"\n"material" "%s"\n"seed" "%s"\n}\n' "$radius" "$shape" "$material" "$seed"
    done >>"$copy/$name.map"
    picture "$name" "$copy/$name.map" "$@"
}
crater brick levels/range.map concrete brick_red "0 688 102 48 12;0 643 64 19 9" \
    --ticks 1 --from 3.1,2.5,-19.5 --look 0,2.85,-21.3
crater rock levels/bunker.map rock rock_wall "-336 100 76 50 4;-336 134 34 18 8" \
    --ticks 1 --from=-6.9,2.2,-1.2 --look=-10.5,2,-3.4
crater metal levels/bunker.map metal metal_plate "1056 774 61 45 4;1056 714 102 19 8" \
    --ticks 1 --from 36.6,2.2,-25.3 --look 33,1.9,-23.9

# What a hole lets through: a dark room beside a lit one, before and after.
rooms='--ticks 0 --from 1.2,2.9,-1.6 --look 10,0.9,-6.4'
picture dark screenshots/two-rooms.map $rooms
hole='390 150 90 62 1;388 200 60 44 2;390 104 60 44 3'
crater light screenshots/two-rooms.map concrete brick_red "$hole" $rooms
# Few enough boxes to follow one into the next.
crater view-bins screenshots/two-rooms.map concrete brick_red "$hole" $rooms --overlay bins

# A yard under the sun, shot at.
picture yard screenshots/yard.map --rockets 26 --seed 4 --radius 0.9 --ticks 40

# The other levels.
picture bridge levels/bridge.map --rockets 250 --radius 2 --ticks 150 $beside
picture pillars levels/pillars.map --rockets 220 --radius 1.4 --ticks 150 --from 6,2.6,-12.7 --look 30,5.5,-15
picture caves levels/caves.map --rockets 260 --radius 1.6 --ticks 100
picture tower levels/tower.map --rockets 500 --radius 2.2 --ticks 150 --from 1.8,12.4,-14 --look 20,9.5,-23.5
picture rockets levels/bunker.map --rockets 2000 --ticks 150 $hall

# The views that explain, each of the same hall.
for view in rooms faces wire wires normals portals heat walk; do
    picture view-$view levels/bunker.map $hall --rockets 60 --ticks 150 --overlay $view
done
picture view-rays levels/bunker.map $hall --rockets 60 --ticks 1 --overlay rays,hits
# Blasts beyond doors, just after them.
picture view-sound levels/bunker.map --from 1.5,2.6,-10.5 --look 14,1.2,-4 --rockets 12 --seed 3 --ticks 6 --overlay sound
# What the player at the start sees, looked at from above and behind.
picture view-frusta levels/bunker.map --rockets 60 --radius 1.3 --seed 2 --ticks 150 --from=-9,15,9 --look 11,0,-6 \
    --overlay frusta
# Bodies as the solver sees them: while the bridge falls, and where stones come to rest.
falling='--rockets 60 --seed 6 --radius 2.5'
picture view-motion levels/bridge.map $falling --ticks 24 --overlay motion
close='--radius 1.3 --seed 2 --rockets 160 --ticks 40 --from 12.4,1.2,-4.6 --look 14.4,0.1,-5.4'
picture view-spheres levels/bunker.map $close --overlay spheres
picture view-contacts levels/bunker.map $close --overlay contacts
picture view-islands levels/bunker.map $close --overlay islands
# What a pillar and its balcony carry.
carried='--rockets 60 --radius 1 --ticks 150 --from 6,2.6,-12.7 --look 30,5.5,-15'
picture view-stress levels/pillars.map $carried --overlay stress
picture view-bonds levels/pillars.map $carried --overlay bonds
# The contract's own overlays together, with the timings drawn in.
picture overlays levels/bunker.map $hall --rockets 60 --ticks 150 --overlay portals,hits,timings
# A minute of the bunker under two settings.
case $wanted in "  " | *" compare "*) "$breach" compare benches/minute.breach --a split=midpoint --b split=sah -o screenshots/compare.png ;; esac

# Read by the tests of the real window: an X server without a screen, the program in it, and what looks and presses.
# `target` is the folder with debug/breach, `out` the folder for pictures and words; both are set before. BREACH names another
# program.
breach=${BREACH:-$target/debug/breach}
for tool in Xvfb xdotool xprop import identify compare convert display; do
	command -v $tool >/dev/null || { echo "$tool is missing: install xvfb xdotool x11-utils imagemagick"; exit 1; }
done
[ -x "$breach" ] || { echo "$breach is missing: cargo build"; exit 1; }
[ -x "$target/debug/examples/desktop" ] || { echo "its example is missing: cargo build --examples"; exit 1; }

rm -rf "$out"
# Silent: a machine without a sound device would say so over the pictures.
mkdir -p "$out/user/config/breach"
printf 'mute = true\n' >"$out/user/config/breach/settings.toml"
out=$(cd "$out" && pwd)
level=$out/level.map

. tests/xvfb.sh

# open_window: the program with the level, or with none where that is empty, until its window is there; `id` is the window's.
# Its own home: settings and recordings of whoever runs this stay as they are.
open_window() {
	env HOME="$out/user" XDG_DATA_HOME="$out/user/data" XDG_CONFIG_HOME="$out/user/config" XDG_CACHE_HOME="$out/user/cache" \
		"$breach" ${level:+"$level"} >"$out/stdout.txt" 2>"$out/stderr.txt" &
	window=$!
	wait_for 90 seen || fail "no window within 90 s"
	alive || fail "the program ended before a window came"
	id=$( (xdotool search --onlyvisible --pid "$window" || xdotool search --onlyvisible --name Breach) 2>/dev/null | tail -n 1)
}
alive() { kill -0 "$window" 2>/dev/null; }
gone() { ! alive; }
seen() { alive || return 0; xdotool search --onlyvisible --pid "$window" || xdotool search --onlyvisible --name Breach; }

# close_window: as people do, by the button of a frame, and it has to end well: after a crash the next start would ask.
# Where there are changes it asks first, and closes when it is told a second time.
close_window() {
	timeout 30 "$target/debug/examples/desktop" "$id" close || fail "nobody hears that the window shall close"
	wait_for 8 gone || timeout 30 "$target/debug/examples/desktop" "$id" close || gone || fail "it does not hear"
	ended
}
# ended: it closes by itself, and well.
ended() {
	wait_for 40 gone || fail "the window does not close"
	status=0
	wait "$window" || status=$?
	window=""
	[ $status -eq 0 ] || fail "exit code $status"
}

# On a busy machine the X server may leave a picture or an event waiting: give up and try again, or say so.
picture() { timeout 20 import -window root "$out/$1.png"; }
act() { timeout 20 xdotool "$@" || fail "no answer to: xdotool $*"; }
colours() { identify -format '%k' "$out/$1.png"; }
# Pixels that differ by more than a shade.
differing() { compare -metric AE -fuzz 5% "$out/$1.png" "$out/$2.png" null: 2>&1 | sed 's/[^0-9.e+].*//' | awk '{ printf "%d", $1 }'; }
# The part of the window that pictures are compared in: beside it lie panels, notes and the crosshair.
middle=600x250+20+60
# within A B: pixels of the middle that differ by more than a shade.
within() { compare -metric AE -fuzz 5% "$out/$1.png[$middle]" "$out/$2.png[$middle]" null: 2>&1 | sed 's/[^0-9.e+].*//' | awk '{ printf "%d", $1 }'; }
# shows FOUND WANTED CONTROL: a new picture FOUND shows what WANTED does and CONTROL does not: of the pixels in which these two
# differ it has a twentieth at most that are not as wanted.
shows() { picture "$1" && [ "$(within "$2" "$3")" -gt 500 ] && [ $((20 * $(within "$1" "$2"))) -le "$(within "$2" "$3")" ]; }
# told FOUND WANTED CONTROL: that in numbers.
told() { echo "$(within "$1" "$2") pixels are not as wanted, of $(within "$2" "$3") that matter"; }
# changes FROM TO PIXELS: a new picture TO that differs from FROM in so many pixels.
changes() { picture "$2" && [ "$(differing "$1" "$2")" -gt "$3" ]; }
# is_drawn NAME: a new picture has many colours.
is_drawn() { picture "$1" && [ "$(colours "$1")" -gt 200 ]; }
crater_count() { grep -c breach_blast "$level" || true; }

#!/bin/sh
# What a desktop asks of the real window: sh tests/window_desktop.sh TARGET_FOLDER. Files are dropped on it, and it shall
# close while there are changes that no file has: then it asks, and does what is answered. The pictures stay in
# TARGET_FOLDER/window_desktop/.
set -eu
cd "$(dirname "$0")/.."
target=$1
out=$target/window_desktop
. tests/window_setup.sh

cp levels/range.map "$level"
cp levels/range.map "$out/other.map"
echo "no level" >"$out/notes.txt"
open_server 1280x720

desktop() { timeout 30 "$target/debug/examples/desktop" "$id" "$@" || fail "desktop $*"; }
# titled WORD: the window's title has it. A dot before the level's name says that there are changes.
titled() { xdotool getwindowname "$id" | grep -q "$1"; }
open() {
	open_window
	act windowfocus "$id"
	wait_for 120 titled level.map || fail "no level is open"
	wait_for 60 is_drawn drawn || fail "the window stays blank"
}
# change: something to lose.
change() {
	carved() { titled "●" || { act key c && sleep 1 && false; }; }
	wait_for 30 carved || fail "nothing was carved"
}
# asks NAME: in a new picture the dialog's own colour lies in the middle of the picture, where the level is never that dark.
is_dark() { picture "$1" && [ "$(convert "$out/$1.png[1x1+640+390]" -format '%[fx:mean<0.11]' info:)" -eq "$2" ]; }
asks() { is_dark "$1" 1; }
answered() { gone || is_dark answered 0; }
# answer KEYS: presses them until the question is gone, or the program is. A slow picture may miss a press.
answer() {
	for round in 1 2 3 4 5; do
		for key in $1; do
			act key "$key"
			sleep 0.3
		done
		! wait_for 4 answered || return 0
	done
	fail "the question stays"
}
# told_to_close: with changes it asks first.
told_to_close() {
	desktop close
	wait_for 20 asks close || fail "nothing is asked before it closes"
}
save=Return
go_on="Tab Tab space"
stay=Escape

open
# What is no level is refused, and the open one stays; a level is opened.
picture quiet
desktop drop "$out/notes.txt"
wait_for 20 changes quiet refused 2000 || fail "no notice of a file that is no level"
titled level.map || fail "a file that is no level closed the one that was open"
desktop drop "$out/other.map"
wait_for 60 titled other.map || fail "the level that was dropped is not open"

# With changes it asks first, and stays if told to.
change
desktop drop "$level"
wait_for 20 asks drop || fail "nothing is asked of a level that is dropped on changes"
answer "$stay"
titled "● other.map" || fail "the changes are gone"
told_to_close
answer "$stay"
alive || fail "it closed although it was to stay"
titled "● other.map" || fail "the changes are gone"

# Asked to close a second time it does not ask again.
told_to_close
desktop close
ended
cmp -s "$out/other.map" levels/range.map || fail "closed twice: the file has changed"

open
change
told_to_close
answer "$go_on"
ended
cmp -s "$level" levels/range.map || fail "without saving: the file has changed"

open
change
told_to_close
answer "$save"
ended
grep -q func_carve "$level" || fail "saved first: the file has no carve"
"$breach" check "$level" || fail "what was saved is not sound"

# Nothing of all this counts as a crash.
! ls "$out"/user/data/*/recordings/*.open >/dev/null 2>&1 || fail "a recording was left open"
echo "desktop: files dropped, closed in four ways; pictures in $target/window_desktop"

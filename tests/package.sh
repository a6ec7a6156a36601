#!/bin/sh
# What scripts/package.sh made, as people get it: sh tests/package.sh TARGET_FOLDER. Unpacked in an empty folder, with an empty
# home, run from another empty folder: the levels have to be there, and nothing of this one may be asked for. With an X server
# without a screen the window starts, too. Pictures stay in TARGET_FOLDER/package_test/.
set -eu
cd "$(dirname "$0")/.."
target=$1
out=$target/package_test
packages=$(cd "$target/package" && pwd)
rm -rf "$out"
mkdir -p "$out/home" "$out/empty" "$out/tar" "$out/deb"
out=$(cd "$out" && pwd)

. tests/xvfb.sh

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=breach-$version-linux-$(uname -m)
tar -C "$out/tar" -xzf "$packages/$name.tar.gz"
[ "$(ls "$out/tar")" = "$name" ] || fail "the archive holds more than one folder: $(ls "$out/tar")"
tree=$out/tar/$name
doc=share/doc/breach
for file in bin/breach install.sh $doc/README.md $doc/LICENSE-MIT $doc/LICENSE-APACHE $doc/THIRD-PARTY.txt $doc/FILES \
	share/applications/breach.desktop share/mime/packages/breach.xml \
	share/icons/hicolor/scalable/apps/breach.svg share/icons/hicolor/256x256/apps/breach.png; do
	[ -s "$tree/$file" ] || fail "$file is missing"
done
for crate in wgpu egui winit epaint_default_fonts libmimalloc-sys miniz_oxide; do
	grep -q "^$crate " "$tree/$doc/THIRD-PARTY.txt" || fail "THIRD-PARTY.txt says nothing of $crate"
done
for type in text/x-quake-map application/x-breach-recording; do
	grep -q "^MimeType=.*$type;" "$tree/share/applications/breach.desktop" || fail "the menu entry does not open $type"
	grep -q "type=\"$type\"" "$tree/share/mime/packages/breach.xml" || fail "$type is not described"
done
if command -v desktop-file-validate >/dev/null; then
	desktop-file-validate "$tree/share/applications/breach.desktop" || fail "the menu entry is wrong"
fi
if command -v update-mime-database >/dev/null; then
	cp -R "$tree/share" "$out/share"
	update-mime-database "$out/share/mime" 2>/dev/null || fail "the file types are wrong"
	grep -q '\*.map' "$out/share/mime/globs2" || fail ".map is no type"
fi

# run COMMAND...: in an empty folder, with an empty home and nothing set.
run() { (cd "$out/empty" && env -i HOME="$out/home" PATH=/usr/bin:/bin "$@" 2>"$out/stderr.txt"); }
breach=$tree/bin/breach
[ "$(run "$breach" --version)" = "breach $version" ] || fail "--version says $(run "$breach" --version)"
for level in bridge bunker caves pillars range tower; do
	report=$(run "$breach" check --json $level) || fail "$level is not sound"
	case $report in *"\"file\":\"$level\""*'"sealed":true,'*'"watertight":true,'*) ;; *) fail "$level: $report" ;; esac
done
# A path is a path: what is not there is refused, and it is said what is.
if run "$breach" check levels/bunker.map >/dev/null; then fail "a missing file is no error"; fi
grep -q "^levels/bunker.map: no such file or folder; .* bunker$" "$out/stderr.txt" || fail "a missing file is not told"
[ -z "$(ls -A "$out/empty")" ] || fail "files were written: $(ls -A "$out/empty")"

HOME=$out/home sh "$tree/install.sh" >"$out/installed.txt" || fail "install.sh: $(cat "$out/installed.txt")"
while IFS= read -r file; do
	cmp -s "$tree/$file" "$out/home/.local/$file" || fail "$file was not installed"
done <"$tree/$doc/FILES"
[ "$(run "$out/home/.local/bin/breach" --version)" = "breach $version" ] || fail "what was installed does not run"

if command -v dpkg-deb >/dev/null; then
	deb=$(ls "$packages"/breach_"$version"_*.deb)
	dpkg-deb -x "$deb" "$out/deb"
	dpkg-deb -f "$deb" Depends | grep -q 'libc6 (>= 2\.[0-9]*), ' || fail "the .deb asks for no C library"
	for file in bin/breach share/applications/breach.desktop share/mime/packages/breach.xml $doc/THIRD-PARTY.txt; do
		cmp -s "$tree/$file" "$out/deb/usr/$file" || fail "$file differs in the .deb"
	done
	[ -s "$out/deb/usr/$doc/copyright" ] || fail "the .deb has no copyright file"
	[ "$(dpkg-deb -c "$deb" | awk '$2 != "root/root"' | wc -l)" -eq 0 ] || fail "files of the .deb belong to somebody"
	run "$out/deb/usr/bin/breach" check range >/dev/null || fail "the program of the .deb does not run"
else
	echo "NOT RUN: the .deb, as dpkg-deb is missing"
fi

for tool in Xvfb xdotool import; do
	command -v $tool >/dev/null || { echo "NOT RUN: the window from the package, as $tool is missing"; exit 0; }
done
open_server 1280x720
# titled START: the window's title begins so.
titled() {
	id=$(xdotool search --onlyvisible --name Breach 2>/dev/null | tail -n 1)
	[ -n "$id" ] || return 1
	case $(xdotool getwindowname "$id") in "$1"*) ;; *) return 1 ;; esac
}
# What was opened before is offered, and not opened.
mkdir -p "$out/home/.local/share/breach" "$out/home/maps"
cp levels/range.map "$out/home/maps/mine.map"
printf '%s\n' "$out/home/maps/mine.map" >"$out/home/.local/share/breach/recent.txt"
cp "$out/home/maps/mine.map" "$out/mine.map"
(cd "$out/empty" && exec env -i HOME="$out/home" PATH=/usr/bin:/bin DISPLAY="$DISPLAY" "$breach" >"$out/stdout.txt" 2>"$out/stderr.txt") &
window=$!
wait_for 120 titled 'bunker.map (built in) · Breach' || fail "no window, or not with the bunker: $(xdotool search --name . getwindowname 2>/dev/null)"
drawn() { import -window root "$out/$1.png" && [ "$(identify -format '%k' "$out/$1.png")" -gt 200 ]; }
wait_for 60 drawn start || fail "the window stays blank"
sleep 3
drawn start

# A hole, and Ctrl+S: a level inside the program has no file, so nothing is written before somebody says where.
xdotool windowfocus "$id"
sleep 1
xdotool key c
wait_for 30 titled '● bunker.map (built in)' || fail "nothing was carved"
xdotool key ctrl+s
sleep 4
drawn saved
titled '● bunker.map (built in)' || fail "it counts as saved"
xdotool key F5
sleep 2
drawn asked
cmp -s "$out/mine.map" "$out/home/maps/mine.map" || fail "the recent file was written over"
[ "$(find "$out/home" "$out/empty" -name '*.map' | wc -l)" -eq 1 ] || fail "a level was saved: $(find "$out/home" "$out/empty" -name '*.map')"
echo "package: $(basename "$packages/$name.tar.gz") has it all; pictures in $out"

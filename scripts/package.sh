#!/bin/sh
# Makes what people install on Linux: scripts/package.sh. In target/package/ lie then, for VERSION of Cargo.toml,
#   breach-VERSION-linux-x86_64.tar.gz   the program, icon, menu entry, file types, licences; run it in place or ./install.sh
#   breach_VERSION_amd64.deb             the same for Debian and Ubuntu, where dpkg-deb is there to make it
# The levels are inside the program. tests/package.sh unpacks both and looks. BREACH names a program that is built already.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

need_cargo
need_linker
need_packages "to read what the crates' licences are" python3
install_packages

[ "$(uname -s)" = Linux ] || { say "This makes packages for Linux; elsewhere: cargo install --path ."; exit 1; }
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
machine=$(uname -m)
target=${CARGO_TARGET_DIR:-target}
out=$target/package
name=breach-$version-linux-$machine
tree=$out/$name

program=${BREACH:-}
if [ -z "$program" ]; then
	say "Building (the first time takes some minutes)."
	cargo build --release --locked
	program=$target/release/breach
fi

rm -rf "$out"
mkdir -p "$tree"
# put FILE FOLDER [MODE]: into the tree.
put() {
	mkdir -p "$tree/$2"
	cp "$1" "$tree/$2/"
	chmod "${3:-644}" "$tree/$2/$(basename "$1")"
}
put "$program" bin 755
# What a debugger wants stays in target/: the program is a quarter of it.
strip "$tree/bin/breach" 2>/dev/null || say "strip is missing: the program stays large."
put packaging/breach.desktop share/applications
put packaging/breach.xml share/mime/packages
put packaging/breach.svg share/icons/hicolor/scalable/apps
put packaging/breach.png share/icons/hicolor/256x256/apps
for file in README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE; do
	put $file share/doc/breach
done
python3 scripts/licences.py >"$tree/share/doc/breach/THIRD-PARTY.txt"
put packaging/install.sh . 755
(cd "$tree" && find bin share -type f | LC_ALL=C sort) >"$out/files"
put "$out/files" share/doc/breach
mv "$tree/share/doc/breach/files" "$tree/share/doc/breach/FILES"
rm "$out/files"

# The same bytes from the same commit, whenever and by whomever it is made.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
	-C "$out" -cf - "$name" | gzip -9n >"$out/$name.tar.gz"

if command -v dpkg-deb >/dev/null 2>&1; then
	deb=$out/deb
	mkdir -p "$deb/DEBIAN" "$deb/usr"
	cp -R "$tree/bin" "$tree/share" "$deb/usr/"
	rm "$deb/usr/share/doc/breach/FILES"
	{
		echo "Breach is licensed under MIT or Apache-2.0, as you like: LICENSE-MIT and LICENSE-APACHE in this folder."
		echo "The libraries in it, with their licences: THIRD-PARTY.txt in this folder."
	} >"$deb/usr/share/doc/breach/copyright"
	# The oldest C library that has all that the program asks for.
	libc=$(grep -ao 'GLIBC_2\.[0-9]*' "$tree/bin/breach" | sort -t. -k2n -u | tail -n 1)
	architecture=$(dpkg --print-architecture)
	size=$(du -sk "$deb/usr" | cut -f1)
	cat >"$deb/DEBIAN/control" <<CONTROL
Package: breach
Version: $version
Architecture: $architecture
Maintainer: The Breach authors <breach@example.invalid>
Installed-Size: $size
Depends: libc6 (>= ${libc#GLIBC_}), libgcc-s1, libstdc++6, libvulkan1, libxkbcommon-x11-0, libx11-xcb1, libxcursor1, libxi6, libxrandr2
Recommends: mesa-vulkan-drivers | vulkan-icd, libwayland-client0, xdg-desktop-portal, libpulse0 | libasound2t64 | libasound2
Section: games
Priority: optional
Description: sandbox whose levels can be destroyed
 Open a level of the Quake family, or one of the six inside, and fire rockets:
 each cuts a real hole, exactly, and what was held up by nothing falls. Panels
 show how it works: rooms and portals, box trees, swept spheres, timings.
CONTROL
	dpkg-deb --root-owner-group --build "$deb" "$out/breach_${version}_$architecture.deb" >/dev/null
	rm -rf "$deb"
else
	say "dpkg-deb is missing: no .deb."
fi
rm -rf "$tree"
ls -l "$out"

#!/bin/sh
# Copies Breach to where programs of one's own lie: ./install.sh [PREFIX], ~/.local unless told otherwise. Nothing else is
# changed; to take it away again, remove what is listed in share/doc/breach/FILES below PREFIX.
set -eu
cd "$(dirname "$0")"
prefix=${1:-$HOME/.local}
find bin share -type f | while IFS= read -r file; do
	mkdir -p "$prefix/$(dirname "$file")"
	cp "$file" "$prefix/$file"
done
# So that desktops know the files at once; where these tools are missing they find out later.
update-mime-database "$prefix/share/mime" 2>/dev/null || true
update-desktop-database "$prefix/share/applications" 2>/dev/null || true
echo "Breach is in $prefix/bin/breach."
case :$PATH: in *:"$prefix/bin":*) ;; *) echo "That folder is not in PATH: add it, or start it by its whole name." ;; esac

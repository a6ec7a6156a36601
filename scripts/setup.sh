# Read by ./run and ./test: makes sure that the tools are there, or says in one line how to get them.

say() { printf '%s\n' "$*" >&2; }

# Cargo, not older than Cargo.toml asks for.
need_cargo() {
	if ! command -v cargo >/dev/null 2>&1 && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
		PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
		export PATH
	fi
	want=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
	if ! command -v cargo >/dev/null 2>&1; then
		say "cargo, Rust's build tool, is missing. Get Rust $want or newer from https://rustup.rs, then run this again."
		exit 1
	fi
	have=$(cargo --version | sed 's/^cargo \([0-9]*\.[0-9]*\).*/\1/')
	if [ "${have%%.*}" -lt "${want%%.*}" ] ||
		{ [ "${have%%.*}" -eq "${want%%.*}" ] && [ "${have#*.}" -lt "${want#*.}" ]; }; then
		say "cargo $have is too old: Rust $want or newer is needed. Type: rustup update stable (rustup: https://rustup.rs)"
		exit 1
	fi
}

# need_packages WHY PACKAGE...: notes what Debian and Ubuntu lack; install_packages gets all of it at once.
missing=""
need_packages() {
	why=$1
	shift
	on_debian || return 0
	lacks=""
	for package; do
		dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || lacks="$lacks $package"
	done
	[ -z "$lacks" ] || say "Missing, $why:$lacks"
	missing="$missing$lacks"
}

on_debian() { command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; }

install_packages() {
	[ -n "$missing" ] || return 0
	as_root=""
	if [ "$(id -u)" -ne 0 ]; then
		if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
			as_root="sudo -n"
		else
			say "They need root, which this script does not have. Type:"
			say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing"
			exit 1
		fi
	fi
	say "Installing:$missing"
	# An old package list may still do, so only the install decides.
	$as_root apt-get update -q >&2 || true
	# shellcheck disable=SC2086
	if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >&2; then
		say "That failed. The line to type: sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing"
		exit 1
	fi
}

need_linker() {
	command -v cc >/dev/null 2>&1 && return 0
	if on_debian; then
		need_packages "to link programs" gcc libc6-dev
	else
		say "A linker (the command cc) is missing; README.md has the line for your system."
		exit 1
	fi
}

# The encoder of videos is C++ and built with the window.
need_cpp() {
	command -v c++ >/dev/null 2>&1 && return 0
	if on_debian; then
		need_packages "to build the encoder of videos" g++
	else
		say "A C++ compiler (the command c++) is missing; README.md has the line for your system."
		exit 1
	fi
}

# Whatever Vulkan driver is there will do; software Vulkan where there is none.
need_vulkan() {
	need_packages "to draw" libvulkan1
	for driver in /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json; do
		[ -e "$driver" ] && return 0
	done
	need_packages "to draw without a graphics driver of your own" mesa-vulkan-drivers
}

need_window() {
	need_packages "to open a window" \
		libxkbcommon-x11-0 libx11-xcb1 libxcursor1 libxi6 libxrandr2 libwayland-client0
}

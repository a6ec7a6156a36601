# An X server without a screen, what is started on it, and how a script waits and fails: read by the tests of the real window and
# of the package. `out` is the folder for pictures and words; it is set before.
server=""
window=""
stop() {
	[ -z "$window" ] || kill "$window" 2>/dev/null || true
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
}
trap stop EXIT
trap 'exit 1' INT TERM HUP
fail() {
	echo "FAILED: $*"
	import -window root "$out/failed.png" 2>/dev/null || true
	echo "--- what the window said"
	cat "$out/stderr.txt" 2>/dev/null || true
	exit 1
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
	left=$(($1 * 5))
	shift
	until "$@" >/dev/null 2>&1; do
		left=$((left - 1))
		[ $left -gt 0 ] || return 1
		sleep 0.2
	done
}

# open_server SIZE: it picks a free display and says which. It stays as it is when the first to ask has gone.
open_server() {
	Xvfb -noreset -displayfd 3 -screen 0 "$1x24" -nolisten tcp 3>"$out/display" 2>"$out/xvfb.txt" &
	server=$!
	wait_for 20 test -s "$out/display" || { echo "Xvfb does not start:"; cat "$out/xvfb.txt"; exit 1; }
	DISPLAY=:$(cat "$out/display")
	export DISPLAY
	unset WAYLAND_DISPLAY WAYLAND_SOCKET
	# Its name is known a moment before it answers.
	wait_for 20 xdotool getdisplaygeometry || { echo "Xvfb does not answer"; exit 1; }
}

# A session bus and a sound server for a script, private where the user has none. Sourced, not run.
#
# session_begin DIR     makes DIR (private) the place of what follows
# session_bus           the user's session bus, else a private dbus-daemon in DIR
# session_sound         the user's sound server, else a private pulseaudio with a null sink in DIR
# session_end           ends what these started, and removes DIR
#
# The daemons leave the terminal's process group, so that Ctrl-C reaches the script alone and it can end them last.

session_dir=
session_pids=()

bus_answers() {
    [[ -n ${DBUS_SESSION_BUS_ADDRESS:-} || -S ${XDG_RUNTIME_DIR:-/nonexistent}/bus ]] &&
        timeout 3 dbus-send --session --print-reply --dest=org.freedesktop.DBus / \
            org.freedesktop.DBus.GetId >/dev/null 2>&1
}

sound_answers() {
    if command -v pactl >/dev/null; then
        timeout 3 pactl info >/dev/null 2>&1
    else
        [[ -n ${PULSE_SERVER:-} || -S ${XDG_RUNTIME_DIR:-/nonexistent}/pulse/native ]]
    fi
}

session_begin() {
    session_dir=$1
}

private_bus() {
    local address='' pid=''
    {
        read -r address && read -r pid
    } < <(dbus-daemon --session --fork --print-address=1 --print-pid=1 --address="unix:path=$session_dir/bus") || {
        echo "cannot start a private session bus: dbus-daemon failed" >&2
        return 1
    }
    session_pids+=("$pid")
    export DBUS_SESSION_BUS_ADDRESS=$address
}

private_sound() {
    local log=$session_dir/pulseaudio.log
    mkdir -p "$session_dir/home"
    # With --daemonize=yes it returns when clients can connect.
    if ! env -u PULSE_SERVER -u DISPLAY HOME="$session_dir/home" PULSE_RUNTIME_PATH="$session_dir/pulse" \
        pulseaudio -n --daemonize=yes --exit-idle-time=-1 --use-pid-file=yes --disallow-exit \
        --log-target="file:$log" --load=module-native-protocol-unix --load="module-null-sink sink_name=null" \
        2>"$session_dir/pulseaudio.err"; then
        echo "cannot start a private sound server: $(tail -n 1 "$session_dir/pulseaudio.err" "$log" 2>/dev/null)" >&2
        return 1
    fi
    session_pids+=("$(<"$session_dir/pulse/pid")")
    export PULSE_SERVER=unix:$session_dir/pulse/native
}

session_bus() {
    bus_answers || private_bus
}

session_sound() {
    sound_answers || private_sound
}

# Ends a process: asks, gives it five seconds, insists.
end_process() {
    local pid=$1
    kill "$pid" 2>/dev/null || return 0
    for _ in {1..100}; do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.05
    done
    kill -KILL "$pid" 2>/dev/null || true
}

session_end() {
    local index
    for ((index = ${#session_pids[@]} - 1; index >= 0; index--)); do
        end_process "${session_pids[index]}"
    done
    session_pids=()
    [[ -z $session_dir ]] || rm -rf -- "$session_dir"
    session_dir=
}

# A broker of Debian for a benchmark. Shared by those that need one. Needs `scratch`, a folder.
# shellcheck shell=bash

broker=/usr/sbin/mosquitto

free_port() {
    python3 -c 'import socket
with socket.socket() as free: free.bind(("127.0.0.1", 0)); print(free.getsockname()[1])'
}

# Starts it on $port, and waits until it accepts connections; its process is $broker_process.
begin_broker() {
    printf '%s\n' "listener $port 127.0.0.1" "allow_anonymous true" "persistence false" \
        "set_tcp_nodelay true" >"$scratch/settings"
    "$broker" -c "$scratch/settings" >/dev/null 2>&1 &
    broker_process=$!
    until (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.02; done
}

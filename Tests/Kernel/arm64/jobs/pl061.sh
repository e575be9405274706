# Installs the package as its owner does, and runs a panel as the user of the service, on the chip
# of the machine, with the limits of the service and its option --realtime. The lines are moved from
# outside; the button Finish ends it. Then the panel runs once more, without --realtime.
set -eu
dpkg -i /job/detent.deb
dpkg --verify detent
detent --version
id -nG detent | grep -qx "detent gpio"
[ "$(stat -c "%a %U %G" /usr/bin/detent)" = "755 root root" ]

# What the udev rule of the package does.
chgrp gpio /dev/gpiochip0
chmod 660 /dev/gpiochip0
cat >/job/note <<'NOTE'
#!/bin/sh
echo "$*" >>/tmp/notes
NOTE
chmod 755 /job/note
# LimitRTPRIO and LimitMEMLOCK of the service.
ulimit -r 45
ulimit -l unlimited
su -s /bin/sh detent -c "detent doctor /job/panel.yaml" >/tmp/doctor
grep "libgpiod 2" /tmp/doctor
grep -e "--realtime is possible" /tmp/doctor

# start OPTION…: starts the panel, and waits until its page is there.
start() {
    su -s /bin/sh detent -c "exec detent run /job/panel.yaml --events --json $*" &
    daemon=$!
    until wget -q -O - http://127.0.0.1:8433/healthz; do sleep 1; done
}

stop() {
    kill -TERM $daemon
    wait $daemon
}

# field NAME FILE: a number of kilobytes.
field() { sed -n "s/^$1:[^0-9]*\([0-9]*\) kB/\1/p" "$2"; }

# memory NAME: of all processes, and of the panel, the child of the first one. VmLck is the address
# space that is locked as it is used; Locked is what is locked in memory.
memory() {
    resident=0 proportional=0 panel=
    for process in $(pidof detent); do
        resident=$((resident + $(field VmRSS /proc/$process/status)))
        proportional=$((proportional + $(field Pss /proc/$process/smaps_rollup)))
        grep -q "^PPid:[^0-9]*$daemon$" /proc/$process/status && panel=$process
    done
    locked=$(field Locked /proc/$panel/smaps_rollup)
    echo "$1: $resident kB resident, $proportional kB proportional; its panel:" \
        "VmLck $(field VmLck /proc/$panel/status), VmRSS $(field VmRSS /proc/$panel/status)," \
        "Pss $(field Pss /proc/$panel/smaps_rollup), locked in memory $locked kB"
}

start --realtime
until grep -qx finish /tmp/notes; do sleep 1; done
memory "memory with --realtime"
[ "$locked" -gt 0 ]
[ "$locked" -le 16384 ]
[ "$(field VmRSS /proc/$panel/status)" -le 16384 ]
# The loop is SCHED_FIFO, with the priority of the option.
cat /proc/$panel/task/*/stat | sed "s/.*) //" | grep -q "^\([^ ]* \)\{37\}30 1 "
detent get
stop
echo "notes: $(sort /tmp/notes | uniq -c | tr -s ' \n' ' ')"
start
memory memory
[ "$locked" = 0 ]
stop
dpkg --purge detent
[ ! -e /usr/bin/detent ]

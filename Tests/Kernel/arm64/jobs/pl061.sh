# Installs the package as its owner does, and runs a panel as the user of the service, on the chip
# of the machine. The lines are moved from outside; the button Finish ends it.
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
su -s /bin/sh detent -c "detent doctor /job/panel.yaml" >/tmp/doctor
grep "libgpiod 2" /tmp/doctor

su -s /bin/sh detent -c "exec detent run /job/panel.yaml --events --json" &
daemon=$!
until wget -q -O - http://127.0.0.1:8433/healthz; do sleep 1; done
until grep -qx finish /tmp/notes; do sleep 1; done
resident=0 proportional=0
for process in $(pidof detent); do
    resident=$((resident + $(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$process/status)))
    proportional=$((proportional + $(sed -n 's/^Pss:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$process/smaps_rollup)))
done
echo "memory: $resident kB resident, $proportional kB proportional"
detent get
kill -TERM $daemon
wait $daemon
echo "notes: $(sort /tmp/notes | uniq -c | tr -s ' \n' ' ')"
dpkg --purge detent
[ ! -e /usr/bin/detent ]

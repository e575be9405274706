# Runs a panel on the lines of a Raspberry Pi 3B, whose device tree the program has to recognise.
set -eu
dpkg -i /job/detent.deb
tr -d '\0' </proc/device-tree/model
echo
detent doctor /job/panel.yaml | tee /tmp/doctor
grep -q "raspberry-pi-3b" /tmp/doctor
detent run /job/panel.yaml &
daemon=$!
until wget -q -O - http://127.0.0.1:8433/healthz; do sleep 1; done

# The direction and the level of a pin, as the kernel has them: "out hi".
level() { sed -n "s/.*(GPIO$1 *|[^)]*) *\([a-z]* *[a-z]*\).*/\1/p" /sys/kernel/debug/gpio; }
level 17 | grep "^in"
for value in off on off; do
    detent set pump $value
    case $value in off) expected=lo ;; on) expected=hi ;; esac
    until level 27 | grep "^out  *$expected"; do sleep 1; done
done
kill -TERM $daemon
wait $daemon

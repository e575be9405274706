# Runs the contract of the backend, the end-to-end checks, and the scenarios of the panels, with the
# installed program on simulated chips.
set -eu
dpkg -i /job/detent.deb
# A check expects that no other chip is closed to all but root.
chmod 666 /dev/gpiochip0
status=0
for run in "detent-kernel-tests" "detent-end-to-end /usr/bin/detent" \
    "detent-end-to-end /usr/bin/detent --panels"; do
    echo "== $run"
    /job/$run || status=1
done
exit $status

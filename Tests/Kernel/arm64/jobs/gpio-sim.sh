# Runs the contract of the backend, the end-to-end checks, and the scenarios of the panels, with the
# installed program on simulated chips.
set -eu
dpkg -i /job/detent.deb
# A check expects that no other chip is closed to all but root.
chmod 666 /dev/gpiochip0
status=0
run() {
    echo "== $*"
    "/job/$@" || status=1
}
run detent-kernel-tests
# One check starts the program 50 times, which takes minutes here and is the same on each processor.
run detent-end-to-end /usr/bin/detent --without "50 kills"
run detent-end-to-end /usr/bin/detent --panels
exit $status

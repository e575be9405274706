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
end_to_end() { run detent-end-to-end /usr/bin/detent --project /job/project "$@"; }
# Input devices, converters and lamps of the LED class need modules that this kernel does not
# have. One check starts the program 50 times, which takes minutes here and is the same on each
# processor.
run detent-kernel-tests --without input:
end_to_end --without analog: --without inputs: --without keys: --without levels: --without "50 kills"
end_to_end --panels
exit $status

# Prints what the program prints for everything that needs no lines, with its errors and its status.
# The same file runs on x86-64, with a folder for files in between, and in the machine without one.
folder=${1-}
if [ -z "$folder" ]; then
    dpkg -i /job/detent.deb >/dev/null || exit 1
    folder=/tmp
    cd /job/tree || exit 1
fi
export LC_ALL=C

say() {
    echo "== $*" | sed "s|$folder|FOLDER|g"
    detent "$@" >"$folder/out" 2>"$folder/errors" </dev/null
    echo "status $?"
    cat "$folder/out" "$folder/errors" | sed "s|$folder|FOLDER|g"
}

for word in --version --help schema boards; do say $word; done
for board in raspberry-pi-5 beaglebone-black jetson-orin-nano; do say boards $board; done
for format in text json sarif; do
    say check --format $format panels/*/panel.yaml
    say check --format $format faulty/*.yaml
done
say test simulator/scenarios/*.yaml panels/*/*.scenario.yaml
for scenario in lab-supply/ordinary-day cnc-pendant/accidents greenhouse/weather; do
    say test --trace "$folder/trace.vcd" "panels/$scenario.scenario.yaml"
    cat "$folder/trace.vcd"
    say replay "panels/${scenario%/*}/panel.yaml" "$folder/trace.vcd"
done

# An empty system into which a package is installed.
# shellcheck shell=bash

# dpkg_in FOLDER ARGUMENT…: dpkg there, without its dependencies. The scripts of the package run with
# the programs of this system.
dpkg_in() {
    local folder=$1
    shift
    mkdir -p "$folder"/etc "$folder"/var/lib/dpkg/{info,updates}
    [ -e "$folder/var/lib/dpkg/status" ] || : >"$folder/var/lib/dpkg/status"
    dpkg --root="$folder" --force-script-chrootless --force-depends --force-architecture \
        --force-not-root --log=/dev/null "$@"
}

# unit_in FOLDER: makes an instance of the service whose program is in the installed tree, so that
# systemd-analyze finds it, and prints its name.
unit_in() {
    local unit=$1/detent@lab-supply.service
    mkdir -p "$1"
    sed "s|=/usr/bin/detent |=$tree/usr/bin/detent |" "$tree/usr/lib/systemd/system/detent@.service" \
        >"$unit"
    grep -qF "=$tree/usr/bin/detent run " "$unit"
    echo "$unit"
}

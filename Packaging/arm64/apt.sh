# Lists and packages of other releases and architectures of Debian, without a change to the system.
# The caller sets `home`, a folder for the lists, and `keys`.
# shellcheck shell=bash

# The mirror that the system uses for its own packages; fails if apt has no lists.
mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' 2>/dev/null |
        grep -v security | sed -n 1p | grep .
}

# apt_of SUITE ARCHITECTURE PROGRAM ARGUMENT…: runs apt-get or apt-cache with these lists. To it, no
# package is installed.
apt_of() {
    local root=$home/apt/$1-$2 architecture=$2 program=$3
    shift 3
    "$program" -q -o "Dir::Etc::sourcelist=$root/sources.list" -o Dir::Etc::sourceparts=- \
        -o "Dir::State=$root/state" -o "Dir::State::status=$root/status" -o "Dir::Cache=$root" \
        -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" \
        -o "APT::Sandbox::User=$(id -un)" -o Debug::NoLocking=true "$@"
}

# lists_of SUITE ARCHITECTURE: fetches the lists of packages.
lists_of() {
    local root=$home/apt/$1-$2 log mirror
    mirror=$(mirror) || skip "apt has no lists of main here (help: apt-get update)"
    log=$(mktemp)
    mkdir -p "$root"/state/lists/partial "$root"/archives/partial
    : >"$root/status"
    echo "deb [arch=$2 signed-by=$keys] $mirror $1 main" >"$root/sources.list"
    if ! apt_of "$1" "$2" apt-get update >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}

# candidate SUITE ARCHITECTURE PACKAGE: the version that the lists offer, or nothing.
candidate() { apt_of "$1" "$2" apt-cache policy "$3" | sed -n 's/^ *Candidate: \([^(].*\)/\1/p'; }

# download SUITE ARCHITECTURE FOLDER PACKAGE…: into a folder.
download() {
    local suite=$1 architecture=$2 folder=$3 log
    shift 3
    log=$(mktemp)
    mkdir -p "$folder"
    if ! (cd "$folder" && apt_of "$suite" "$architecture" apt-get download "$@") >"$log" 2>&1; then
        tail -n 10 "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}

# libraries_of SUITE ARCHITECTURE PACKAGE: the shared libraries that a package needs, with theirs.
libraries_of() {
    apt_of "$1" "$2" apt-get install --print-uris -y --no-install-recommends "$3" |
        sed -nE "s|^'[^']*' ([a-z0-9.+-]+)_[^ ]*\.deb .*|\1|p" |
        grep -E '^(lib|zlib1g)' | grep -vE -- '-dev$|^libswiftlang|-(bin|data|common|cross)$'
}

# Shared by `build` and `libgpiod2`: the cache, and Debian packages on demand.

export PATH
cache=${DETENT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/detent}

say() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# Ends with 77, which a test runner reads as "skipped", not "failed".
skip() {
    say "skipped: $*"
    exit 77
}

need_debian() {
    [ "$(uname -sm)" = "Linux x86_64" ] || skip "needs Linux on x86-64, this is $(uname -sm)"
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
        skip "needs Debian or one of its children: there is no apt-get"
}

installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Runs as root, or with sudo without a password.
can_be_root() {
    [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# How long to wait for another apt, in seconds, and how often to check.
apt_patience=${DETENT_APT_PATIENCE:-300}
apt_pause=2

# Runs apt-get as root and stores its output in a file; waits while another apt has the locks.
# DPkg::Lock::Timeout waits only for the lock of dpkg, not for those of the lists and archives.
apt_get() {
    local log=$1 until=$((SECONDS + apt_patience))
    shift
    while :; do
        as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
            apt-get -q -o "DPkg::Lock::Timeout=$apt_patience" "$@" >"$log" 2>&1 </dev/null && return 0
        grep -qE 'Could not get lock|Unable to (acquire|lock)' "$log" || return 1
        [ "$SECONDS" -lt "$until" ] || return 1
        sleep "$apt_pause"
    done
}

# Fetches the lists of packages.
fetch_lists() {
    local log status=0
    can_be_root || {
        say "cannot run apt-get update: neither root nor sudo without a password"
        return 1
    }
    log=$(mktemp)
    apt_get "$log" update || { tail -n 5 "$log" >&2 && status=1; }
    rm -f "$log"
    return $status
}

# Whether the present lists contain every one of the packages.
are_listed() {
    local package
    for package in "$@"; do
        apt-cache policy "$package" 2>/dev/null | grep -E '^ +Candidate: [^(]' >/dev/null || return 1
    done
}

# Installs the missing ones of the named packages, and prints them in one line. Fetches the lists
# only if the present ones do not contain the packages or are too old.
install_missing() {
    local missing=() package log
    for package in "$@"; do
        installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    can_be_root || {
        say "cannot install: neither root nor sudo without a password"
        say "help: apt-get install ${missing[*]}"
        exit 1
    }
    say "installing ${missing[*]}"
    log=$(mktemp)
    local install=(install -y --no-install-recommends "${missing[@]}")
    if are_listed "${missing[@]}" && apt_get "$log" "${install[@]}"; then
        rm -f "$log"
        return 0
    fi
    apt_get "$log" update && apt_get "$log" "${install[@]}" || {
        tail -n 20 "$log" >&2
        rm -f "$log"
        say "cannot install ${missing[*]}: what apt-get said is above"
        exit 1
    }
    rm -f "$log"
}

# install_or_skip PACKAGE…: installs the missing ones; ends with 77 if this system does not offer them.
install_or_skip() {
    local missing=() package
    for package in "$@"; do
        installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    are_listed "${missing[@]}" || { fetch_lists && are_listed "${missing[@]}"; } ||
        skip "this system does not offer all of ${missing[*]}"
    install_missing "${missing[@]}" >&2
}

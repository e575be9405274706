# Shared by `build` and `libgpiod2`: where things are kept, and Debian packages on demand.

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

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        sudo -n "$@"
    else
        say "cannot run '$*': neither root nor sudo without a password; run it by hand, then again"
        exit 1
    fi
}

# Installs those of the named packages that are missing; asks for new lists only when the ones at
# hand do not lead to them.
install_missing() {
    local missing=() package
    for package in "$@"; do
        installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "installing ${missing[*]}"
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q
        --no-install-recommends "${missing[@]}")
    as_root "${install[@]}" >&2 </dev/null && return 0
    as_root apt-get update -q >&2
    as_root "${install[@]}" >&2 </dev/null
}

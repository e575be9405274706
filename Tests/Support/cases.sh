# Cases of a test in bash, each in a folder of its own. Makes the folder `work`, which is removed at
# the end.
# shellcheck shell=bash

work=$(mktemp -d "${TMPDIR:-/tmp}/detent-scripts-XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# case_of NAME FUNCTION: runs one case in its own folder, as the current folder.
case_of() {
    local name=$1
    [[ $name == *"${only-}"* ]] || return 0
    mkdir "$work/case"
    # Not as a condition, because `set -e` has no effect there.
    (
        set -e
        root=$PWD
        cd "$work/case"
        "$2"
    ) >"$work/log" 2>&1
    if [ $? = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s\n' "$name"
        tail -n 20 "$work/log"
    fi
    rm -rf "$work/case"
}

# has FILE TEXT, lacks FILE TEXT: checks the contents of a file.
has() {
    grep -qF -- "$2" "$1" || { echo "'$2' is not in:" && cat "$1" && return 1; }
}
lacks() {
    ! grep -qF -- "$2" "$1" || { echo "'$2' is in:" && cat "$1" && return 1; }
}

# refuses COMMAND…: the command must fail.
refuses() {
    if "$@"; then
        echo "this did not fail: $*"
        return 1
    fi
}

# finish_cases: prints the sum. Its status is that of the script.
finish_cases() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}

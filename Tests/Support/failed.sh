# Runs once more the tests that failed beside everything else on a busy machine. A script that sources
# it has `again NAME…`, which runs tests by their names.
# shellcheck shell=bash

# So many may have been delayed; more have a reason.
most_delayed=5

# keep_failed FILE PASSED FAILED: writes what `run_failed` reads; the names of the failed tests, a line
# each, come from standard input.
keep_failed() {
    mkdir -p "$(dirname "$1")"
    { echo "$2 $3" && grep . || true; } >"$1"
}

# run_failed FILE: runs the tests of the file, prints the sum of both runs, and ends.
run_failed() {
    local passed failed names
    { read -r passed failed <"$1"; } 2>/dev/null || { echo "there is no $1: run all tests first" && exit 1; }
    mapfile -t names < <(tail -n +2 "$1")
    if [ "$failed" -gt $most_delayed ] || [ "$failed" -ne ${#names[@]} ]; then
        echo "FAILED $failed tests, ${#names[@]} of them by name: not run again"
        echo "$passed passed, $failed failed"
        exit 1
    fi
    printf 'once more, alone: %s\n' "${names[@]}"
    if again "${names[@]}"; then
        echo "$((passed + failed)) passed, 0 failed"
        exit 0
    fi
    echo "$passed passed, $failed failed"
    exit 1
}

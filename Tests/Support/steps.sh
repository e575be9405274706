# Steps of Tests/run: one alone or several in lanes, their output and their sums. The caller sets
# `logs`, a folder for the output of each step.
# shellcheck shell=bash

# How often a line shows the progress of the steps, in seconds.
progress_every=${DETENT_PROGRESS_EVERY:-30}
began_all=$SECONDS
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap end_children EXIT

# Ends the running steps: first the lanes, which would begin their next step, then the steps, each
# of which is a process group.
lane_children=()
end_children() {
    local file
    [ ${#lane_children[@]} -eq 0 ] || kill "${lane_children[@]}" 2>/dev/null || true
    for file in "$logs"/*.running; do
        [ ! -e "$file" ] || kill -- "-$(sed -n 2p "$file")" 2>/dev/null || true
    done
}

# The path of a step's files, without their endings.
key_of() { printf '%s/%s' "$logs" "$(printf '%s' "$1" | tr 'A-Z ' 'a-z-')"; }

# step NAME COMMAND…: runs one step, shows its result, and stores it in a file. Urgent steps get ten
# times its share of the processors.
step() { run_step "nice -n 10" "$@"; }

# urgent_step NAME COMMAND…: a step that the others let pass.
urgent_step() { run_step "" "$@"; }

run_step() { # PREFIX NAME COMMAND…
    local prefix=$1 name=$2 key status good bad note times
    shift 2
    key=$(key_of "$name")
    local TIMEFORMAT='%0R %0U %0S'
    { time {
        setsid $prefix "$@" >"$key.log" 2>&1 </dev/null &
        printf '%s\n' "$name" "$!" "$SECONDS" >"$key.running"
        wait "$!"
        status=$?
    }; } 2>"$key.time"
    rm -f "$key.running"
    read -r -a times < <(tail -n 1 "$key.time")
    read -r good bad < <(count "$status" "$key.log")
    case $status in
        0)
            note="$good passed"
            [ "$good$bad" != 00 ] || note="skipped: $(tail -n 2 "$key.log" | head -n 1)"
            ;;
        77) note="skipped: $(tail -n 1 "$key.log" | sed 's/.*skipped: //')" ;;
        *) note="FAILED ($bad failed, $good passed, status $status); all of it: $key.log" ;;
    esac
    {
        clear_line
        printf '== %s\n' "$name"
        case $status in
            0 | 77) ;;
            *)
                show "$key.log"
                printf '   run it alone:  %s\n' "$(printf '%q ' "$@")"
                ;;
        esac
        printf '   %s, %d s (%d s of processor time)\n' \
            "$note" "${times[0]}" $((times[1] + times[2]))
    } >"$key.said"
    # In one write, so that the lines of two lanes do not mix. `cat` would copy from file to file in
    # the kernel, where two lanes can write to the same place.
    dd if="$key.said" bs=1M status=none
    printf '%d %s\n' "${times[0]}" "$name" >>"$logs/waits"
    echo "$good $bad $status" >"$key.result"
    return "$status"
}

# timed_step NAME COMMAND…: a step that measures real time. Where the user may ask for it, it has the
# class of real-time processes: whatever else runs lets it pass at once. If it fails, the machine may
# have delayed it: `finish` runs it once more, alone, and only the second time counts.
timed_step() {
    local first="chrt --fifo 1"
    $first true 2>/dev/null || first=
    run_step "$first" "$@" && return
    once_more "$@"
    return 1
}

# once_more NAME COMMAND…: after the step of this name failed, `finish` runs this command, alone, and
# only the second time counts.
once_more() { printf '%q ' "$@" >"$(key_of "$1").again"; }

# after NAME…: waits for steps of other lanes. Ends the lane if one of them failed.
after() {
    local name
    for name in "$@"; do
        while [ ! -e "$(key_of "$name").result" ]; do
            kill -0 $$ 2>/dev/null || exit 1
            sleep 0.2
        done
        case $(cut -d' ' -f3 "$(key_of "$name").result") in 0 | 77) ;; *) exit 1 ;; esac
    done
}

# alone NAME COMMAND…: runs a step while no other step runs.
alone() {
    lanes "step_alone $(printf '%q ' "$@")"
    return "$(cut -d' ' -f3 "$(key_of "$1").result" 2>/dev/null || echo 1)"
}

step_alone() { step "$@"; }

# lanes COMMAND…: runs commands side by side, each a sequence of steps, and shows their progress.
lanes() {
    local lane child next=$((SECONDS + progress_every))
    lane_children=()
    for lane in "$@"; do
        (
            trap - EXIT
            eval "$lane"
        ) &
        lane_children+=("$!")
    done
    while :; do
        local left=()
        for child in "${lane_children[@]}"; do
            ! kill -0 "$child" 2>/dev/null || left+=("$child")
        done
        [ ${#left[@]} -gt 0 ] || break
        if [ -t 1 ]; then
            printf '\r\033[K%s' "$(progress | cut -c "1-$((${COLUMNS:-80} - 1))")"
        elif [ "$SECONDS" -ge "$next" ]; then
            echo "   … $(progress)"
            next=$((SECONDS + progress_every))
        fi
        sleep 1
    done
    clear_line
    wait "${lane_children[@]}"
    lane_children=()
}

clear_line() { [ ! -t 1 ] || printf '\r\033[K'; }

# The running steps: "2:10  Browser 120 done, 95 s; Swift tests 840 begun, 95 s".
progress() {
    local file name group began text=
    for file in "$logs"/*.running; do
        [ -e "$file" ] || continue
        { read -r name && read -r group && read -r began; } <"$file" || continue
        text+="${text:+; }$name $(tests_done "${file%.running}.log"), $((SECONDS - began)) s"
    done
    printf '%d:%02d  %s\n' $(((SECONDS - began_all) / 60)) $(((SECONDS - began_all) % 60)) "$text"
}

# The number of tests in the log of a running step: "120 done". Swift tests report that they passed
# only when nearly all have run. So those that have begun are counted: "840 begun".
tests_done() {
    awk '/^ok / || /^passed / { done += 1 }
        /^[.sxXFE]+( +\[ *[0-9]+%\])?$/ { sub(/ .*/, ""); done += length($0) }
        /^[^ a-zA-Z]+ +Test .* started\.$/ { begun += 1 }
        END { if (begun) print begun " begun"; else print done + 0 " done" }' "$1" 2>/dev/null
}

# Prints how many tests a step passed and failed.
count() {
    local status=$1 log=$2 line good bad isCounted=no
    line=$(grep -Eo '[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    if [ -n "$line" ]; then
        read -r good bad < <(sed 's/[^0-9]\{1,\}/ /g' <<<"$line")
        isCounted=yes
    else
        # Swift Testing: "Test run with 214 tests in 30 suites passed", and a line for each failure.
        good=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$log" |
            awk '{ all += $1 } END { print all + 0 }')
        bad=$(grep -E '^[^a-zA-Z]*Test (case )?[^ ]+.* failed after ' "$log" | grep -vc 'Test run with')
        good=$((good > bad ? good - bad : 0))
    fi
    case $status in
        0) [ "$good" -gt 0 ] || [ $isCounted = yes ] || good=1 ;;
        77) good=0 bad=0 ;;
        *) [ "$bad" -gt 0 ] || bad=1 ;;
    esac
    echo "$good $bad"
}

# Shows a failed step: the lines that name the failures, then the end.
show() {
    local important
    important=$(grep -E '^(✘|↳|FAILED|error:|[^ ]+:[0-9]+:[0-9]+: error:)' "$1" |
        grep -v '^↳ \(Testing Library\|Target Platform\)' | head -n 80)
    if [ -n "$important" ]; then
        printf '%s\n' "$important"
    else
        tail -n 40 "$1"
    fi
}

# Runs the steps again that other steps may have delayed.
run_again() {
    local file command
    for file in "$logs"/*.again; do
        [ -e "$file" ] || continue
        command=$(<"$file")
        cp "${file%.again}.log" "${file%.again}.first.log"
        echo "-- once more, alone, because it measures real time: $command"
        eval "alone $command"
        rm -f "$file"
    done
}

# Adds up all steps and ends. Names the five that took longest.
finish() {
    run_again
    local file good bad status passed=0 failed=0 skipped=0 note=
    for file in "$logs"/*.result; do
        read -r good bad status <"$file"
        passed=$((passed + good)) failed=$((failed + bad))
        [ "$good$bad" != 00 ] || skipped=$((skipped + 1))
    done
    [ "$skipped" -eq 0 ] || note=", $skipped steps skipped"
    printf '\nlongest of %d:%02d minutes: %s\n' $(((SECONDS - began_all) / 60)) \
        $(((SECONDS - began_all) % 60)) "$(sort -rn "$logs/waits" | head -n 5 |
            sed -E 's/([0-9]+) (.*)/\2 \1 s/' | paste -sd , | sed 's/,/, /g')"
    printf '%d passed, %d failed%s\n' "$passed" "$failed" "$note"
    [ "$failed" -eq 0 ]
    exit
}

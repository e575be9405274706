# Figures and their limits. Shared by `run` and its tests.
# shellcheck shell=bash

# A difference of counts can be -1 in 40,000, which rounds to a negative zero: remove that sign.
ratio() {
    awk -v a="$1" -v b="$2" 'BEGIN {
        text = sprintf("%.2f", a / b)
        print (text == "-0.00") ? "0.00" : text
    }'
}

median() {
    sort -n | awk '{ all[NR] = $1 }
        END { print NR % 2 ? all[(NR + 1) / 2] : (all[NR / 2] + all[NR / 2 + 1]) / 2 }'
}

of() { sed -n "s/^$1 //p" "$2"; } # NAME FILE: one value for each round

# The median of the ratios of two figures of the same round.
paired() { # NAME NAME FILE
    paste <(of "$1" "$3") <(of "$2" "$3") | awk '{ print $1 / $2 }' | median |
        awk '{ printf "%.2f\n", $1 }'
}

# The share of the processors' time that is used in two seconds, in percent: by others, as long as
# nothing is measured yet.
busy_percent() {
    local before after
    read -r -a before < <(head -n 1 /proc/stat)
    sleep 2
    read -r -a after < <(head -n 1 /proc/stat)
    awk -v before="${before[*]:1:8}" -v after="${after[*]:1:8}" 'BEGIN {
        split(before, a, " ")
        count = split(after, b, " ")
        for (field = 1; field <= count; field++) all += b[field] - a[field]
        idle = b[4] - a[4] + b[5] - a[5]
        printf "%.0f\n", all ? 100 * (all - idle) / all : 0
    }'
}

# Says so where others used the processors, in percent, before times are measured.
say_if_busy() { # PERCENT
    [ "$1" -le 5 ] || echo "the machine is not quiet: other programs use $1 % of its processors;" \
        "times that are measured now mean little"
}

# How busy the machine is, and whether the scheduler prefers what is measured to the rest.
conditions() {
    local preference
    preference=$(sed -n 's/.* nice //p' /proc/self/autogroup 2>/dev/null || true)
    echo "${busy-0} % used by other programs$([ "${preference:-0}" -ge 0 ] ||
        echo ", measured ahead of the other programs (nice $preference)")"
}

# A process and its descendants: `detent run` is more than one process.
family() { # PROCESS
    echo "$1"
    local child
    for child in $(cat /proc/"$1"/task/*/children); do family "$child"; done
}

switches() { # PROCESS: of all threads of its family
    local process
    for process in $(family "$1"); do cat /proc/"$process"/task/*/status; done |
        awk '/^voluntary/ { all += $2 } END { print all }'
}

# Memory of a family, with what several processes share counted once.
megabytes() { # PROCESS
    local process
    for process in $(family "$1"); do cat /proc/"$process"/smaps_rollup; done |
        awk '/^Pss:/ { all += $2 } END { printf "%.1f\n", all / 1024 }'
}

# A capture of a contact that bounces four times at each of its changes, a millisecond apart.
rows() { # COUNT
    awk -v count="$1" 'BEGIN {
        print "t_ns,line,value"
        for (row = 0; row < count; row++)
            printf "%.0f,IN0,%d\n", 1000000 + int(row / 5) * 1000000 + row % 5 * 20000, (row + 1) % 2
    }'
}

# Installs a peer in Python from PyPI, once; without it, its figures are missing. `python/NAME` exists
# if it is there.
python_peer() { # TOOLS NAME PACKAGE…
    local home=$1/python name=$2
    shift 2
    [ -e "$home/$name" ] || {
        { [ -x "$home/bin/pip" ] || python3 -m venv "$home"; } &&
            "$home/bin/pip" install --quiet --no-input --disable-pip-version-check "$@" &&
            touch "$home/$name"
    } >"$home.log" 2>&1 || true
}

# Reads a file of thresholds: `gate NAME LIMIT` or `goal NAME LIMIT` per line, followed by `all` if
# only a full run measures the figure, by `core` if the quick run measures it too, and by `latency` if
# a run of latencies does. Those with `company`, `load` and `fleet` have a run of their own. Compares them with the array `figures`. A missed
# gate fails; a missed goal is only reported.
judge() { # FILE MODE
    local file=$1 mode=$2 sort name limit scope value passed=0 failed=0
    while read -r sort name limit scope; do
        case $sort in
            '' | '#'*) continue ;;
            gate | goal) ;;
            *)
                echo "FAILED $file: a line begins with 'gate' or 'goal', not with '$sort'"
                failed=$((failed + 1))
                continue
                ;;
        esac
        case "$scope $mode" in
            'company --company' | 'load --load' | 'fleet --fleet') ;;
            company* | load* | fleet*) continue ;;
            *' --all' | ' --gate' | 'core --gate' | 'core --core' | 'latency --latency') ;;
            *) continue ;;
        esac
        value=${figures[$name]-missing}
        if awk -v value="$value" -v limit="$limit" \
            'BEGIN { exit !(value ~ /^[0-9]+([.][0-9]+)?$/ && value + 0 <= limit + 0) }'; then
            passed=$((passed + 1))
        elif [ "$sort" = goal ] && [ "$value" != missing ]; then
            echo "the goal is missed: $name is $value, and should be $limit at most"
        else
            failed=$((failed + 1))
            echo "FAILED $name is $value, and may be $limit at most"
        fi
    done <"$file"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}

# The limits of a figure, for the columns `gate` and `goal` of the table.
limits_of() { # FILE NAME
    awk -v name="$2" '
        $2 == name { limit[$1] = $3 }
        function shown(sort) { return (sort in limit) ? limit[sort] : "—" }
        END { print shown("gate") " | " shown("goal") }' "$1"
}

# The rows of docs/performance.md, from the array `figures`. LIST has a name and its words per line.
summary_rows() { # THRESHOLDS LIST
    local name words
    while read -r name words; do
        case $name in '' | '#'*) continue ;; esac
        echo "| $words | ${figures[$name]-not measured} | $(limits_of "$1" "$name") |"
    done <"$2"
}

# Replaces what a document has between the comments `<!-- NAME -->` and `<!-- end of NAME -->`.
replace_part() { # DOCUMENT NAME PART
    local new
    new=$(mktemp)
    awk -v file="$3" -v begin="<!-- $2 -->" -v end="<!-- end of $2 -->" '
        $0 == begin { print; while ((getline line < file) > 0) print line; inside = 1 }
        $0 == end { inside = 0 }
        !inside' "$1" >"$new"
    cat "$new" >"$1"
    rm -f "$new"
}

# The functions of a program that ran while callgrind counted, from one part of its output. Names are
# written out once, and then stand for their numbers.
functions_of() { # PROGRAM PART
    awk -v program="$1" '
        function name(table, text,    number, rest) {
            number = text
            sub(/[)].*/, ")", number)
            rest = substr(text, length(number) + 2)
            if (rest != "") names[table number] = rest
            return names[table number]
        }
        /^ob=/ { object = name("ob", substr($0, 4)) }
        /^cob=/ { name("ob", substr($0, 5)) }
        /^cfn=/ { name("fn", substr($0, 5)) }
        /^fn=/ { it = name("fn", substr($0, 4)); if (object == program) print it }
    ' "$2" | sed "s/'[0-9]*$//" | LC_ALL=C sort -u
}

# How a list of functions fits the program. Prints how many of the functions that ran are not in the
# list, and how many of the list the program does not have. Equal functions are in the program once,
# under several names, so addresses are compared.
order_of() { # LIST SYMBOLS FUNCTIONS: files; SYMBOLS as `nm` prints them
    awk '
        FILENAME == ARGV[1] { address[$NF] = $1; next }
        FILENAME == ARGV[2] { if ($1 in address) listed[address[$1]] = 1; else stale++; next }
        !(address[$1] in listed) { astray++ }
        END { print astray + 0, stale + 0 }
    ' "$2" "$1" "$3"
}

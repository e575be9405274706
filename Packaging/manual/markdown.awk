# Turns docs/reference/panel-file.md into a part of a page for `man`: a row of a table becomes an
# item, with the first cell as its tag.

function escaped(text) {
    gsub(/\\\|/, "|", text)
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(text, RSTART + 1, RLENGTH - 2)
        sub(/\]\(.*/, "", link)
        text = substr(text, 1, RSTART - 1) link substr(text, RSTART + RLENGTH)
    }
    while (match(text, /`[^`]*`/)) {
        text = substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 1, RLENGTH - 2) "\\fR" \
            substr(text, RSTART + RLENGTH)
    }
    sub(/^[.']/, "\\\\\\&&", text)
    return text
}

# The cells of a row, in `cell`; returns their number.
function cells(row,    count, place) {
    gsub(/\\\|/, "\001", row)
    sub(/^\| */, "", row)
    sub(/ *\|$/, "", row)
    count = split(row, cell, / *\| */)
    for (place = 1; place <= count; place++) gsub(/\001/, "|", cell[place])
    return count
}

NR == 1 && /^# / { next }
/^## / { print ".SH " toupper(escaped(substr($0, 4))); next }
/^### / { print ".SS " escaped(substr($0, 5)); next }
/^\|[-|: ]+\|$/ { next }
/^\|/ {
    count = cells($0)
    if (!isTable) {
        isTable = 1
        for (place = 1; place <= count; place++) heading[place] = cell[place]
        next
    }
    print ".TP\n" escaped(cell[1])
    for (place = 2; place <= count; place++) {
        if (cell[place] == "" || cell[place] == "—") continue
        isText = heading[place] == "meaning" || heading[place] == "description"
        if (place > 2) print ".br"
        print isText ? escaped(cell[place]) : "\\fI" heading[place] "\\fR: " escaped(cell[place])
    }
    next
}
{ isTable = 0 }
/^$/ { print ".PP"; next }
/^```/ { print isCode ? ".fi" : ".nf"; isCode = !isCode; next }
{ print escaped($0) }

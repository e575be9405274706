# Turns the help of one command, as the program prints it, into a part of a page for `man`. `part`
# is the command, or "program" for the help of the program itself.

function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    sub(/^[.']/, "\\\\\\&&", text)
    return text
}

function words(text) { gsub(/`/, "", text); return escaped(text) }

function end_item() {
    if (item == "") return
    print ".TP\n.B " escaped(item)
    print words(meaning)
    item = meaning = ""
}

function begin_lines() { if (!verbatim) print ".PP\n.nf"; verbatim = 1 }
function end_lines() { if (verbatim) print ".fi"; verbatim = 0 }

BEGIN { if (part != "program") print ".SS detent " escaped(part) }

/^OVERVIEW: / {
    sub(/^OVERVIEW: /, "")
    if (part == "program") print ".SH DESCRIPTION"
    print words($0)
    section = "overview"
    next
}
/^USAGE: / {
    end_lines()
    sub(/^USAGE: /, "")
    if (part != "program") print ".PP\n.B " escaped($0)
    section = "usage"
    next
}
/^SUBCOMMANDS:/ { exit }
/^[A-Z]+:$/ { section = "items"; if (part == "program") print ".SH OPTIONS"; next }

section == "overview" {
    # Its lines are examples and tables as often as sentences: they keep their form.
    if ($0 == "") { end_lines(); next }
    begin_lines()
    print words($0)
    next
}
section == "usage" && /^ / { print ".br\n.B " escaped($0) }
section == "items" {
    if ($0 ~ /^  [^ ]/) {
        end_item()
        text = substr($0, 3)
        # Names have 23 columns; a longer one has its line, and its meaning follows.
        isShort = length(text) > 24 && substr(text, 24, 1) == " "
        item = isShort ? substr(text, 1, 23) : text
        sub(/ +$/, "", item)
        meaning = isShort ? substr(text, 25) : ""
    } else if ($0 ~ /^ +[^ ]/) {
        sub(/^ +/, "")
        meaning = meaning (meaning == "" ? "" : " ") $0
    }
}

END { end_lines(); end_item() }

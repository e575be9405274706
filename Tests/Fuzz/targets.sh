# Shared by `readers` and `guided`: the readers of foreign bytes, and the inputs to begin with.

all_targets=(panel board scenario bounce language csv vcd sigrok archive mqtt osc answer state history)

# The files of a target, in `files`.
read_files_of() { # TARGET
    files=(Tests/Fuzz/corpus/"${1%-deep}"/*)
    case $1 in
        panel) files+=(panels/*/panel.yaml Tests/Fuzz/*.yaml) ;;
        board) files=(boards/*.yaml) ;;
        bounce) files+=(simulator/bounce/*.yaml) ;;
    esac
}

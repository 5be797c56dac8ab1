# What the command understands, as its own help says it. Sourced, not run.
#
# command_table TIANLAI     prints a record a line, the fields between them by the character 31:
#                               C NAME SYNOPSIS SUMMARY DETAIL      a command, and behind it
#                               O NAME OPTIONS VALUE HELP           each of its options: "--follow -f"

# shellcheck disable=SC2034    # for those who read the records
unit=$'\x1f'

command_table() {
    local tianlai=$1
    # The help may speak the user's language, the table speaks one.
    (
        unset LANGUAGE
        export LC_ALL=C.UTF-8
        "$tianlai" --help | awk '
            /^  [a-z]/ {
                count = split($0, word, " ")
                second = $0 ~ /^  [a-z]+ [a-z]+( |$)/ ? " " word[2] : ""
                print word[1] second
            }' |
            while read -r name; do
                # shellcheck disable=SC2086    # a name may be two words
                "$tianlai" $name --help </dev/null | awk -v name="$name" -v unit="$unit" '
                    NR == 1 {
                        synopsis = substr($0, length("usage: tianlai " name) + 1)
                        sub(/^ \[OPTION…\]/, "", synopsis)
                        sub(/^ /, "", synopsis)
                        next
                    }
                    /^  -/ {
                        # Two columns; the left one is "--output, -o VALUE".
                        match($0, /  +[^ ].*$/)
                        left = substr($0, 3)
                        help = left
                        sub(/  .*$/, "", left)
                        sub(/^.*[^ ]  +/, "", help)
                        value = left
                        sub(/^-[^ ]*(, -[^ ]*)*/, "", value)
                        sub(/^ /, "", value)
                        sub(/ [^-].*$/, "", left)
                        gsub(/,/, "", left)
                        options[++found] = "O" unit name unit left unit value unit help
                        next
                    }
                    $0 == "" { next }
                    summary == "" { summary = $0; next }
                    { detail = detail (detail == "" ? "" : " ") $0 }
                    END {
                        print "C" unit name unit synopsis unit summary unit detail
                        for (option = 1; option <= found; option++) print options[option]
                    }'
            done
    )
}

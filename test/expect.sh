# Checks of the program from outside, for the scripts that test it: `. test/expect.sh` behind `program=…` and `out=…`, the folder for
# what they write.
log=$out/log err=$out/err
ironbird() { "$program" "$@"; }
# file NAME LINE...: a file of these lines in $out
file() { (name=$1 && shift && printf '%s\n' "$@" > "$out/$name"); }
# ended NAME EXIT_CODE: says so if the last command ended with another one
ended() { [ "$status" -eq "$2" ] || { echo "not ok $1: exit code $status, expected $2: $(cat "$err" "$log" | head -n 3)" && return 1; }; }
# has NAME FILE WORDS: the words, if any, are somewhere in the file
has() { if [ -z "$3" ] || grep -qF -- "$3" "$2"; then echo "ok $1"; else echo "not ok $1: '$3' not in: $(head -n 5 "$2")"; fi; }
# holds NAME COMMAND...: a condition; what the last command printed is left in $log and $err for it to look at
holds() {
    name=$1
    shift
    if "$@" > "$out/held" 2>&1 < /dev/null; then echo "ok $name"; else echo "not ok $name: $(head -n 3 "$out/held")"; fi
}
# piped FILE COMMAND...: its standard output goes through a pipe into the file
piped() {
    piped_to=$1
    shift
    { "$@"; echo $? > "$out/code"; } | cat > "$piped_to"
    return "$(cat "$out/code")"
}
# silent: nothing was printed
silent() { test ! -s "$log" && test ! -s "$err"; }
# expect NAME EXIT_CODE WORDS COMMAND...: exit code, and words somewhere in its output, of either kind
expect() {
    name=$1 code=$2 words=$3
    shift 3
    : > "$err"
    "$@" > "$log" 2>&1 < /dev/null
    status=$?
    ended "$name" "$code" && has "$name" "$log" "$words"
}

# rows TABLE: every check of a table; test/commands.txt says how one is written
rows() {
    awk -f test/rows.awk "$1" > "$out/rows"
    while IFS='	' read -r row_what row_first row_second row_third <&3; do
        case $row_what in
        bad) echo "not ok $row_first: expected EXIT COMMAND ;; CLAIM => WORDS" ;;
        do) eval "$row_first" < /dev/null || echo "not ok $1: $row_first" ;;
        run)
            row_code=$row_first
            eval "$row_second" > "$log" 2> "$err" < /dev/null
            status=$?
            ;;
        is)
            ended "$row_first" "$row_code" || continue
            case $row_second in
            '=>') has "$row_first" "$log" "$row_third" ;;
            '2>') has "$row_first" "$err" "$row_third" ;;
            '::') holds "$row_first" eval "$row_third" ;;
            *) echo "ok $row_first" ;;
            esac
            ;;
        esac
    done 3< "$out/rows"
}

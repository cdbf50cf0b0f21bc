# Checks of the program from outside, for the scripts that test it: `. test/expect.sh` behind `out=…`, the folder for what they write.

# expect NAME EXIT_CODE WORDS COMMAND...: exit code, and words somewhere in its output
expect() {
    name=$1 code=$2 words=$3
    shift 3
    "$@" > "$out/log" 2>&1 < /dev/null
    status=$?
    if [ $status -ne "$code" ]; then
        echo "not ok $name: exit code $status, expected $code: $(head -n 3 "$out/log")"
    elif [ -n "$words" ] && ! grep -qF -- "$words" "$out/log"; then
        echo "not ok $name: '$words' not in: $(head -n 5 "$out/log")"
    else
        echo "ok $name"
    fi
}
# holds NAME COMMAND...: a condition; the log of the last `expect` is left for it to look at
holds() {
    name=$1
    shift
    if "$@" > "$out/held" 2>&1; then echo "ok $name"; else echo "not ok $name: $(head -n 3 "$out/held")"; fi
}

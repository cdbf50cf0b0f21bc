#!/bin/sh
# Every scenario runs and meets its expectations, with steps that are short enough for its robots, and gives the same bits: for
# -O0 and -O2, gcc and clang, sampled or not, in real time or not, for any number of threads. test/golden_hashes.txt holds the
# hashes of the last deliberate change; a change of physics or solver rewrites it: sh test/run_hashes.sh --update PROGRAM
# A scenario that MuJoCo moves has a hash for each kind of machine (aarch64=…,x86_64=…): its library is not ours. --update
# leaves those of other kinds alone. On a kind that has none, a run that is sampled has the hash of one that is not: so on
# x86_64, where the C library's sine has other last digits on processors with fused multiplication.
# With IB_SHORT=1, without those of test/long_scenarios.txt: for `make quick`. With IB_EVERY=N, every Nth scenario alone: for a slow
# build beside others that run all of them.
[ "$1" = --update ] && programs=$(($# - 1)) || programs=$#
[ $programs -gt 0 ] || { echo "usage: sh test/run_hashes.sh [--update] build/release/ironbird" >&2; exit 2; }
cd "$(dirname "$0")/.." || exit 1
out=${IB_SCRATCH:-build/test-output/hashes}
mkdir -p "$out"
golden=test/golden_hashes.txt
hash_in() { sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' "$@"; }
hash_of() { "$@" --json --quiet 2> /dev/null | hash_in; }

machine=$(uname -m)
by_machine() { "$1" list mjcf "$2" > /dev/null 2>&1; }

if [ "$1" = --update ]; then
    for file in scenarios/*.yaml; do
        hash=$(hash_of "$2" run "$file")
        if by_machine "$2" "$file"; then
            others=$(sed -n "s|^$file ||p" $golden | tr , '\n' | grep = | grep -v "^$machine=")
            hash=$(printf '%s\n' "$machine=$hash" $others | sort | paste -s -d , -)
        fi
        echo "$file $hash"
    done > "$out/golden"
    mv "$out/golden" $golden
    exit 0
fi
same() { # NAME EXPECTED GOT
    if [ -n "$2" ] && [ "$2" = "$3" ]; then echo "ok hash: $1"; else echo "not ok hash: $1: expected $2, got $3"; fi
}
first=$1
for program; do
    while read -r file hash; do
        case $hash in *=*)
            hash=$(echo "$hash" | tr , '\n' | sed -n "s/^$machine=//p")
            [ -n "$hash" ] || ! grep -qx "$file" test/long_scenarios.txt || hash=once # short ones show it
            hash=${hash:-$(hash_of "$program" run "$file" --at '0.0123456 s')} ;;
        esac
        if "$program" run "$file" --json > "$out/json" 2> "$out/said"; then echo "ok $file with $program"; else
            echo "not ok $file with $program"
            "$program" run "$file" 2>&1 | tail -n 20
        fi
        if grep "moves too fast for a step" "$out/said"; then echo "not ok $file: a step that is fine is called too long"; fi
        [ "$hash" = once ] || same "$file with $program" "$hash" "$(hash_in "$out/json")"
    done <<END
$(if [ -n "${IB_SHORT:-}" ]; then grep -vwFf test/long_scenarios.txt $golden; else cat $golden; fi | awk -v n="${IB_EVERY:-1}" 'NR % n == 0')
END
done
for file in scenarios/*.yaml; do
    grep -q "^$file " $golden || echo "not ok hash: $file is missing in $golden"
done
file=scenarios/roomba_straight.yaml
hash=$(sed -n "s|^$file ||p" $golden)
same "sampled" "$hash" "$(hash_of "$first" run $file --at '0.1234567 s,1 s')"
same "recorded" "$hash" "$(hash_of "$first" run $file --csv "$out/h.csv" --log "$out/h.wpilog")"
same "in real time" "$hash" "$(hash_of "$first" run $file --realtime)"
one=$("$first" sweep scenarios/roomba_noise.yaml --seeds 0..19 --jobs 1 --json --all --quiet | sha256sum)
for jobs in 2 3 8; do
    same "sweep with $jobs jobs" "$one" "$("$first" sweep scenarios/roomba_noise.yaml --seeds 0..19 --jobs $jobs --json --all --quiet | sha256sum)"
done
# A robot on legs: memory of MuJoCo's belongs to a thread's simulation, and runs of a sweep come to it in any order.
legged() # JOBS: one hash of a sweep of nine runs, what it prints and its table; empty where it did not make nine different ones
{
    rm -f "$out/legs.csv"
    "$first" sweep scenarios/quadruped_mixed.yaml --duration '0.3 s' --set expect=[] --set 'inputs.legs.goal.height=[[0 s, 0.3191 m], [0.3 s, 0.31 m]]' \
        --over robot.thorax.mass='6 kg,7 kg,8 kg' --over control.legs.beta.kp='30 V/rad,40 V/rad,50 V/rad' --jobs "$1" --csv "$out/legs.csv" --json --all --quiet \
        > "$out/legs.json" 2> /dev/null
    [ "$(tail -n +2 "$out/legs.csv" | sort -u | wc -l)" = 9 ] && cat "$out/legs.csv" "$out/legs.json" | sha256sum
}
one=$(legged 1)
for jobs in 2 3; do same "sweep of legs with $jobs jobs" "$one" "$(legged $jobs)"; done

#!/bin/sh
# The jobs of `make soak`, as test/run.sh has them: what takes minutes or hours. Long fuzzing, mutated files, kills at random moments,
# many seeds on many threads, the bits of other builds; `sh test/soak.sh alone` are those that measure time and want the machine to
# themselves: many viewers.
# MINUTES (default 5) is the time for each fuzz target; SEED is for other inputs of them, other files, keys, models and moments.
cd "$(dirname "$0")/.." || exit 1
program=build/release/ironbird
first=100000 # beyond what the test run has

if [ "${1:-}" = alone ]; then
    echo "load load sh test/run_load.sh $program" # 32 viewers at 60 Hz, one of them stalled: the 1 kHz loop keeps its time
    exit
fi
# The thread sanitizer; the plug-ins of `link` by themselves: what they leave behind them (test/run.sh) is in nobody's way.
echo "threads tsan sh test/run_units.sh build/tsan/test/every $(grep -vx link build/tsan/test/runners.txt | tr '\n' ' ')"
echo "threads tsan-link sh test/run_units.sh build/tsan/test/every link"
for target in build/asan/fuzz/fuzz_*; do echo "fuzz $(basename "$target") sh test/run_fuzz.sh $((${MINUTES:-5} * 60)) $target"; done
# 10 000 mutated files of every kind through every command that reads them, every listed key at the ends of its range, 12 000 odd
# models of robots: ten seconds of processor time and 1 GiB each.
for part in 0 1 2 3; do echo "trials mutated-$part sh test/run_trials.sh 1 mutated=$((first + 2500 * part)):2500 keys=$((first + 2500 * part)):2500"; done
echo "trials keys sh test/run_trials.sh 1 keys=0:all"
echo "trials odd sh test/run_trials.sh 1 odd=0:12000"
echo "sanitized scenarios-asan sh test/run_many.sh build/asan/run_many all"
# Random unit tests with other numbers, today's among them.
for seed in 1 2 3 $(date +%Y%m%d); do
    for folder in $(tr "\n" " " < build/release/test/runners.txt); do echo "seeds $folder-$seed env SEED=$seed sh test/run_units.sh build/release/test/$folder"; done
done
# 10 000 shots at walls, slides and squeezes, 100 000 piles, 4000 tanks, 10 000 rigs, 400 logs in each of 15 situations.
echo "chance shots-sim env IB_SHOTS=10000 sh test/run_units.sh build/release/test/sim shots"
echo "chance shots-world env IB_SHOTS=10000 sh test/run_units.sh build/release/test/world shots"
echo "chance slides env IB_SLIDES=10000 sh test/run_units.sh build/release/test/sim squeeze"
echo "chance tanks env IB_TANKS=4000 sh test/run_units.sh build/release/test/robot tank_work"
echo "chance fit env IB_SEEDS=400 sh test/run_units.sh build/release/test/design fit_coverage"
for from in $(seq 0 5000 95000); do echo "chance piles-$from env IB_FIRST=$from IB_PILES=5000 sh test/run_units.sh build/release/test/sim piles"; done
for from in $(seq 0 2000 8000); do echo "chance rigs-$from env IB_FIRST=$from IB_RIGS=2000 sh test/run_units.sh build/release/test/robot cylinder_rig_chance"; done
for build in $(sh test/run_bits.sh --list); do echo "bits $build sh test/run_bits.sh $build"; done
echo "runs routes env IB_ROUTE_SEEDS=1..50 sh test/run_routes.sh $program"
echo "runs kills sh test/run_kills.sh $program 200"
echo "runs sweep-kills sh test/run_sweeps.sh $program 50"

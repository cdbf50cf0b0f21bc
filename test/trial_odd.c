// test/trial_odd.c: odd models of robots (test/odd_models.h), read and moved in this process: a
// child a model would take longer than the models. The number of each is printed before it is
// tried, so that the last one is known where it ends the process.
#include "odd_models.h"
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t count_models(const Bench *bench)
{
    (void)bench;
    return IB_ODD_ALL;
}

static bool try_model(Bench *bench, uint64_t number)
{
    char wrong[1200];
    Tally *tally = bench_tally(bench, "odd", "models");
    printf("# odd model %" PRIu64 "\n", number);
    fflush(stdout);
    tally->cases++;
    if (ib_odd_model_try(number, wrong, sizeof wrong)) return true;
    tally->findings++;
    printf("not ok odd model %" PRIu64 ": %s\n", number, wrong);
    return true;
}

const Trial odd_trial = {"odd", count_models, try_model};

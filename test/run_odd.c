// Odd models of robots (test/odd_models.h) through reader and steps, sanitized, in one process:
// run_odd FIRST COUNT. The number of each is printed before it is tried: the last one stands where
// it ends the process.
#include "odd_models.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char wrong[1200];
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : IB_ODD_SAMPLE;
    int failed = 0;
    for (uint64_t number = first; number < first + count; number++) {
        printf("model %" PRIu64 "\n", number);
        fflush(stdout);
        if (ib_odd_model_try(number, wrong, sizeof wrong)) continue;
        printf("not ok model %" PRIu64 ": %s\n", number, wrong);
        failed++;
    }
    if (!failed) printf("ok %" PRIu64 " odd models from %" PRIu64 " on\n", count, first);
    return failed > 0;
}

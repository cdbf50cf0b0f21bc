// test/fuzz/budget.c: every fuzz target watches the time that an input takes. CMake calls the
// target's own function ib_fuzz_input, and this one is what the fuzzer finds.
//
// Ten seconds of this process's own time, not of the clock on the wall: a busy machine changes
// nothing. What is linear in its input needs milliseconds for what the fuzzer tries.
#include "base/status.h"

#include <stdint.h>
#include <time.h>

int ib_fuzz_input(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_SECONDS = 10 };

static double spent(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double start = spent();
    int code = ib_fuzz_input(data, size);
    double seconds = spent() - start;
    if (seconds > MOST_SECONDS)
        ib__assert_failed_say(__FILE__, __LINE__, "an input of %zu bytes took %.1f s", size,
                              seconds);
    return code;
}

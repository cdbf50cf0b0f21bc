// test/desk/trial_rig.h: a design of a test's own, tried undisturbed.
#ifndef IB_TEST_TRIAL_RIG_H
#define IB_TEST_TRIAL_RIG_H

#include "desk/desk_rig.h"
#include "desk/trial/trial_pair.h"

static ib_TrialPair trials; ///< of the last design
static ib_Error error;

static inline ib_DesignFile *try_quietly(const char *text)
{
    ib_DesignFile *file = rig_design(text);
    if (ib_trial_pair_quiet(file, 0, &rig_arena, &trials, &error) != IB_OK)
        fail_msg("%s", error.text);
    return file;
}

#endif

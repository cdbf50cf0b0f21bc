#include "desk/trial/trial_table.h"

#include <math.h>
#include <string.h>

enum { ALL = IB_TOLD_FILE | IB_TOLD_TRIAL | IB_TOLD_PAGE };

// clang-format off
const ib_Fact ib_way_facts[] = {
    {"start", IB_TOLD_FILE | IB_TOLD_TRIAL, offsetof(ib_DesignWay, start), "from"},
    {"goal", IB_TOLD_FILE | IB_TOLD_TRIAL, offsetof(ib_DesignWay, goal), "to"},
    {"rise", ALL, offsetof(ib_DesignWay, facts.quiet.rise),
     "rise time (10 to 90 %)", .unit = "s", .otherwise = "never"},
    {"overshoot", ALL, offsetof(ib_DesignWay, facts.quiet.overshoot),
     "overshoot", .unit = "%", .scale = 100},
    {"settling", ALL, offsetof(ib_DesignWay, facts.quiet.settling),
     "settled (2 %) after", .unit = "s", .otherwise = "not yet"},
    {"error", ALL, offsetof(ib_DesignWay, facts.quiet.error), "error at the end"},
    {"peak", ALL, offsetof(ib_DesignWay, facts.quiet.peak)},
    {"noise", IB_TOLD_FILE, offsetof(ib_DesignWay, facts.noise),
     "the noise moves it by (1 sigma)", "the noise moves it by (1 σ)", .otherwise = "no noise"},
    {"push", IB_TOLD_FILE, offsetof(ib_DesignWay, facts.push), "the push moves it by"},
    {"left", IB_TOLD_FILE, offsetof(ib_DesignWay, facts.left), "and leaves"},
    {0},
};

const ib_Fact ib_effort_facts[] = {
    {"low", ALL, offsetof(ib_TrialEffort, low)},
    {"high", ALL, offsetof(ib_TrialEffort, high)},
    {"smallest", IB_TOLD_FILE | IB_TOLD_TRIAL, offsetof(ib_TrialEffort, smallest), "smallest"},
    {"largest", IB_TOLD_FILE | IB_TOLD_TRIAL, offsetof(ib_TrialEffort, largest), "largest"},
    {"saturated", ALL, offsetof(ib_TrialEffort, saturated),
     "at a limit, share of the time", "at a limit", "%", 100},
    {"peak", IB_TOLD_PAGE, offsetof(ib_TrialEffort, peak)},
    {0},
};

const ib_Fact ib_use_facts[] = {
    {"current", ALL, offsetof(ib_TrialUse, current), "current of a motor, at most", .unit = "A"},
    {"current_limit", ALL, offsetof(ib_TrialUse, current_limit), "its limit", .unit = "A"},
    {"limited", ALL, offsetof(ib_TrialUse, limited),
     "at that limit, share of the time", .unit = "%", .scale = 100},
    {"supply", ALL, offsetof(ib_TrialUse, supply), "drawn from the battery, at most", .unit = "A"},
    {"lowest_voltage", ALL, offsetof(ib_TrialUse, lowest), "battery, at least", .unit = "V"},
    {"stopped", ALL, offsetof(ib_TrialUse, stopped),
     "at a stop, share of the time", .unit = "%", .scale = 100},
    {0},
};
// clang-format on

ib_DesignWay ib_design_way(const ib_TrialPair *trials, int state)
{
    ib_DesignWay way = {.start = trials->trial.start[state], .goal = trials->trial.goal[state]};
    if (trials->disturbed.count)
        way.facts = ib_trial_pair_facts(trials, state);
    else
        way.facts.quiet = ib_trial_pair_response(trials, state);
    return way;
}

bool ib_design_use_given(const ib_TrialUse *use, const ib_Fact *fact)
{
    // Without a limit there is no share of the time at it.
    bool idle = isinf(use->current_limit) && strcmp(fact->key, "limited") == 0;
    return !isnan(use->current) && isfinite(ib_fact_value(fact, use)) && !idle;
}

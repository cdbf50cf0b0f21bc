// desk/trial/trial_pair_json.h: the trials of a design as JSON: facts and curves.
#ifndef IB_DESK_TRIAL_TRIAL_PAIR_JSON_H
#define IB_DESK_TRIAL_TRIAL_PAIR_JSON_H

#include "base/json.h"
#include "desk/design/design_changes.h"
#include "desk/trial/trial_pair.h"

enum { IB_TRIAL_CURVE_POINTS = 1000 }; ///< of a curve, at most

// One object: `states` (name, unit, start, goal, rise, overshoot, settling, error, peak, noise,
// push, left), `inputs` (name, unit, low, high, smallest, largest, saturated), `push`, `push_at`,
// `duration`, `ended`, and the curves `t`, `x`, `estimate`, `u` undisturbed and the same
// in `disturbed`.
void ib_trial_pair_json(ib_Json *json, const char *key, const ib_TrialPair *trials);

// `changes`, and `before` (or null) and `after` of the first gear; with several, of each in
// `gears`. Both have a loop.
void ib_design_changes_json(ib_Json *json, const char *key, const ib_DesignChanges *changes,
                            const ib_DesignFile *before, const ib_DesignFile *after);

// The load of a trial on the robot, and its events.
void ib_trial_use_json(ib_Json *json, const char *key, const ib_TrialUse *use);

// The undisturbed trial of each gear in numbers, without its curves.
void ib_trial_summary_json(ib_Json *json, const char *key, const ib_DesignFile *design);

#endif

// study/recording.h: the facts in a recording about its run, besides the signals. They let it be
// shown (ironbird serve --log) and replayed (ironbird replay) from the file alone.
#ifndef IB_STUDY_RECORDING_H
#define IB_STUDY_RECORDING_H

#include "record/log.h"
#include "scenario/scenario.h"

enum { IB_RECORDING_FACTS = 8 };

// Title, scenario and the overrides of the command line, a hash of its files, and the geometry.
// Returns the number of facts, or -1 without memory.
int ib_recording_facts(const ib_Scenario *scenario, const ib_ScenarioOptions *options,
                       ib_Arena *arena, ib_LogFact facts[IB_RECORDING_FACTS]);

// The hash of all files of a scenario and of the program's version: 16 digits.
const char *ib_recording_fingerprint(const ib_Scenario *scenario, ib_Arena *arena);

// The text of a fact, or NULL.
const char *ib_recording_fact(const ib_Log *log, const char *key);

// The overrides of a recording in front of those of the command line, which win.
ib_Status ib_recording_overrides(const ib_Log *log, ib_Arena *arena, ib_Override *overrides,
                                 int most, int *count, ib_Error *error);

#endif

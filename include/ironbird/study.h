// ironbird/study.h: everything public of src/study.
#ifndef IRONBIRD_STUDY_H
#define IRONBIRD_STUDY_H

#include "study/fit_signals.h"
#include "study/fit_table.h"
#include "study/recording.h"
#include "study/replay.h"
#include "study/session.h"
#include "study/sweep/sweep.h"
#include "study/sweep/sweep_best.h"
#include "study/sweep/sweep_journal.h"
#include "study/sweep/sweep_points.h"
#include "study/sweep/sweep_row.h"
#include "study/sweep/sweep_totals.h"
#include "study/warnings.h"

#endif

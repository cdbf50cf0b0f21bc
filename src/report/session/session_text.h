// report/session/session_text.h: the result of a run, for people and as JSON.
#ifndef IB_REPORT_SESSION_SESSION_TEXT_H
#define IB_REPORT_SESSION_SESSION_TEXT_H

#include "base/json.h"
#include "report/paint.h"
#include "study/session.h"

// The requested signals.
typedef struct ib_SessionRows {
    const char *const *patterns; ///< each "pose.*,battery.*"; none: the headlines
    int pattern_count;
    bool all;
} ib_SessionRows;

// Marks the signals to show. A pattern that matches nothing is refused, with the nearest name.
ib_Status ib_session_rows(const ib_SessionRows *wanted, const ib_SignalTable *table,
                          ib_Arena *arena, bool **rows, ib_Error *error);

// Prints for people: verdicts first, then the marked signals in four digits and common units.
// `all`: all facts and steps.
void ib_session_text(const ib_Session *session, const bool *rows, bool all, FILE *file);

// Prints for programs: the marked signals (NULL: every one) in 17 digits, SI.
void ib_session_json(const ib_Session *session, const bool *rows, FILE *file);

// Parts of these: final, smallest and largest value with their times, then a block for each time of
// `--at`; the steps of routines as a table, and as the entry "steps" of loop number `control`.
void ib__session_rows_text(const ib_Session *session, const bool *rows, ib_Paint paint, FILE *file);
void ib__session_steps_text(const ib_Session *session, bool all, ib_Paint paint, FILE *file);
void ib__session_steps_json(const ib_Session *session, int control, ib_Json *json);

#endif

// scenario/sentence.h: the words that expectations and measures have in common. Internal.
#ifndef IB_SCENARIO_SENTENCE_H
#define IB_SCENARIO_SENTENCE_H

#include "scenario/expectation.h"

enum { IB__WORD = 128 }; ///< bytes of a word with its NUL

// Copies text up to `end` without the white space around it. False when it does not fit.
bool ib__sentence_take(const char *begin, const char *end, char *word, size_t size);

// A time within a run: "2 s".
ib_Status ib__sentence_time(const char *text, ib_Time *time, ib_Error *error);

// The relation sign, and where the text after it begins; NULL: there is none.
const char *ib__sentence_relation(const char *text, const char **after, ib_Relation *relation);

// The index of a signal. `arena` has room for the nearest name of the message.
ib_Status ib__sentence_signal(const char *name, const ib_SignalTable *signals, ib_Arena *arena,
                              int *index, ib_Error *error);

#endif

// ironbird/record.h: everything public of src/record.
#ifndef IRONBIRD_RECORD_H
#define IRONBIRD_RECORD_H

#include "record/csv.h"
#include "record/journal.h"
#include "record/log.h"
#include "record/recorder.h"
#include "record/tape.h"
#include "record/wpilog.h"

#endif

// ironbird/study.h: everything public of src/study.
#ifndef IRONBIRD_STUDY_H
#define IRONBIRD_STUDY_H

#include "study/sweep.h"

#endif

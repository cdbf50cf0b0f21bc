// record/packer.h: rows and messages as the bytes of a file, in each format.
#ifndef IB_RECORD_PACKER_H
#define IB_RECORD_PACKER_H

#include "record/wpilog.h"

typedef struct ib_Packer {
    ib_LogFormat format;
    ib_WpilogLayout layout; ///< CSV uses its columns only
} ib_Packer;

void ib__packer_begin(const ib_Packer *packer, const ib_LogFact *facts, int fact_count,
                      ib_Bytes *bytes);
void ib__packer_row(const ib_Packer *packer, ib_Time time, const double *values,
                    const bool *present, ib_Bytes *bytes);
void ib__packer_message(const ib_Packer *packer, ib_Time time, int source, ib_LogLevel level,
                        const char *text, ib_Bytes *bytes);

// Largest size of a row in bytes.
size_t ib__packer_row_limit(const ib_Packer *packer);

// The robots among the columns: every x of a pose with its y and heading. Returns their number, or
// -1 without memory.
int ib__poses_find(const ib_SignalDef *columns, int count, ib_Arena *arena, ib_PosePlaces **poses);

#endif

// study/sweep/sweep_rows.h: the runs of a sweep, each as soon as it is finished: a row of a CSV
// file, and an object of the JSON on stdout.
#ifndef IB_STUDY_SWEEP_SWEEP_ROWS_H
#define IB_STUDY_SWEEP_SWEEP_ROWS_H

#include "base/json.h"
#include "study/sweep/sweep_best.h"
#include "study/sweep/sweep_totals.h"

#include <signal.h>

// A CSV file on its way to the disk, some rows at once.
typedef struct ib_SweepCsv {
    const char *path;
    const ib_Sweep *sweep;
    const volatile sig_atomic_t *stop; ///< ends the wait for the reader of a pipe
    int fd;
    ib_Bytes bytes; ///< not written
    int64_t *ends;  ///< of the rows in `bytes`
    int end_count;
    int64_t whole; ///< rows in the file
    int failure;   ///< errno, 0: none
} ib_SweepCsv;

ib_Status ib_sweep_csv_open(ib_SweepCsv *csv, const char *path, const ib_Sweep *sweep,
                            const volatile sig_atomic_t *stop, ib_Error *error);
void ib_sweep_csv_row(ib_SweepCsv *csv, int64_t index, const ib_SweepResult *result);
bool ib_sweep_csv_write(ib_SweepCsv *csv); ///< writes the rows so far; false: failed

// Ends the file after the last row. The error of a failed write names the complete rows.
ib_Status ib_sweep_csv_close(ib_SweepCsv *csv, ib_Error *error);

// {"scenario":…,"count":…,"runs":[ , the runs, ],"done":…,"failed":…,"expect":…,"statistics":…, the
// best, which the caller adds if it was asked for, and the closing bracket.
void ib_sweep_json_begin(ib_Json *json, const ib_Sweep *sweep);
void ib_sweep_json_row(ib_Json *json, const ib_Sweep *sweep, int64_t index,
                       const ib_SweepResult *result);
void ib_sweep_json_end(ib_Json *json, const ib_Sweep *sweep, const ib_SweepTotals *totals);

// "best": the best point; null: none is allowed (`best` NULL: it could not be found).
void ib_sweep_json_best(ib_Json *json, const ib_Sweep *sweep, const ib_SweepPoints *points,
                        const ib_SweepBest *best);

#endif

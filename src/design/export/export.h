// design/export/export.h: writes a loop as plain C99 for a microcontroller. docs/design/export.md
// The code needs no heap, no library and no header.
//
// Four files: <name>.h and <name>.c, the controller with its gains and sizes as constants and the
// arithmetic of control/loop.h; <name>_plugin.c, which runs it in the simulation by
// include/ironbird/plugin.h; <name>_test.c replays a recorded run against it. As double the
// replay agrees to the last bit; as float within a bound that is computed here, by running the loop
// in float, and written into the test. A replay has no plant: with an unstable controller rounding
// errors grow without limit, so its trace is shortened.
#ifndef IB_DESIGN_EXPORT_H
#define IB_DESIGN_EXPORT_H

#include "control/loop.h"

#include <stdio.h>

typedef struct ib_ExportOptions {
    bool single;                  ///< float instead of double: small boards, AVR
    char name[IB_STATE_NAME + 1]; ///< of files, and in front of all names; "": the loop's
} ib_ExportOptions;

// Inputs and outputs of a loop, one row for each period; the caller's memory.
typedef struct ib_ExportTrace {
    int steps;             ///< > 0
    const double *start;   ///< x^ before the first period, states; NULL: the loop's
    const double *y;       ///< measured: steps x ib_loop_measured
    const double *r;       ///< reference: steps x states
    const double *r_next;  ///< one period later: steps x states; NULL: the next row of r
    const int *gear;       ///< steps; NULL: the first one throughout
    const double *applied; ///< actual input of the plant: steps x inputs; NULL: u
    const double *u;       ///< output of the loop: steps x inputs
    const double *x;       ///< x^ after the period: steps x states
    int recorded;          ///< periods before shortening; 0: not shortened
} ib_ExportTrace;

// The largest deviation allowed in a replay.
typedef struct ib_ExportBound {
    double u, x;                 ///< of any input, of any state; infinite: float diverges
    double largest_u, largest_x; ///< sizes in the trace
} ib_ExportBound;

// All files of a loop, with their places in the folder: only those of the loop itself are in src/,
// so that the folder is a library of the Arduino IDE and of PlatformIO.
typedef enum ib_ExportPart {
    IB_EXPORT_HEADER,     ///< src/<name>.h
    IB_EXPORT_SOURCE,     ///< src/<name>.c
    IB_EXPORT_PROPERTIES, ///< library.properties
    IB_EXPORT_MANIFEST,   ///< library.json
    IB_EXPORT_PLUGIN,     ///< extras/<name>_plugin.c
    IB_EXPORT_TEST,       ///< extras/<name>_test.c
    IB_EXPORT_PARTS,
} ib_ExportPart;

// The place of a part of the loop `name`; `path` has `size` bytes. IB_BAD_INPUT: too long.
ib_Status ib_export_path(const char *folder, const char *name, ib_ExportPart part, char *path,
                         size_t size, ib_Error *error);

// Writes all files into `folder`, which exists; `trace` NULL: no test. IB_BAD_INPUT: the loop, a
// number too large for float, a trace that is not finite or that float does not follow for a few
// periods, and no file is written; IB_FAILED: a file cannot be written.
ib_Status ib_export_loop(const ib_Loop *loop, const ib_ExportOptions *options,
                         const ib_ExportTrace *trace, const char *folder, ib_Error *error);

// Write one file each, from a checked loop and trace.
void ib_export_header(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file);
void ib_export_source(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file);
void ib_export_properties(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file);
void ib_export_manifest(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file);
void ib_export_plugin(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file);
void ib_export_test(const ib_Loop *loop, const ib_ExportOptions *options,
                    const ib_ExportTrace *trace, FILE *file);

// The part of the trace that float follows: halved until the bound is at most 1 % of the largest
// input and of the largest state. As double all of it. `steps` 0: less than a few periods.
ib_ExportTrace ib_export_shorten(const ib_Loop *loop, const ib_ExportOptions *options,
                                 const ib_ExportTrace *trace);

// The bound of the loop's deviation in float from the trace, with room for other roundings of a
// board: four times the largest deviation found, and 1e-6 of the largest value.
ib_ExportBound ib_export_bound(const ib_Loop *loop, const ib_ExportTrace *trace);

#endif

// design/export/export_text.h: pieces of C text that the exporter puts together.
// Internal to src/design.
#ifndef IB_DESIGN_EXPORT_TEXT_H
#define IB_DESIGN_EXPORT_TEXT_H

#include "design/export/export.h"

// The export in progress.
typedef struct ib_Export {
    const ib_Loop *loop;
    bool single;
    char name[IB_STATE_NAME + 1];  ///< drive
    char upper[IB_STATE_NAME + 1]; ///< DRIVE
    FILE *file;
} ib_Export;

ib_Export ib__export_start(const ib_Loop *loop, const ib_ExportOptions *options, FILE *file);

// Writes a text with `$` replaced by the name and `@` by the name in capitals.
void ib__export_text(const ib_Export *out, const char *text);

// The shortest decimals that read back as the same number, with a point or an exponent and, for
// float, an f. Infinite and too large values become the largest finite number; not for a NaN.
void ib__export_number(const ib_Export *out, double value);

// The same as a double, also in an export as float: for values that the simulation reads.
void ib__export_double(const ib_Export *out, double value);

// True if a state has a goal. Estimated errors of inputs have none: their reference is always 0.
bool ib__export_is_goal(const ib_Loop *loop, int state);

// {{a, b}, {c, d}} of `groups` x `size` numbers; element k of group g is a[g * outer + k * inner].
// A matrix by rows has outer = columns, inner = 1; by columns outer = 1, inner = columns.
void ib__export_table(const ib_Export *out, int groups, int size, int outer, int inner,
                      const double *a);

// (a[0][i] * v[0] + a[1][i] * v[1] + ...), `count` terms: one row of a product.
void ib__export_product(const ib_Export *out, const char *a, const char *v, int count);

#endif

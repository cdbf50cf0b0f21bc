// desk/design/design_table.h: the results of a design, row by row. docs/design/design.md
// Terminal, report, JSON and the page of `ironbird serve` print this table.
//
// A row has its key in JSON, the designs that have it, the place of its value and its words for
// people. A printer picks rows by their keys, in its order, and keeps the layout. The rows are in
// the order of the JSON.
#ifndef IB_DESK_DESIGN_DESIGN_TABLE_H
#define IB_DESK_DESIGN_DESIGN_TABLE_H

#include "desk/design/design_file.h"
#include "desk/fact.h"

enum { IB_ROW_SAID = 200 }; ///< bytes of a sentence

typedef enum ib_RowForm {
    IB_ROW_NUMBER,     ///< double
    IB_ROW_FLAG,       ///< bool
    IB_ROW_TEXT,       ///< char[]; "": none
    IB_ROW_NAME,       ///< const char *; NULL: none
    IB_ROW_NAMES,      ///< those of the axis `rows`
    IB_ROW_VECTOR,     ///< double[rows]
    IB_ROW_MATRIX,     ///< double[rows * columns]
    IB_ROW_COVARIANCE, ///< the same; people read the standard deviations
    IB_ROW_POLES,      ///< ib_Complex[rows]: ib_pole_facts
    IB_ROW_MARGINS,    ///< ib_Margin[rows]: ib_margin_facts
    IB_ROW_OBJECT,     ///< made of `parts`
} ib_RowForm;

// The meaning of a vector's elements, or of a matrix' rows and columns.
typedef enum ib_DesignAxis {
    IB_AXIS_NONE,
    IB_AXIS_STATES,
    IB_AXIS_INPUTS,
    IB_AXIS_OUTPUTS,
    IB_AXIS_ESTIMATES, ///< states of the estimator: the plant's, then the input errors
    IB_AXIS_INTEGRALS, ///< named after the integrated states
    IB_AXIS_POLES,     ///< as designed; nameless, as are the following
    IB_AXIS_DELAYED,   ///< poles with the latency
    IB_AXIS_ZEROS,     ///< of the plant
    IB_AXIS_POLYTOPE,  ///< coordinates of the wanted point
} ib_DesignAxis;

// The words of a row for people, for designs with the needed parts.
typedef struct ib_RowWords {
    unsigned needs;    ///< as for a row
    const char *title; ///< above it on a terminal; NULL: none
    const char *label; ///< beside it in a table of the report
} ib_RowWords;

typedef struct ib_DesignRow {
    const char *key; ///< in JSON; NULL: the end of the table
    ib_RowForm form;
    unsigned needs; ///< needed parts of a design, bits of design_table.c; 0: none
    size_t at;      ///< of the value in ib_DesignGear
    ib_DesignAxis rows, columns;
    ib_RowWords words[3]; ///< the first one whose needs are met counts
    const char *law;      ///< the term of a gain: "u = K (goal - state)", " - G z"
    const char *letters;  ///< ", z the integral of …": letters of the law
    void (*say)(const ib_DesignGear *gear, char text[IB_ROW_SAID]); ///< as a sentence
    const struct ib_DesignRow *parts;                               ///< of an object
} ib_DesignRow;

extern const ib_DesignRow ib_design_rows[];

const ib_DesignRow *ib_design_row(const char *key); ///< the key exists
bool ib_design_row_given(const ib_DesignGear *gear, const ib_DesignRow *row);
const void *ib_design_row_value(const ib_DesignGear *gear, const ib_DesignRow *row);
const ib_RowWords *ib_design_row_words(const ib_DesignGear *gear, const ib_DesignRow *row);

// The row in words, in `memory` or static: "" for none, NULL for a row without words.
const char *ib_design_row_say(const ib_DesignGear *gear, const ib_DesignRow *row,
                              char memory[IB_ROW_SAID]);

// The elements of an axis.
typedef struct ib_DesignSide {
    int count;
    const char *name[IB_STATES_MAX];     ///< NULL: nameless
    const char *unit[IB_STATES_MAX];     ///< SI; NULL: not known
    const char *sentence[IB_STATES_MAX]; ///< description; NULL: none
} ib_DesignSide;

ib_DesignSide ib_design_side(const ib_DesignGear *gear, ib_DesignAxis axis);

// States, inputs and outputs of a plant, in this order.
enum { IB_DESIGN_PORTS = 3 };
typedef struct ib_DesignPort {
    ib_DesignAxis axis;
    const char *kind, *key, *units_key; ///< "state", "states", "state_units"
} ib_DesignPort;

extern const ib_DesignPort ib_design_ports[IB_DESIGN_PORTS];

// A pole with its dynamics: design/analysis/analysis.h.
typedef struct ib_DesignPole {
    double re, im; ///< of z
    double hertz;  ///< the frequency in Hz
    ib_PoleShape shape;
} ib_DesignPole;

extern const ib_Fact ib_pole_facts[];   ///< of ib_DesignPole
extern const ib_Fact ib_margin_facts[]; ///< of ib_Margin

ib_DesignPole ib_design_pole(const ib_DesignGear *gear, const ib_DesignRow *row, int index);

// True if the plant was linearised about a point other than zero.
bool ib_design_point_given(const ib_DesignGear *gear);

// The i-th standard deviation of a covariance.
double ib_design_deviation(const ib_DesignGear *gear, const ib_DesignRow *row, int i);

#endif

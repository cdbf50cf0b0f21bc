// base/schema.h: what may be written in a file, declared once.
//
// A robot lists its parameters in one table: key, unit, default, range, one sentence, and whether
// it may change while running. Reading a scenario, --set, `ironbird list`, the docs, the report and
// every error message come from that table. The value lands in a field of the robot's config
// struct, in SI.
#ifndef IB_BASE_SCHEMA_H
#define IB_BASE_SCHEMA_H

#include "base/status.h"
#include "base/word.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ib_ParamType {
    IB_PARAM_NUMBER, ///< a physical value with its unit, or a pure number where unit is "1" ->
                     ///< double
    IB_PARAM_COUNT,  ///< a whole number -> int
    IB_PARAM_CHOICE, ///< one of `choices` -> int, the index
    IB_PARAM_FLAG,   ///< true or false -> bool
} ib_ParamType;

typedef struct ib_Param {
    const char *key; ///< dotted: a dot is a nested map in the file
    ib_ParamType type;
    const char *unit; ///< the SI unit it is kept in, which also fixes the dimension; "1": none
    const char
        *fallback;   ///< the default as a person would write it ("2.7 kg"); NULL: must be given
    double min, max; ///< allowed range in SI, ends included
    const char *const *choices; ///< NULL-terminated words, for IB_PARAM_CHOICE
    size_t offset;              ///< of the field in the config struct
    bool live;                  ///< may change while running
    const char *sentence;       ///< what it is, for a person
} ib_Param;

typedef struct ib_Schema {
    const ib_Param *params;
    int count;
} ib_Schema;

// Writes every default into `config` (fields without a default stay as they are).
ib_Status ib_schema_default(const ib_Schema *schema, void *config, ib_Error *error);

// Reads one value as text ("120 lb", "corrected", "3", "true") into its field, with unit and range
// checked. The error says what was wrong with the value and what was expected.
ib_Status ib_schema_set(const ib_Param *param, const char *text, void *config, ib_Error *error);

// Stores a number already in SI, with the range checked. For numbers and counts.
ib_Status ib_schema_set_number(const ib_Param *param, double value, void *config, ib_Error *error);

// The same for a number that was read from `text`, which the error quotes.
ib_Status ib_schema_set_read(const ib_Param *param, double value, const char *text, void *config,
                             ib_Error *error);

// Prints the value of one parameter as a person would write it, in SI ("2.7 kg").
void ib_schema_format(const ib_Param *param, const void *config, char *text, size_t size);

// Prints what a parameter accepts: "a mass, 0.001 kg to 1000 kg" or "one of corrected, published".
void ib_schema_expected(const ib_Param *param, char *text, size_t size);

// The parameter with this key, or NULL.
const ib_Param *ib_schema_find(const ib_Schema *schema, const char *key);

#endif

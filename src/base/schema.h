// base/schema.h: the parameters of a file, declared once.
//
// A robot lists its parameters in one table: key, unit, default, range, one sentence, and whether
// it may change while running. Reading a scenario, --set, `ironbird list`, the docs, the report and
// every error message come from that table. The value lands in a field of the robot's config
// struct, in SI.
#ifndef IB_BASE_SCHEMA_H
#define IB_BASE_SCHEMA_H

#include "base/status.h"
#include "base/table.h"
#include "base/word.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ib_ParamType {
    IB_PARAM_NUMBER, ///< a physical value with its unit, or a pure number (unit "1") -> double;
                     ///< `detail`: NULL-terminated keys that exclude each other in a file;
                     ///< NULL: none
    IB_PARAM_COUNT,  ///< a whole number -> int
    IB_PARAM_CHOICE, ///< one of the words in `detail` -> int, the index
    IB_PARAM_FLAG,   ///< true or false -> bool
    IB_PARAM_LIMIT,  ///< a number as above, or `off` -> double, +infinity; `detail`: another word
                     ///< for `off`, NULL: none
    IB_PARAM_PAIR,   ///< [low, high], both with units, low < high -> double[2]
    IB_PARAM_SPAN,   ///< a pair as above, or `off` -> double[2], -infinity and +infinity
    IB_PARAM_TABLE, ///< [[x, y], …] or [[x, y, z], …], x growing -> ib_Table; `detail`: ib_TableDef
    IB_PARAM_PRESET, ///< `off`, a name from a data file, or a map of the keys below this one
                     ///< ("breaker" of "breaker.rating") -> int: 0 off, 1 on; `detail`:
                     ///< ib_PresetDef. Precedes the keys below it
    IB_PARAM_NAMED,  ///< {arm: {…}, claw: {…}}, or a list of maps -> int, their count;
                     ///< `detail`: ib_NamedDef
    IB_PARAM_WORDS,  ///< names of other things: one, or a list of them -> ib_Words
    IB_PARAM_FILE,   ///< the name of another file, relative to this one -> ib_FileText; `detail`:
                     ///< its kind, "an MJCF or URDF file". A refusal with a place ("model: 12:7:
                     ///< …") refers to that file
} ib_ParamType;

enum { IB_WORDS_MAX = 32 };

typedef struct ib_Words {
    int count;
    const char *items[IB_WORDS_MAX]; ///< the file's
} ib_Words;

// A file that was read along with the one that names it.
typedef struct ib_FileText {
    int length;       ///< bytes; 0: no file is named
    const char *name; ///< path to open
    const char *text; ///< with a closing NUL
} ib_FileText;

typedef struct ib_TableDef {
    int columns;          ///< 2 or 3
    const char *units[3]; ///< SI
    int rows;             ///< at least so many rows
} ib_TableDef;

// A remark on the part that the keys below a preset describe, though none of them is wrong: a
// sentence for a warning. An entry of the program's own data gets no remark, unless the user's
// changes increase its amount.
typedef struct ib_RemarkDef {
    const char *const *keys; ///< the keys below that it concerns, NULL behind the last; the field
                             ///< of the first one is the first of the part's struct
    const char *choice;      ///< the key below by which a file acknowledges the remark
    // The amount of the remarkable quantity; 0: no remark. `chosen`: the file has that key.
    double (*make)(const void *part, bool chosen, char *text, size_t size);
} ib_RemarkDef;

typedef struct ib_PresetDef {
    const char *file; ///< data/<file>.yaml, whose entries are maps of the keys below the parameter;
                      ///< NULL: no such file, no names
    bool off;         ///< may be `off`
    const ib_RemarkDef *remark; ///< NULL: no remarks
    const char *own; ///< a map with neither a name nor this key changes the parameter's default;
                     ///< NULL: such a map is a part of its own
} ib_PresetDef;

enum { IB_NAME_LENGTH = 32 }; ///< characters of a name in a file

// The items are structs of `size` bytes, one after the other, the first `offset` bytes behind the
// field that counts them. Each begins with its name: char name[IB_NAME_LENGTH + 1].
typedef struct ib_NamedDef {
    const struct ib_Schema *items; ///< of all items; NULL: each has that of its kind
    size_t offset, size;
    int most;
    const struct ib_KindedDef *kinds; ///< NULL: the items have no kinds
    bool listed; ///< written as a list, [{…}, {…}]: the names are their numbers, from 0 on
    bool single; ///< a list that may also be written as its one item, {…}, whose name is ""
} ib_NamedDef;

// Items that differ in kind: {lift: {kind: elevator, …}, arm: {kind: single_arm, …}}.
typedef struct ib_KindedDef {
    const char *what; ///< "a kind of mechanism"
    // Stores this kind in the item and returns its schema; NULL: no such kind.
    const struct ib_Schema *(*choose)(const char *kind, void *item);
    // The schema of an item whose kind is stored.
    const struct ib_Schema *(*schema)(const void *item);
    const char *(*name)(int index);             ///< of each kind, NULL behind the last
    void (*given)(void *item, const char *key); ///< called for each key in the file
    size_t config;                              ///< offset in the item of the config struct
} ib_KindedDef;

typedef struct ib_Param {
    const char *key; ///< dotted: a dot is a nested map in the file
    ib_ParamType type;
    const char *unit; ///< its SI unit, which also fixes the dimension; "1": none. "delta Pa": a
                      ///< difference, so that 5 psi is accepted and 9 degF is 5 K
    // The default as a person would write it ("2.7 kg"); NULL: required, except a preset (on, with
    // the defaults of its keys), names and words (none). A pair is "95 psig, 115 psig"; a table has
    // commas between its rows, "0 psig 0.9 cfm, 115 psig 0.3 cfm"; "": none.
    const char *fallback;
    double min, max;      ///< allowed range in SI, ends included; of both ends of a pair; of the
                          ///< values of a table, x excepted, where min < max
    const void *detail;   ///< data of the type: NULL-terminated words for IB_PARAM_CHOICE, or the
                          ///< struct in its line of ib_ParamType
    size_t offset;        ///< of the field in the config struct
    bool live;            ///< may change while running
    const char *sentence; ///< description for people
} ib_Param;

// One row of a table, for a field of a config struct.
#define IB_PARAM_ROW(key, type, unit, fallback, min, max, detail, config, field, live, sentence)   \
    {                                                                                              \
        key, type, unit, fallback, min, max, detail, offsetof(config, field), live, sentence       \
    }
// Rows of parameters that are not live: of any type, of a number, of a choice.
#define IB_ROW(key, type, unit, fallback, min, max, detail, config, field, sentence)               \
    IB_PARAM_ROW(key, type, unit, fallback, min, max, detail, config, field, false, sentence)
#define IB_NUMBER_OF(key, unit, fallback, min, max, config, field, sentence)                       \
    IB_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, config, field, sentence)
#define IB_CHOICE_OF(key, fallback, words, config, field, sentence)                                \
    IB_ROW(key, IB_PARAM_CHOICE, "1", fallback, 0, 0, words, config, field, sentence)
// Rows of a number and of a live number, in a file that calls its struct `Config`.
#define IB_NUMBER_ROW(key, unit, fallback, min, max, field, sentence)                              \
    IB_NUMBER_OF(key, unit, fallback, min, max, Config, field, sentence)
#define IB_LIVE_ROW(key, unit, fallback, min, max, field, sentence)                                \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, fallback, min, max, NULL, Config, field, true,        \
                 sentence)

typedef struct ib_Schema {
    const ib_Param *params;
    int count;
    // The key of the parameter that makes `key` ineffective with the other values in `config`, or
    // `key` itself if none would help, as its sentence says. NULL: `key` is effective. NULL instead
    // of a function: all keys always are.
    const char *(*idle)(const void *config, const char *key);
    const char *presets; ///< data/<presets>.yaml, whose entries stand for a whole map of this table
                         ///< with the key `preset`; NULL: none
    bool made;           ///< its rows were made while reading: their memory may hold others later
} ib_Schema;

// The initializer of an ib_Schema: a whole table of rows.
#define IB_SCHEMA(rows)                                                                            \
    {                                                                                              \
        .params = rows, .count = sizeof rows / sizeof rows[0]                                      \
    }

// Writes every default into `config` (fields without a default stay as they are). A preset becomes
// on or off; the entries of data files are not known here (file/catalogue.h).
ib_Status ib_schema_default(const ib_Schema *schema, void *config, ib_Error *error);

// The number of bytes that ib_schema_default writes of a parameter's field; 0: none.
size_t ib_schema_default_size(const ib_Param *param);

// Reads one value as text ("120 lb", "corrected", "3", "true", "off"; pairs and tables as in
// `fallback`) into its field, with unit and range checked. The error names the fault of the value
// and the expected form. Names cannot be read as text.
ib_Status ib_schema_set(const ib_Param *param, const char *text, void *config, ib_Error *error);

// Stores a number already in SI, with the range checked. For numbers, limits and counts.
ib_Status ib_schema_set_number(const ib_Param *param, double value, void *config, ib_Error *error);

// The same for a number that was read from `text`, which the error quotes.
ib_Status ib_schema_set_read(const ib_Param *param, double value, const char *text, void *config,
                             ib_Error *error);

// The word that stands for no limit.
const char *ib_schema_off(const ib_Param *param);

// The unit without a "delta " in front; `difference` is true if it was there. NULL is "1".
const char *ib_schema_unit(const char *unit, bool *difference);

// Prints the value of one parameter as a person would write it, in SI ("2.7 kg"), as ib_schema_set
// reads it; a preset is on or off, names are counted.
void ib_schema_format(const ib_Param *param, const void *config, char *text, size_t size);

// Prints the accepted values of a parameter: "a mass, 0.001 kg to 1000 kg" or "one of
// corrected, published".
void ib_schema_expected(const ib_Param *param, char *text, size_t size);

// Prints a description of a number of this unit and range: "a mass, at least 0 kg".
void ib_schema_describe(const char *unit, double min, double max, char *text, size_t size);

// Checks one value of a pair (column 0 or 1) or of a table against the range and the value before
// it in its pair or column (NULL: the first one). `text` is the input, for the error.
ib_Status ib_schema_check_cell(const ib_Param *param, int column, double value,
                               const double *before, const char *text, ib_Error *error);

// The innermost preset whose keys `key` is one of ("breaker" for "breaker.rating"), or NULL.
const ib_Param *ib_schema_preset(const ib_Schema *schema, const char *key);

// True if a preset is on. A preset below one that is off is off too.
bool ib_schema_preset_is_on(const ib_Param *param, const void *config);

// The key that makes a parameter ineffective with the other values, or NULL.
const char *ib_schema_idle(const ib_Schema *schema, const void *config, const char *key);

// The parameter with this key, or NULL.
const ib_Param *ib_schema_find(const ib_Schema *schema, const char *key);

#endif

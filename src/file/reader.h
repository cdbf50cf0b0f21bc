// file/reader.h: the reader of Ironbird's own files of all kinds: mistakes at their places, values
// with units, keys, schemas and presets.
//
// Every function here reports a mistake at its place and continues: a part that fails leaves a
// stand-in behind, so that the rest of the file is checked in the same pass.
#ifndef IB_FILE_READER_H
#define IB_FILE_READER_H

#include "base/schema.h"
#include "file/catalogue.h"
#include "file/tree_cache.h"

#include <stdint.h>

enum {
    IB_MAX_PRESETS = 8, ///< presets that name each other
    IB_MAX_WORDS = 128, ///< keys known in one map
};

typedef struct ib_Reader {
    const char *file; ///< that is read
    ib_Arena *arena;  ///< of the results
    ib_Diagnostics *diagnostics;
    int before;                  ///< mistakes that were already in the list
    const char *const *top_keys; ///< keys at the root of such a file, NULL-terminated
    uint64_t seed;               ///< of random values
    bool drawn;                  ///< a random value was drawn
    uint64_t draw;               ///< number of earlier draws, which were thrown away
    const ib_DataFile *data;     ///< data files with presets; NULL: the program's own
    ib_TreeCache *trees;         ///< trees parsed before; NULL: everything is parsed
    const char **files;          ///< read so far, NULL-terminated
    int file_count;
} ib_Reader;

// One `--set PATH=YAML`: changes a file before it is read.
typedef struct ib_Override {
    const char *path;   ///< "robot.mass", "inputs.left", "robots.red.start.x", "expect"
    const char *yaml;   ///< "120 lb", "[[0 s, 1 N]]"
    const char *option; ///< that says so, for messages; NULL: --set
} ib_Override;

// True if `path` is the path `inner`, or that of a map or list around it.
bool ib_override_covers(const char *path, const char *inner);

// Splits "PATH=YAML" in place; false without a '=', or with nothing before it.
bool ib_override_split(char *text, ib_Override *override);

// ---------------------------------------------------------------------------------------- the file

// The tree of `text` (NULL: of the file); NULL with the mistake named. A root that is not a map is
// marked `refused` or left to the caller to refuse.
ib_Node *ib_read_tree(ib_Reader *reader, const char *text, size_t length);

// The tree of a YAML file, from the reader's cache if possible. NULL with the mistakes named, or,
// if it cannot be loaded, with the reason in `error`, whose status is IB_OK otherwise.
ib_Node *ib_read_yaml_file(ib_Reader *reader, const char *path, ib_Error *error);

// Applies the overrides to the tree, in their order; their mistakes have the override's place.
void ib_apply_overrides(ib_Reader *reader, ib_Node *root, const ib_Override *overrides, int count);

// Checks `format:`; only 1 exists so far.
void ib_read_format(ib_Reader *reader, const ib_Node *root);

// `title:`, or the name of the file without its folder.
const char *ib_read_title(ib_Reader *reader, const ib_Node *root);

// The text on one line, line ends as spaces.
const char *ib_one_line(ib_Reader *reader, const char *text);

// Adds a file to the list of files read. False: out of memory.
bool ib_add_file(ib_Reader *reader, const char *path);

// The same for the list of another reader; the names are copied. NULL-terminated.
bool ib_add_files(ib_Reader *reader, const char *const *paths);

// A file's name in `node`, relative to the file that has it; NULL without memory.
const char *ib_resolve(ib_Reader *reader, const ib_Node *node);

// Fills `config` as an empty file would: with the schema's defaults, and with the entries of the
// presets among them.
ib_Status ib_read_defaults(const ib_Schema *schema, void *config, ib_Error *error);

// ------------------------------------------------------------------------------------------ values

// Reports a mistake in the value (or the key) of a node: "path: text". The value of a node refused
// before gets no report.
void ib_wrong_value(ib_Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ib_wrong_key(ib_Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// True if the value is one of the program's own data files.
bool ib_is_data(const ib_Reader *reader, const ib_Node *node);

// The same for warnings: the value is used, but perhaps not meant. The program's own data, which
// the user did not write, get no warnings here: `ironbird list` shows them.
void ib_warn_value(ib_Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ib_warn_key(ib_Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// True if `place` is in a robot file or a preset, or if `cause` (NULL: a default) was set in a
// later layer, such as --set. The key at `place` then waits for another choice, and gets
// no warning.
bool ib_key_waits(const ib_Reader *reader, const ib_Place *place, const ib_Node *cause);

// Reports a missing value in the map, unless the map was refused.
void ib_wrong_gap(ib_Reader *reader, const ib_Node *map, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// True when the node is a map (a list); otherwise reports the expected form ("a map with …") and
// the actual one.
bool ib_check_map(ib_Reader *reader, const ib_Node *node, const char *expected);
bool ib_check_list(ib_Reader *reader, const ib_Node *node, const char *expected);

// The text of a scalar, or NULL with a mistake.
const char *ib_read_text(ib_Reader *reader, const ib_Node *node, const char *expected);

// One of the words (NULL-terminated), or NULL with a mistake that names them and the nearest.
const char *ib_read_word(ib_Reader *reader, const ib_Node *node, const char *const *words);

// A number of this unit, or a random one. `difference`: a step of the unit, not a point on it.
// NULL for `unit` allows any unit, and none.
bool ib_read_number(ib_Reader *reader, const ib_Node *node, const char *unit, bool difference,
                    double *value);

// Two numbers in a list: "[0.1 m, 0 m]". `example` stands in the message.
bool ib_read_pair(ib_Reader *reader, const ib_Node *node, const char *unit, const char *example,
                  double *first, double *second);

// One value of a schema; the field keeps its content when the value is wrong. A wrong value that
// decides which parts exist (`off`, a name, a count) marks the node `refused`.
void ib_read_param(ib_Reader *reader, const ib_Node *node, const ib_Param *param, void *config);

// True if the list of mistakes is full: the search may end.
bool ib_is_full(const ib_Reader *reader);

// The word of `words` (NULL-terminated, not empty) nearest to `word`, at any distance.
const char *ib_closest_word(const char *word, const char *const *words);

// True when the key of the node is a valid name, [a-z][a-z0-9_]* of at most IB_NAME_LENGTH
// characters; otherwise reports the mistake. `what` is the owner of the name: "a robot".
bool ib_check_name(ib_Reader *reader, const ib_Node *node, const char *what);

// Read a random value, {uniform: [a, b]} or {normal: [mean, sd]}; the text of a node as a number of
// this unit; a single text, not a random value.
bool ib__read_random(ib_Reader *reader, const ib_Node *node, const char *unit, bool difference,
                     double *value);
ib_Status ib__read_quantity(ib_Reader *reader, const ib_Node *node, const char *unit,
                            bool difference, double *value, ib_Error *error);
const char *ib__read_single(ib_Reader *reader, const ib_Node *node, const char *expected);

// -------------------------------------------------------------------------------------------- keys

// Reports every key of a map that is not among `words`.
void ib_check_keys(ib_Reader *reader, const ib_Node *map, const char *const *words);

// Reports a key that is not among `keys` (dotted, NULL-terminated), in a map whose own keys begin
// with `prefix` ("" or "velocity.") there.
void ib_refuse_key(ib_Reader *reader, const ib_Node *node, const char *const *keys,
                   const char *prefix);

// Fills `config` with the defaults, then with the values of the map (`node` NULL or no map:
// defaults only). Keys in `others` (NULL-terminated, may be NULL) are left to the caller. Presets
// are laid under the map, which changes it.
void ib_read_schema(ib_Reader *reader, const ib_Node *node, const ib_Schema *schema,
                    const char *const *others, void *config);

// Warns of ineffective keys of a map again, as ib_read_schema does, after other values
// have changed.
void ib_warn_of_idle(ib_Reader *reader, const ib_Node *map, const ib_Schema *schema, void *config);

// Lays the entry of a data file that the key `preset` names under the map, and takes the key away.
void ib_expand_whole(ib_Reader *reader, ib_Node *map, const char *file);

// The original entry under the map of a preset; NULL: none.
ib_Node *ib__preset_entry(ib_Reader *reader, const ib_Node *node, const ib_Param *param);

// Lays the presets of the schema under the map: `motor: cim` becomes the map of a cim. Puts on or
// off into `config`. A map with an unknown preset is marked `refused`.
void ib_expand_presets(ib_Reader *reader, ib_Node *map, const ib_Schema *schema, void *config);

#endif

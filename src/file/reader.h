// file/reader.h: what reads a file of ours, whatever it is about.
// It knows mistakes at their places, values with units, keys, schemas and presets.
//
// Every function here reports what is wrong at its place and goes on: a part that fails leaves a
// stand-in behind, so that the rest of the file can still be judged in the same pass.
#ifndef IB_FILE_READER_H
#define IB_FILE_READER_H

#include "base/schema.h"
#include "file/catalogue.h"
#include "file/tree_shelf.h"

#include <stdint.h>

enum {
    IB_MAX_PRESETS = 8, ///< presets that name each other
    IB_MAX_WORDS = 128, ///< keys known in one map
};

typedef struct ib_Reader {
    const char *file; ///< that is read
    ib_Arena *arena;  ///< of what is made of it
    ib_Diagnostics *diagnostics;
    int before;                  ///< mistakes that were already in the list
    const char *const *top_keys; ///< of such a file, NULL-terminated
    uint64_t seed;               ///< of random values
    bool drawn;                  ///< one was
    uint64_t draw;               ///< how often they were drawn before, and thrown away
    const ib_DataFile *data;     ///< where presets are looked for; NULL: the program's own
    ib_TreeShelf *trees;         ///< what was parsed before; NULL: everything is parsed
    const char **files;          ///< read so far, NULL-terminated
    int file_count;
} ib_Reader;

// One `--set PATH=YAML`: changes a file before it is read.
typedef struct ib_Override {
    const char *path; ///< "robot.mass", "inputs.left", "robots.red.start.x", "expect"
    const char *yaml; ///< "120 lb", "[[0 s, 1 N]]"
} ib_Override;

// Is `path` the path `inner`, or of a map or list around it?
bool ib_override_covers(const char *path, const char *inner);

// Splits "PATH=YAML" in place; false without a '=', or with nothing before it.
bool ib_override_split(char *text, ib_Override *override);

// ---------------------------------------------------------------------------------------- the file

// The tree of `text`, or of the file itself where that is NULL; NULL with the mistake named. It is
// a map, or else it is marked `refused` or the caller's to refuse.
ib_Node *ib_read_tree(ib_Reader *reader, const char *text, size_t length);

// The tree of a YAML file, from the reader's shelf where it is there. NULL with the mistakes named,
// or where it cannot be loaded, with the reason in `error`, whose status is IB_OK otherwise.
ib_Node *ib_read_yaml_file(ib_Reader *reader, const char *path, ib_Error *error);

// Changes the tree as the overrides say, in their order; mistakes are placed in them.
void ib_apply_overrides(ib_Reader *reader, ib_Node *root, const ib_Override *overrides, int count);

// `format:`, of which there is only 1 so far.
void ib_read_format(ib_Reader *reader, const ib_Node *root);

// `title:`, or the name of the file without its folder.
const char *ib_read_title(ib_Reader *reader, const ib_Node *root);

// One line of a text that was written in several.
const char *ib_one_line(ib_Reader *reader, const char *text);

// Notes that a file was read. False: out of memory.
bool ib_add_file(ib_Reader *reader, const char *path);

// The same for all that another reader noted; the names are copied. NULL-terminated.
bool ib_add_files(ib_Reader *reader, const char *const *paths);

// A file's name as written in `node`, seen from the file in which it is written;
// NULL without memory.
const char *ib_resolve(ib_Reader *reader, const ib_Node *node);

// Fills `config` as a file would that says nothing about this schema: with its defaults, and with
// what the presets among them stand for.
ib_Status ib_read_defaults(const ib_Schema *schema, void *config, ib_Error *error);

// ------------------------------------------------------------------------------------------ values

// A mistake in the value (or the key) of a node: "path: text". Nothing is said about the value of a
// node that was refused already.
void ib_wrong_value(ib_Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ib_wrong_key(ib_Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// True if the value is one of the program's own data files.
bool ib_is_data(const ib_Reader *reader, const ib_Node *node);

// The same for warnings: what is written is taken, and may not be meant so. Nothing is said about
// the program's own data, which the user did not write: `ironbird list` tells of them.
void ib_warn_value(ib_Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ib_warn_key(ib_Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Does what is written at `place` wait for another choice than `cause` (NULL: a default)? So it
// does, and nothing is to be said, where that was made further out: in a scenario over its robot
// file or a preset, by --set.
bool ib_key_waits(const ib_Reader *reader, const ib_Place *place, const ib_Node *cause);

// A mistake: something is missing in the map, which is not news where it was refused.
void ib_wrong_gap(ib_Reader *reader, const ib_Node *map, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// True when the node is a map (a list); otherwise reports the mistake: what was expected ("a map
// with …") and what is there.
bool ib_check_map(ib_Reader *reader, const ib_Node *node, const char *expected);
bool ib_check_list(ib_Reader *reader, const ib_Node *node, const char *expected);

// The text of a scalar, or NULL with a mistake.
const char *ib_read_text(ib_Reader *reader, const ib_Node *node, const char *expected);

// One of the words (NULL-terminated), or NULL with a mistake that names them and the nearest.
const char *ib_read_word(ib_Reader *reader, const ib_Node *node, const char *const *words);

// A number of this unit, or a random one. `difference`: a step of the unit, not a point on it.
// Where `unit` is NULL any unit will do, and none.
bool ib_read_number(ib_Reader *reader, const ib_Node *node, const char *unit, bool difference,
                    double *value);

// Two numbers in a list: "[0.1 m, 0 m]". `example` stands in the message.
bool ib_read_pair(ib_Reader *reader, const ib_Node *node, const char *unit, const char *example,
                  double *first, double *second);

// One value of a schema; the field keeps its content when the value is wrong. The node is marked
// `refused` then where the value could have decided what there is: `off`, a name, a count.
void ib_read_param(ib_Reader *reader, const ib_Node *node, const ib_Param *param, void *config);

// No more mistakes fit: nothing is gained by looking for further ones.
bool ib_is_full(const ib_Reader *reader);

// The word of `words` (NULL-terminated, not empty) nearest to `word`, however far.
const char *ib_closest_word(const char *word, const char *const *words);

// True when the key of the node will do as a name, [a-z][a-z0-9_]* of at most IB_NAME_LENGTH
// characters; otherwise reports the mistake. `what` says whose name it is: "a robot".
bool ib_check_name(ib_Reader *reader, const ib_Node *node, const char *what);

// A random value, {uniform: [a, b]} or {normal: [mean, sd]}; the text of a node as a number of this
// unit; a single text, which a random value is not.
bool ib__read_random(ib_Reader *reader, const ib_Node *node, const char *unit, bool difference,
                     double *value);
ib_Status ib__read_quantity(ib_Reader *reader, const ib_Node *node, const char *unit,
                            bool difference, double *value, ib_Error *error);
const char *ib__read_single(ib_Reader *reader, const ib_Node *node, const char *expected);

// -------------------------------------------------------------------------------------------- keys

// Reports every key of a map that is not among `words`.
void ib_check_keys(ib_Reader *reader, const ib_Node *map, const char *const *words);

// Reports a key that is not among `keys` (dotted, NULL-terminated), in a map whose own keys they
// begin with `prefix` ("" or "velocity.").
void ib_refuse_key(ib_Reader *reader, const ib_Node *node, const char *const *keys,
                   const char *prefix);

// Fills `config` with the defaults, then with what the map says (`node` NULL or no map: defaults
// only). Keys in `others` (NULL-terminated, may be NULL) are left to the caller. What presets say
// is laid under the map, which changes it.
void ib_read_schema(ib_Reader *reader, const ib_Node *node, const ib_Schema *schema,
                    const char *const *others, void *config);

// Warns of keys of a map that was read and do nothing, as ib_read_schema does: once more, where it
// is known only later what the other values are.
void ib_warn_of_idle(ib_Reader *reader, const ib_Node *map, const ib_Schema *schema, void *config);

// Lays the entry of a data file that the key `preset` names under the map, and takes the key away.
void ib_expand_whole(ib_Reader *reader, ib_Node *map, const char *file);

// The entry that was laid under the map of a preset, as it was before; NULL: none was.
ib_Node *ib__preset_entry(ib_Reader *reader, const ib_Node *node, const ib_Param *param);

// Lays what the presets of the schema say under the map: `motor: cim` becomes the map of a cim.
// Puts on or off into `config`. A map with a preset that is unknown is marked `refused`.
void ib_expand_presets(ib_Reader *reader, ib_Node *map, const ib_Schema *schema, void *config);

#endif

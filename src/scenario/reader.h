// scenario/reader.h: what the files that read parts of a scenario share. Internal to this folder.
//
// Every function here reports what is wrong at its place and goes on: a part that fails leaves a
// stand-in behind, so that the rest of the file can still be judged in the same pass.
#ifndef IB_SCENARIO_READER_H
#define IB_SCENARIO_READER_H

#include "scenario/catalogue.h"
#include "scenario/node.h"
#include "scenario/scenario.h"

enum {
    IB__MAX_ROBOTS = 64,
    IB__MAX_SENSORS = 64, ///< of one robot
    IB__MAX_LOOPS = 64,   ///< of one robot
    IB__MAX_DISTURBANCES = 10000,
    IB__MAX_PATTERNS = 256,
    IB__MAX_EXPECTATIONS = 1000,
    IB__MAX_INCLUDES = 8,          ///< robot files that name each other
    IB__MAX_PRESETS = 8,           ///< presets that name each other
    IB__MAX_NAME = IB_NAME_LENGTH, ///< characters of the name of a robot, a sensor …
    IB__MAX_WORDS = 128,           ///< keys known in one map
};

typedef struct ib__Reader {
    const char *file; ///< of the scenario
    ib_Arena *arena;  ///< of the scenario
    ib_Diagnostics *diagnostics;
    int before; ///< mistakes that were already in the list
    uint64_t seed;
    ib_Time duration;             ///< of the run; 0: not known, since what the file says is wrong
    double gravity;               ///< of the field [m/s^2]
    const ib_DataFile *data;      ///< where presets are looked for; NULL: the program's own
    const ib_PluginDoor *plugins; ///< NULL: plug-ins are refused
    const char **files;           ///< read so far, NULL-terminated
    int file_count;
    const struct ib__Robot *robots; ///< all of the file, once they are read
    int robot_count;
} ib__Reader;

// A robot on its way from the file to a config.
typedef struct ib__Robot {
    ib_Node *node;                     ///< its map, robot files laid under it
    ib_Node *start, *inputs, *control; ///< NULL: not given
    ib_RobotConfig config;             ///< kind NULL: unknown, nothing below is used
    ib_Robot made;                     ///< by its kind, extended by its loops as they are read
    ib_Timeline *timelines;            ///< one per input of its ports
    ib_SensorConfig *sensors;
    int sensor_count;
    bool lost;  ///< a loop of it could not be read: what it takes and shows is unknown
    bool clean; ///< no mistake in its own part
} ib__Robot;

// ------------------------------------------------------------------------------------------ values

// A mistake in the value (or the key) of a node: "path: text". Nothing is said about the value of a
// node that was refused already.
void ib__wrong_value(ib__Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ib__wrong_key(ib__Reader *reader, const ib_Node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A mistake: something is missing in the map, which is not news where it was refused.
void ib__wrong_gap(ib__Reader *reader, const ib_Node *map, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// False, with a mistake that says what was expected ("a map with …"), when it is something else.
bool ib__is_map(ib__Reader *reader, const ib_Node *node, const char *expected);
bool ib__is_list(ib__Reader *reader, const ib_Node *node, const char *expected);

// The text of a scalar, or NULL with a mistake.
const char *ib__read_text(ib__Reader *reader, const ib_Node *node, const char *expected);

// One of the words (NULL-terminated), or NULL with a mistake that names them and the nearest.
const char *ib__read_word(ib__Reader *reader, const ib_Node *node, const char *const *words);

// A number of this unit, or a random one. `difference`: a step of the unit, not a point on it.
// Where `unit` is NULL any unit will do, and none.
bool ib__read_number(ib__Reader *reader, const ib_Node *node, const char *unit, bool difference,
                     double *value);

// Two numbers in a list: "[0.1 m, 0 m]". `example` stands in the message.
bool ib__read_pair(ib__Reader *reader, const ib_Node *node, const char *unit, const char *example,
                   double *first, double *second);

// One value of a schema; the field keeps its content when the value is wrong.
void ib__read_param(ib__Reader *reader, const ib_Node *node, const ib_Param *param, void *config);

// The same for a value that is no single text: a pair, a table, names. False: it is another type.
bool ib__read_compound(ib__Reader *reader, const ib_Node *node, const ib_Param *param,
                       void *config);

// No more mistakes fit: nothing is gained by looking for further ones.
bool ib__is_full(const ib__Reader *reader);

// The word of `words` (NULL-terminated, not empty) nearest to `word`, however far.
const char *ib__closest_word(const char *word, const char *const *words);

// [a-z][a-z0-9_]*, at most IB__MAX_NAME characters; `what` is "a robot".
bool ib__is_name(ib__Reader *reader, const ib_Node *node, const char *what);

// -------------------------------------------------------------------------------------------- keys

// The keys of a scenario itself, NULL-terminated.
extern const char *const ib__top_keys[];

// An unknown key, the nearest of `words` (NULL-terminated) and all of them.
void ib__unknown_key(ib__Reader *reader, const ib_Node *node, const char *const *words);

// Reports every key of a map that is not among `words`.
void ib__check_keys(ib__Reader *reader, const ib_Node *map, const char *const *words);

// Reports a key that is not among `keys` (dotted, NULL-terminated), in a map whose own keys they
// begin with `prefix` ("" or "velocity.").
void ib__refuse_key(ib__Reader *reader, const ib_Node *node, const char *const *keys,
                    const char *prefix);

// Fills `config` with the defaults, then with what the map says (`node` NULL or no map: defaults
// only). Keys in `others` (NULL-terminated, may be NULL) are left to the caller. What presets say
// is laid under the map, which changes it.
void ib__read_schema(ib__Reader *reader, const ib_Node *node, const ib_Schema *schema,
                     const char *const *others, void *config);

// Lays what the presets of the schema say under the map: `motor: cim` becomes the map of a cim.
// Puts on or off into `config`. A map with a preset that is unknown is marked `refused`.
void ib__expand_presets(ib__Reader *reader, ib_Node *map, const ib_Schema *schema, void *config);

// ------------------------------------------------------------------------------------------- parts

// Changes the tree as the overrides of `options` say, in their order; mistakes are placed in them.
void ib__apply_overrides(ib__Reader *reader, ib_Node *root, const ib_ScenarioOptions *options);

// Notes that a file was read. False: out of memory.
bool ib__add_file(ib__Reader *reader, const char *path);

// A file's name as written in `node`, seen from the file in which it is written; NULL without
// memory.
const char *ib__resolve(ib__Reader *reader, const ib_Node *node);

// Lays the robot files that the robot names under its own keys. False: a file could not be read.
bool ib__include(ib__Reader *reader, ib_Node *robot);

// Reads kind, parameters, start, sensors, inputs and control of one robot. Where the kind is
// unknown all that does not depend on it is judged.
void ib__read_robot(ib__Reader *reader, ib__Robot *robot, const char *const *others);
void ib__read_sensors(ib__Reader *reader, ib__Robot *robot);
void ib__read_inputs(ib__Reader *reader, ib__Robot *robot);

// [[time, value], …], or one value from the start on; left alone when it is wrong.
void ib__read_timeline(ib__Reader *reader, const ib_Node *node, const ib_InputDef *input,
                       ib_Timeline *timeline);
void ib__read_control(ib__Reader *reader, ib__Robot *robot);

// All robots of the file; their number, 0 when there is none.
int ib__read_robots(ib__Reader *reader, ib_Node *root, ib__Robot **robots);

// Can a signal of this name (or pattern) belong to a robot of which nothing is known?
bool ib__is_open(const ib__Reader *reader, const char *name);

void ib__read_disturbances(ib__Reader *reader, const ib_Node *node, const ib__Robot *robots,
                           int robot_count, ib_SimConfig *config);

void ib__read_run(ib__Reader *reader, const ib_Node *root, ib_SimConfig *config);
void ib__read_field(ib__Reader *reader, ib_Node *node, ib_SimConfig *config);
void ib__read_record(ib__Reader *reader, const ib_Node *node, ib_RecordConfig *record);
void ib__check_patterns(ib__Reader *reader, const ib_Node *record, const ib_SignalTable *signals);
void ib__read_expectations(ib__Reader *reader, const ib_Node *node, ib_Scenario *scenario);

#endif

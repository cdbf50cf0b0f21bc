// scenario/scenario_inside.h: declarations shared by the files that read parts of a scenario.
// Internal to this folder. As in file/reader.h every function reports mistakes at their places and
// goes on.
#ifndef IB_SCENARIO_SCENARIO_INSIDE_H
#define IB_SCENARIO_SCENARIO_INSIDE_H

#include "file/reader.h"
#include "scenario/scenario.h"

enum {
    IB__MAX_ROBOTS = 256,
    IB__MAX_SENSORS = 64, ///< of one robot
    IB__MAX_LOOPS = 64,   ///< of one robot
    IB__MAX_DISTURBANCES = 10000,
    IB__MAX_PATTERNS = 256,
    IB__MAX_EXPECTATIONS = 1000,
    IB__MAX_INCLUDES = 8, ///< robot files that name each other
};

// A robot on its way from the file to a config.
typedef struct ib__Robot {
    ib_Node *node;                     ///< its map, robot files laid under it
    ib_Node *start, *inputs, *control; ///< NULL: not given
    ib_RobotConfig config;             ///< kind NULL: unknown, nothing below is used
    ib_Robot made;                     ///< by its kind, extended by its loops as they are read
    ib_Timeline *timelines;            ///< one per input of its ports
    ib_SensorConfig *sensors;
    int sensor_count;
    ib_CarriedConfig *carried; ///< NULL: it stands on the floor
    bool open;          ///< a refused parameter of its base may add or remove inputs and signals
    bool blind;         ///< the quantity of one of its sensors is unknown
    bool sound, placed; ///< no mistake in its parameters; none in its start
    bool lost;          ///< a loop of it could not be read: its inputs and signals are unknown
    bool clean;         ///< no mistake in its own part
} ib__Robot;

// A scenario on its way from the file.
typedef struct ib__ScenarioReader {
    ib_Reader *reader;
    const ib_Node *root;               ///< the file
    ib_Time duration;                  ///< of the run; 0: not known, because of a mistake
    double gravity;                    ///< of the field [m/s^2]
    const ib_FieldConfig *field;       ///< that robots touch; NULL: none, or mistakes
    const ib_Node *starts;             ///< places of the field at which robots start; NULL: none
    bool shares;                       ///< some robot shares its world (robot/kind.h)
    bool field_refused;                ///< so that it may have more parts than are known
    ib_Node *bodies;                   ///< of the field, each a robot's map; NULL: none
    const ib_DesignLoader *designs;    ///< NULL: design files are refused
    const ib_PluginInterface *plugins; ///< NULL: plug-ins are refused
    const ib__Robot *robots;           ///< all of the file, once they are read
    int robot_count;
} ib__ScenarioReader;

// Lays the robot files that the robot names under its own keys. False: a file could not be read.
bool ib__include(ib_Reader *reader, ib_Node *robot);

// All robots of the file; their number, 0 when there is none.
int ib__read_robots(ib__ScenarioReader *scenario, ib_Node *root, ib__Robot **robots);

// Reads sensors, loops and inputs of one robot. With an unknown kind the parts that do not depend
// on it are checked.
void ib__read_sensors(ib_Reader *reader, ib__Robot *robot);
void ib__read_control(const ib__ScenarioReader *scenario, ib__Robot *robot);
void ib__read_inputs(const ib__ScenarioReader *scenario, ib__Robot *robot);

// Reads [[time, value], …], or one value from the start on; left unchanged on mistakes. True for
// {repeat: …}, which is a timeline, or a part of one.
bool ib__node_is_repeat(const ib_Node *node);
void ib__read_timeline(ib_Reader *reader, const ib_Node *node, const ib_InputDef *input,
                       ib_Timeline *timeline);

// True for {wave: …}; and reads it.
bool ib__node_is_wave(const ib_Node *node);
void ib__read_wave(ib_Reader *reader, const ib_Node *node, const ib_InputDef *input,
                   ib_Timeline *timeline);

// Warns of knots that come after the end of the run (0: not known) and so change nothing.
void ib__warn_of_late_knots(ib_Reader *reader, const ib_Node *node, const ib_Timeline *timeline,
                            ib_Time duration);

// True if a signal of this name (or pattern) may belong to a refused part of the file.
bool ib__is_open(const ib__ScenarioReader *scenario, const char *name);

// The same of one robot's inputs, sensors and signals, without its name in front; "": of any. And
// of those alone that one of its named parts leads to, such as a mechanism.
bool ib__is_unsure(const ib__Robot *robot, const char *name);
bool ib__is_of_unsure_part(const ib__Robot *robot, const char *name);

// True if a refused parameter of the base may add or remove inputs and signals.
bool ib__is_base_open(const ib_Node *robot, const ib_Schema *params);

// True if the field may have unknown bodies.
bool ib__lacks_bodies(const ib__ScenarioReader *scenario);

// Reads carriers of carried robots, after all robots are read; and times of release, after all
// signals are known.
void ib__read_carried(const ib__ScenarioReader *scenario, ib__Robot *robots);
void ib__read_releases(const ib__ScenarioReader *scenario, const ib_SignalTable *signals);

// Tilts at one time add up; the first sum that is too steep for a robot is told, and upright ones.
// `list`: all disturbances, of which none is wrong.
void ib__check_slopes(const ib__ScenarioReader *scenario, const ib_Node *list,
                      const ib_SimConfig *config);
void ib__read_disturbances(const ib__ScenarioReader *scenario, ib_Node *node, ib_SimConfig *config);

// Values under `run`.
typedef struct ib__RunValues {
    double duration, step, max_step, tolerance, seed;
    int solver;
    bool open; ///< no solver is named: the robots are asked
    bool good; ///< no value is a stand-in for one that was wrong
} ib__RunValues;

// The duration of the run; 0: not known, because of a mistake. Solver and step wait for the robots.
ib_Time ib__read_run(ib_Reader *reader, const ib_Node *root, ib__RunValues *run,
                     ib_SimConfig *config);

// The solver that the robots ask for, where none is named, and the step.
void ib__choose_solver(const ib__ScenarioReader *scenario, const ib_Node *root, ib__RunValues *run,
                       ib_SimConfig *config);
// `duration` of the run; 0: not known.
void ib__read_field(ib_Reader *reader, ib_Node *node, ib_Time duration, ib_SimConfig *config);

// Parts of a field: the corners of a polygon, at most `most` (their number, 0 with a mistake); the
// form and place of an element or an area; its elements, ridges and zones; the starts of robots.
int ib__read_corners(ib_Reader *reader, const ib_Node *node, int most, double *x, double *y);
void ib__read_form(ib_Reader *reader, const ib_Node *node, ib_ElementConfig *element);
void ib__read_elements(ib_Reader *reader, const ib_Node *node, ib_Time duration,
                       ib_FieldConfig *field);
void ib__read_ridges(ib_Reader *reader, const ib_Node *node, ib_FieldConfig *field);
void ib__read_zones(ib_Reader *reader, const ib_Node *node, ib_FieldConfig *field);
void ib__check_starts(ib_Reader *reader, ib_Node *node);

// Loose bodies of a field: the list that chooses among the bodies of a preset, taken out of the
// field before that is laid under it (NULL: none), and the choice itself; the bodies that are left,
// NULL: none.
const ib_Node *ib__take_body_choice(ib_Node *field);
void ib__keep_bodies(ib_Reader *reader, ib_Node *field, const ib_Node *choice);
ib_Node *ib__find_bodies(ib_Reader *reader, const ib_Node *root);

// Lays bodies under the scenario's robots of the same name; returns the number of those without
// one. Reports the mistakes of one that was read beside the scenario's `first` robot.
int ib__lay_bodies(const ib_Node *bodies, const ib_Node *robots);
void ib__check_body(ib_Reader *reader, const ib__Robot *first, const ib__Robot *body);

// A sentence of a kind against a robot's config, and its doubts about one, told where the file
// writes the key with which they begin.
void ib__refuse_robot(ib_Reader *reader, const ib__Robot *robot, const char *text);
void ib__doubt_robot(ib_Reader *reader, const ib__Robot *robot);

// The start of a robot: the base's own keys, and a map for each mechanism by its name. Was its
// place drawn at random, inside of something that stands on the field?
void ib__read_start(ib_Reader *reader, ib__Robot *robot, const ib_RobotKind *kind, void *config);
bool ib__is_start_blocked(const ib__ScenarioReader *scenario, const ib__Robot *robot);

// Checks the start of a robot of unknown kind: for any meaning of the keys, their numbers
// need units.
void ib__check_start(ib_Reader *reader, const ib_Node *node);

// Lays the place that the `start` of a robot of this kind names under its other keys.
void ib__expand_start(const ib__ScenarioReader *scenario, const ib_RobotKind *kind, ib_Node *start);
void ib__read_record(ib_Reader *reader, const ib_Node *node, ib_RecordConfig *record);
void ib__check_patterns(const ib__ScenarioReader *scenario, const ib_Node *record,
                        const ib_SignalTable *signals);
void ib__read_expectations(const ib__ScenarioReader *scenario, const ib_Node *node,
                           ib_Scenario *result);

#endif

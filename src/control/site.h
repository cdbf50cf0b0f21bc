// control/site.h: the site of a loop: its robot's measurements and inputs, and their wiring.
// Its page is docs/control/loops.md.
#ifndef IB_CONTROL_SITE_H
#define IB_CONTROL_SITE_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/converter.h"
#include "base/schema.h"
#include "base/signal.h"
#include "control/arm/arm_track.h"
#include "control/driving/locomotion.h"
#include "control/leg/legs.h"
#include "control/loop.h"
#include "control/odometry/odometry.h"
#include "control/path/path.h"
#include "control/routine/routine.h"

#include <math.h>

// One number of the robot that a loop may read or set.
typedef struct ib_ControlPin {
    const char *name; ///< as ports name it: "sensor.gyro", "lift.position", "left"
    const char *unit; ///< SI
    double low, high; ///< of a command; of a part's position its travel; in `unit`, may be infinite
    double neutral;   ///< of a command: its value if not set
    const char *const *words; ///< of a command: names of the values 0, 1, 2 …; NULL: a number
    double step;              ///< the smallest change that a sensor shows, in `unit`; 0: any
    ib_Time period;           ///< of a sensor, between two samples; 0: sampled when read
    const char *signal;       ///< the sensor's quantity, relative to its robot; NULL: no sensor
    const char *local; ///< the name that the part has for it: "x" of "lift.position"; NULL: none
} ib_ControlPin;

// Integration of a loop's rate from one tick to the next.
typedef enum ib_Gather {
    IB_GATHER_NONE,      ///< by the loop, from the sample that it sees at each tick
    IB_GATHER_TRAPEZOID, ///< by all samples of the sensor: means of neighbours
    IB_GATHER_SUM,       ///< the same, each for the period before it
} ib_Gather;

// Integration of a rate by a loop of this period [s]: of one sampled in its own time, or ideally,
// the sample itself; of a sensor of another period all samples by `method`. Other quantities are
// not integrated.
ib_Gather ib_pin_gather(const ib_ControlPin *pin, double period, ib_Gather method);

// The same of a gyro's rate, by the method of a heading.
ib_Gather ib_heading_gather(const ib_ControlPin *gyro, const ib_HeadingConfig *heading);

// A part of the robot that a loop may be named after: a mechanism. Its plant's states and inputs,
// as the desk knows them, and the robot's signals and commands for them.
typedef struct ib_ControlPart {
    const char *name;  ///< "lift"
    const char *frame; ///< that it stands on, in the robot's look; NULL: none
    int state_count, input_count;
    const ib_ControlPin *states; ///< local "x": the signal "lift.position"
    int measured;                ///< the state that a loop of one value holds, 0 ..
    const ib_ControlPin *inputs; ///< local "volts": the command "lift"
    // Further signals of it; NULL or none without motors.
    int current_count, mode_count;
    const ib_ControlPin *currents; ///< of a motor of each input; `high`: its limit, may be infinite
    const char *supply;            ///< its current from the bus [A]
    const char *bus;               ///< voltage of the bus [V]
    const char *const *modes; ///< of its joints: 1 and 2 are at a stop (plant/actuator/actuator.h)
} ib_ControlPart;

// A signal that shows how fast a rim turns: of one of its wheels, or of a motor's shaft.
typedef struct ib_RimSignal {
    const char *name; ///< [rad/s]
    int rim;
    double radius; ///< roll of the rim for each radian [m]
} ib_RimSignal;

// Turn of a base's driven rims by its motion, for odometry.
typedef struct ib_ControlRims {
    int count;
    const ib_WheelRow *rows;   ///< roll of each, as in control/odometry/odometry.h
    const char *const *angles; ///< signals of the modules that turn them [rad]; NULL: none does
    int signal_count;
    const ib_RimSignal *signals; ///< the first `count` are those of the rims in their order
    const char *heading;         ///< signal of the heading that goes with them [rad]; NULL: none
    int hold_count;              ///< 0 .. 3
    ib_WheelRow holds[3];        ///< ways that wheels without rollers do not let it go
} ib_ControlRims;

// Rims of a base with two sides, left and right, whose wheels hold it sideways unless they slide.
// The signals are copied; NULL without memory.
const ib_ControlRims *ib_rims_of_sides(double half_track, const ib_RimSignal *signals, int count,
                                       ib_Arena *arena);

typedef struct ib_ControlSite {
    const char *robot;                ///< "red"; "" or NULL: the only one
    const char *loop;                 ///< "lift"; "": the only loop of the robot, without a name
    const ib_ControlPart *part;       ///< its part by name, or by its outputs; NULL: none
    const ib_Loop *design;            ///< of `design:`; NULL: none
    const ib_ArmPlan *plan;           ///< of `plan:`, of an arm; NULL: none
    const ib_PathConfig *path;        ///< of `path:`, its waypoints joined; NULL: none
    ib_PathPoint start;               ///< where `path` begins
    const ib_Locomotion *base;        ///< motion of its base; NULL: not movable,
    const char *unmoved;              ///< and why; else why not from rest to rest, NULL: it can
    const ib_ControlRims *rims;       ///< of the base; NULL: it does not tell
    const ib_ControlLegs *legs;       ///< of the robot; NULL: it has none
    const ib_RoutineDraft *routine;   ///< of `routine:`; NULL: none
    const ib_DetourConfig *obstacles; ///< that stand on the field, and the robot's clearance; NULL:
                                      ///< nothing does
    int sensor_count, signal_count, command_count;
    const ib_ControlPin *sensors;  ///< of the robot: "sensor.gyro"
    const ib_SignalDef *signals;   ///< of the robot
    const ib_ControlPin *commands; ///< of the robot
} ib_ControlSite;

// The beginning of every controller's config.
typedef struct ib_WiringConfig {
    ib_Words sensors; ///< measurements; none: by name, or ideally
    ib_Words inputs;  ///< outputs; none: by name
    double period;    ///< between two ticks [s], > 0; of a design that of its loop;
                      ///< infinite: continuous
    double latency;   ///< from a sample to its effect [s], >= 0
    int output_bits;  ///< of the converter of each output, over its range; 0: no steps
} ib_WiringConfig;

// The rows of every kind, with its measurements in a sentence of its own or in general words, and
// the row of kinds without a design.
#define IB_WIRING_ROWS                                                                             \
    IB_WIRING_ROWS_OF("what it measures: names of robot.sensors, or of signals, sampled ideally")
#define IB_WIRING_ROWS_OF(measured)                                                                \
    IB_PARAM_ROW("sensors", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, ib_WiringConfig, sensors,       \
                 false, measured),                                                                 \
        IB_PARAM_ROW("inputs", IB_PARAM_WORDS, "1", NULL, 0, 0, NULL, ib_WiringConfig, inputs,     \
                     false, "what it sets: names of the robot's inputs"),                          \
        IB_PARAM_ROW("latency", IB_PARAM_NUMBER, "s", "0 s", 0, 1000, NULL, ib_WiringConfig,       \
                     latency, false,                                                               \
                     "time from a sample until what follows from it acts, at most 100 periods"),   \
        IB_PARAM_ROW("output_bits", IB_PARAM_COUNT, "1", "0", 0, IB_CONVERTER_BITS, NULL,          \
                     ib_WiringConfig, output_bits, false,                                          \
                     "bits of the D/A converter over the range of what it sets; 0: no steps")
#define IB_PERIOD_ROW                                                                              \
    IB_PARAM_ROW("period", IB_PARAM_NUMBER, "s", "5 ms", 1e-6, 1000, NULL, ib_WiringConfig,        \
                 period, false, "time between two samples")
// The same of a kind that has a law, too.
#define IB_PERIOD_OR_CONTINUOUS_ROW                                                                \
    IB_PARAM_ROW("period", IB_PARAM_LIMIT, "s", "5 ms", 1e-6, 1000, "continuous", ib_WiringConfig, \
                 period, false,                                                                    \
                 "time between two samples; continuous: it acts at every instant, inside the "     \
                 "equations of the robot")

// True for the period of a continuous loop.
static inline bool ib_is_continuous(double period)
{
    return isinf(period) != 0;
}

// Measurement number `index` of a loop's `count`: from the file's list; without one the sensor with
// the name `wanted`, or the state of its part with that name, sampled ideally (`wanted` NULL: the
// part's own measurement). `what` names the place: "output of the design".
ib_Status ib_site_reading(const ib_ControlSite *site, const ib_Words *given, int index, int count,
                          const char *wanted, const char *what, ib_ControlPin *pin,
                          ib_Error *error);

// The same for its outputs.
ib_Status ib_site_setting(const ib_ControlSite *site, const ib_Words *given, int index, int count,
                          const char *wanted, const char *what, ib_ControlPin *pin,
                          ib_Error *error);

// The sensor that a key names. The error begins with the key.
ib_Status ib_site_sensor(const ib_ControlSite *site, const char *key, const char *name,
                         ib_ControlPin *pin, ib_Error *error);

// The one sensor that the key `battery` names, which measures a voltage.
ib_Status ib_site_battery(const ib_ControlSite *site, const ib_Words *given, ib_ControlPin *pin,
                          ib_Error *error);

// The command of the robot with this name, or NULL.
const ib_ControlPin *ib_site_command(const ib_ControlSite *site, const char *name);

// The pin of this local name,
// or of the end of its robot's name ("position" of "lift.position"); NULL: none.
const ib_ControlPin *ib_part_state(const ib_ControlPart *part, const char *name);
const ib_ControlPin *ib_part_input(const ib_ControlPart *part, const char *name);

// A name of the loop's own: "goal.x" of the loop lift is "lift.goal.x". NULL without memory.
const char *ib_site_name(const ib_ControlSite *site, ib_Arena *arena, const char *name);

#endif

// robot/parts.h: a robot as a body and a list of parts, and the one rate of all such robots.
// The derivation of each part is on its page; the order of calls is in docs/architecture.md.
//
// A kind makes its body, declares its signals and lists its parts (ib_RobotKind.build); its
// mechanisms are added here (robot/mechanisms.h).
#ifndef IB_ROBOT_PARTS_H
#define IB_ROBOT_PARTS_H

#include "plant/feed.h"
#include "plant/part.h"
#include "plant/wheel/rims.h"
#include "robot/equipment.h"
#include "robot/kind.h"
#include "robot/planar.h"

// A body on the floor, or one that is bolted to it.
typedef struct ib_Body {
    bool moves; ///< false: bolted, all else is 0
    ib_PlanarModel planar;
    size_t start;                 ///< where the kind's config has its ib_PlanarConfig [bytes]
    double mass, inertia;         ///< with all that stands on it [kg, kg m^2]
    double com_height;            ///< of the centre of mass without that [m]
    bool loose;                   ///< only its weight holds it to the floor
    bool held;                    ///< wheels that never slip hold it: then
    double whole[9], response[9]; ///< mass matrix with theirs; change of v by an impulse, rows
    const ib_Rims *rims;          ///< these wheels
    bool axles;         ///< axles of wheels without inertia hold it: it never goes sideways
    bool uneven;        ///< it carries masses that are, or may come, off its middle, and
    double own_inertia; ///< has this much without them [kg m^2] (robot/uneven.h)
    int centre;         ///< the first of two signals: where the common centre of mass is
    int load;           ///< states of a load that an arm moves (robot/payload.h); -1: none
    int signal;         ///< the first of the IB_PLANAR_SIGNALS
    int kinetic;        ///< entry of the book
    int lifted;         ///< signal: a wheel or a foot bears nothing; -1: none can come off
} ib_Body;

typedef struct ib_Part {
    const ib_PartKind *kind;
    const void *model;
    size_t notes; ///< where they lie
} ib_Part;

enum { IB_PARTS_MAX = 8 + IB_MECHANISMS_MAX };
enum { IB_NOTES_MAX = 48 * 1024 }; ///< of all parts at one instant [bytes]

// Rates, and the guards of the same instant; NULL: not needed.
typedef void ib_PartsRate(const void *model, const double *x, const double *input, double *dx,
                          double *guards);

typedef struct ib_PartsModel {
    ib_RobotKind kind; ///< the kind's, with the functions of robot/parts.c
    const void *own;   ///< the kind's own model
    ib_Body body;
    const struct ib_Rigid *rigid; ///< an external integrator moves it, in the place of `body`; NULL
    ib_Feed feed;
    int part_count;
    ib_Part parts[IB_PARTS_MAX];
    size_t notes;
    int state_count, sum_from, input_count, signal_count;
    int copy_count;
    const int *copies; ///< pairs: a signal, and the state that it shows
    int entry_count;
    const int *entries;               ///< signals to which several parts add
    struct ib_Mechanisms *mechanisms; ///< its mechanisms; NULL: none
    // A kind's own on the same declarations, without mechanisms; NULL: robot/parts.c. A law of its
    // own, or its parts compiled as one function: a part unknown to it does nothing there. It knows
    // the guards of the supply alone.
    ib_PartsRate *own_rate;
    int own_parts; ///< number of the parts it knows
    void (*own_output)(const void *model, const double *x, const double *input, double *signals);
    // All wires and notes of an instant, for guards, settle and output of its parts.
    void (*own_solve)(const void *model, ib_Wires *wires, char *notes);
    bool guarded, settled; ///< some part has guards, has settle
    bool jumps;            ///< a jump of its body changes states of its parts
} ib_PartsModel;

// Wires and notes of one instant.
typedef struct ib_Instant {
    ib_Wires wires;
    _Alignas(64) char notes[IB_NOTES_MAX];
} ib_Instant;

// All that a kind's `build` fills.
struct ib_Build {
    ib_PartsModel *robot;
    ib_Declarations *d;
    ib_RobotPorts *ports; ///< outline, feet, forces, look, resolution; the rest is made from `d`
    ib_Arena *arena;
    const ib_EquipmentConfig *equipment; ///< its equipment; NULL: none
};

// A body on the floor with its signals, which keeps its velocity along its own axes or the field's.
// `start`: where the kind's config has its ib_PlanarConfig.
void ib_build_body(ib_Build *build, bool own_axes, double mass, double inertia, size_t start);
// Entries of the robot's book, in the order shown; those that body and supply add to are found.
void ib_build_book(ib_Build *build, const ib_SignalDef *rows, int count);
void ib_build_part(ib_Build *build, const ib_PartKind *kind, const void *model);
// A rate of the kind's own, which knows this many parts: all of the list, or the robot is not made.
void ib_build_own_rate(ib_Build *build, int parts, ib_PartsRate *rate);
// Adds the signal of lifted wheels or feet, which may lift under a load with a height or off the
// middle. Once, after its parts.
void ib_build_lifted(ib_Build *build);
// Sets its sides [m] and their properties in a hit.
void ib_build_outline(ib_Build *build, double length, double width, const ib_BumperConfig *bumper);
// Longest steps that it stands with euler and rk4, and with `stiff` [s]; 0: any.
void ib_build_step(ib_Build *build, double most, double most_stiff);

// The kind's own model of a robot.
static inline const void *ib_parts_own(const void *model)
{
    return ((const ib_PartsModel *)model)->own;
}

// A robot of a kind that has `build`: checks, makes, lays out.
ib_Status ib_parts_init(const ib_RobotKind *kind, const void *config, ib_Arena *arena,
                        ib_Robot *robot, ib_Error *error);

// The rate of all robots that are made of parts.
ib_PartsRate ib_parts_rate;

// The change of the body's velocity by an impulse at its origin; its parts keep their motion.
ib_Twist ib_body_response(const ib_PartsModel *robot, const double *x, double jx, double jy,
                          double turn);
// Adds the effect of a jump of the body to the states of its parts; for accelerations, to
// their rates.
void ib_parts_jump(const ib_PartsModel *robot, const double *x, const ib_Twist *body,
                   double *change);

#endif

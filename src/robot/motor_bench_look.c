// robot/motor_bench_look.c: how the bench looks: a motor, its flywheel on a shaft along x, a brake.
// Only the flywheel's angle and the tints mean something: physics knows no sizes here.
#include "robot/look.h"
#include "robot/motor_bench.h"

static const double axis = 0.18; // height of the shaft [m]

static ib_SolidDef block(const char *name, const char *frame, double x, double z, double length,
                         double width, double height, uint32_t colour)
{
    return (ib_SolidDef){.name = name,
                         .frame = frame,
                         .form = IB_SOLID_BOX,
                         .place = {x, 0, z},
                         .size = {length, width, height},
                         .colour = colour};
}

static ib_SolidDef round_along_x(const char *name, const char *frame, double x, double radius,
                                 double length, uint32_t colour)
{
    return (ib_SolidDef){.name = name,
                         .frame = frame,
                         .form = IB_SOLID_CYLINDER,
                         .place = {x, 0, 0},
                         .attitude = {0, IB_SOLID_LYING, 0},
                         .size = {radius, length, length},
                         .colour = colour};
}

const ib_Geometry *ib__motor_bench_look(const ib_MotorBenchConfig *config, ib_Arena *arena)
{
    static const ib_FrameDef frames[] = {
        {.name = "bench", .body = true},
        {.name = "motor", .parent = "bench", .place = {0, 0, 0.18}},
        {.name = "shaft", .parent = "motor", .turn = {NULL, NULL, "motor.angle"}},
    };
    ib_SolidDef solids[] = {
        block("plate", "bench", 0, 0.01, 0.5, 0.3, 0.02, IB_COLOUR_BATTEN),
        block("stand of the motor", "bench", -0.12, 0.07, 0.1, 0.06, 0.1, IB_COLOUR_DARK),
        block("stand of the shaft", "bench", 0.02, 0.1, 0.03, 0.05, 0.19, IB_COLOUR_DARK),
        round_along_x("motor", "motor", -0.12, 0.06, 0.14, IB_COLOUR_METAL),
        round_along_x("shaft", "shaft", 0.06, 0.012, 0.26, IB_COLOUR_TYRE),
        round_along_x("flywheel", "shaft", 0.12, 0.14, 0.03, IB_COLOUR_BUMPER),
        // Off the axis, so that one sees it turn.
        block("index of the flywheel", "shaft", 0.12, 0.075, 0.036, 0.03, 0.11, IB_COLOUR_FRONT),
        block("spoke of the flywheel", "shaft", 0.12, -0.075, 0.034, 0.02, 0.11, IB_COLOUR_DARK),
        block("brake", "bench", 0.12, axis + 0.14, 0.06, 0.09, 0.05, IB_COLOUR_DARK),
    };
    enum { COUNT = sizeof solids / sizeof solids[0], MOTOR = 3, BRAKE = COUNT - 1 };
    solids[MOTOR].tint = "motor.current";
    solids[MOTOR].tint_label = "current";
    solids[MOTOR].tint_full = config->motor.stall_current;
    solids[BRAKE].tint = "brake.torque";
    solids[BRAKE].tint_label = "braking torque";
    solids[BRAKE].tint_full = config->motor.stall_torque;
    solids[MOTOR].tint_colour = solids[BRAKE].tint_colour = IB_COLOUR_WARNING;
    ib_Geometry look = {.frames = frames,
                        .frame_count = sizeof frames / sizeof frames[0],
                        .solids = solids,
                        .solid_count = COUNT};
    return ib_look_keep(&look, arena);
}

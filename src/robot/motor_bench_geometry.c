// robot/motor_bench_geometry.c: the geometry of the bench: a motor, its flywheel on a shaft along
// x, a brake. Only the flywheel's angle and the tints have a meaning: physics knows no sizes here.
#include "robot/motor_bench.h"
#include "robot/solid.h"

static const double axis = 0.18; // height of the shaft [m]

const ib_Geometry *ib__motor_bench_geometry(const ib_MotorBenchConfig *config, ib_Arena *arena)
{
    static const ib_FrameDef frames[] = {
        {.name = "bench", .body = true},
        {.name = "motor", .parent = "bench", .place = {0, 0, 0.18}},
        {.name = "shaft", .parent = "motor", .turn = {NULL, NULL, "motor.angle"}},
    };
    ib_SolidDef solids[] = {
        ib_solid_block("plate", "bench", (double[]){0, 0, 0.01}, (double[]){0.5, 0.3, 0.02},
                       IB_COLOUR_BATTEN),
        ib_solid_block("stand of the motor", "bench", (double[]){-0.12, 0, 0.07},
                       (double[]){0.1, 0.06, 0.1}, IB_COLOUR_DARK),
        ib_solid_block("stand of the shaft", "bench", (double[]){0.02, 0, 0.1},
                       (double[]){0.03, 0.05, 0.19}, IB_COLOUR_DARK),
        ib_solid_along_x("motor", "motor", (double[]){-0.12, 0, 0}, 0.06, 0.14, IB_COLOUR_METAL),
        ib_solid_along_x("shaft", "shaft", (double[]){0.06, 0, 0}, 0.012, 0.26, IB_COLOUR_TYRE),
        ib_solid_along_x("flywheel", "shaft", (double[]){0.12, 0, 0}, 0.14, 0.03, IB_COLOUR_BUMPER),
        // Off the axis, so that one sees it turn.
        ib_solid_block("index of the flywheel", "shaft", (double[]){0.12, 0, 0.075},
                       (double[]){0.036, 0.03, 0.11}, IB_COLOUR_FRONT),
        ib_solid_block("spoke of the flywheel", "shaft", (double[]){0.12, 0, -0.075},
                       (double[]){0.034, 0.02, 0.11}, IB_COLOUR_DARK),
        ib_solid_block("brake", "bench", (double[]){0.12, 0, axis + 0.14},
                       (double[]){0.06, 0.09, 0.05}, IB_COLOUR_DARK),
    };
    enum { COUNT = sizeof solids / sizeof solids[0], MOTOR = 3, BRAKE = COUNT - 1 };
    solids[MOTOR] =
        ib_solid_tinted(solids[MOTOR], "motor.current", "current", config->motor.stall_current);
    solids[BRAKE] = ib_solid_tinted(solids[BRAKE], "brake.torque", "braking torque",
                                    config->motor.stall_torque);
    ib_Geometry look = {.frames = frames,
                        .frame_count = sizeof frames / sizeof frames[0],
                        .solids = solids,
                        .solid_count = COUNT};
    return ib_geometry_keep(&look, arena);
}

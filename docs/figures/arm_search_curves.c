// docs/figures/arm_search_curves.c: prints the curves of docs/design/arm_search.md as CSV, from the
// code that they describe: th1, th2 and the hand's x, z. Built and run by
// docs/figures/design.sh. Blocks: edges of what is blocked, detour, optimum, MPC, straight.
#include "../../src/control/arm/arm_mpc.h"
#include "../../src/design/arm/arm_search.h"
#include "../../test/control/scene_rig.h"

#include <stdio.h>

enum { COUNT = 801, GRID = 500 };

static ib_ArmPoint points[COUNT];
static double v[COUNT], t[COUNT], work[4 * COUNT];
static ib_ArmTiming timing = {v, t, work};
static ib_Error error;

static void print(const ib_ArmTask *task, const double th[2])
{
    double hand[2];
    ib_two_link_hand(&task->arm.link, th, hand);
    printf("%.4f,%.4f,%.4f,%.4f\n", th[0], th[1], hand[0], hand[1]);
}

static void print_path(const ib_ArmTask *task)
{
    for (int k = 0; k < COUNT; k += 8) print(task, points[k].th);
    printf("\n\n");
}

// Where the distance changes its sign between neighbours of a grid.
static void print_edges(const ib_ArmTask *task)
{
    for (int row = 0; row < GRID; row++)
        for (int column = 0; column < GRID; column++) {
            const double h = 2.8 / GRID, th[2] = {-0.8 + h * row, -1.2 + h * column};
            const double right[2] = {th[0] + h, th[1]}, up[2] = {th[0], th[1] + h};
            bool in = ib_arm_scene_near(&task->scene, th).distance < 0;
            if (in != (ib_arm_scene_near(&task->scene, right).distance < 0) ||
                in != (ib_arm_scene_near(&task->scene, up).distance < 0))
                print(task, th);
        }
    printf("\n\n");
}

// 3 s of MPC on the plant, which Euler's rule moves by 0.1 ms.
static void print_mpc(const ib_ArmTask *task)
{
    ib_ArmMpcConfig config = ib_arm_mpc_default();
    ib_ArmMpc mpc;
    double x[4] = {task->errand.start[0], task->errand.start[1], 0, 0}, volts[2] = {0, 0};
    memcpy(config.goal, task->errand.goal, sizeof config.goal);
    config.discs = task->scene.discs;
    for (int k = 0; k < config.discs; k++) {
        memcpy(config.place[k], task->scene.disc[k].place, sizeof config.place[k]);
        config.radius[k] = task->scene.disc[k].radius + task->scene.radius;
    }
    ib_arm_mpc_reset(&task->arm, x, &mpc);
    for (int k = 0; k < 30000; k++) {
        double T[2], a[2];
        if (k % 150 == 0) {
            ib_arm_mpc_update(&config, &task->arm, x, &mpc, volts);
            print(task, x);
        }
        for (int i = 0; i < 2; i++)
            T[i] = task->arm.gear[i].push * volts[i] - task->arm.gear[i].drag * x[2 + i];
        ib_two_link_forward(&task->arm.link, x, x + 2, T, task->arm.gravity, a);
        for (int i = 0; i < 2; i++) x[i] += 1e-4 * x[2 + i], x[2 + i] += 1e-4 * a[i];
    }
    printf("\n\n");
}

int main(void)
{
    ib_ArmTask task = {
        .arm = reference_arm(), .limits = reference_limits(12), .scene = rig_scene()};
    ib_ArmSearchConfig config = ib_arm_search_default();
    ib_ArmBaseline base;
    ib_ArmSearch found;
    memcpy(task.errand.start, RIG_START, sizeof RIG_START);
    memcpy(task.errand.goal, RIG_GOAL, sizeof RIG_GOAL);
    print_edges(&task);
    if (ib_arm_baseline(&task, 0.2, COUNT, points, &timing, &base, &error) != IB_OK) return 1;
    print_path(&task);
    if (ib_arm_search(&task, &config, COUNT, points, &timing, &found, &error) != IB_OK) return 1;
    print_path(&task);
    print_mpc(&task);
    if (ib_arm_path_straight(RIG_START, RIG_GOAL, COUNT, points, &error) != IB_OK) return 1;
    print_path(&task);
    return 0;
}

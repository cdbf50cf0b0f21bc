// control/arm/arm_mpc_controller.c: an arm goes to named goals by model predictive control, a short
// way ahead at every tick. It takes the arm, the goals, the voltages and the discs of a plan, not
// the ways, with which it is compared. docs/design/arm_search.md
//   control: {arm: {kind: arm_mpc, plan: ../plans/arm.yaml, horizon: 0.3 s}}
//   inputs:  {arm.goal: high}
#include "base/extreme.h"
#include "control/arm/arm_linear.h"
#include "control/arm/arm_mpc.h"
#include "control/arm/arm_ports.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static_assert((int)IB_ARM_MPC_DISCS >= (int)IB_ARM_DISCS, "all discs of a plan have a place");

typedef struct Config {
    ib_WiringConfig wiring;
    double horizon, volts, keep;
    int rounds;
    double position, velocity, effort, end_position, end_velocity, clearance;
} Config;

typedef struct Model {
    ib_ArmMpcConfig mpc; ///< its goal is that of the command
    const ib_ArmPlan *plan;
} Model;

// All that it remembers.
enum {
    AWAKE,        ///< 1: it has had a sample
    AT,           ///< th1, th2, w1, w2, as measured last
    END = AT + 4, ///< th1, th2 where its plan ends
    COST = END + 2,
    PLAN, ///< voltages, two a step
};

// ----------------------------------------------------------------------------------------- signals

enum {
    S_GOAL,              ///< th1, th2
    S_HAND = S_GOAL + 2, ///< x, z
    S_END = S_HAND + 2,  ///< th1, th2
    S_LEFT = S_END + 2,
    S_COST,
    S_CLEAR, ///< last: only where there are discs
    S_COUNT,
};

static const ib_SignalDef signals[S_COUNT] = {
    [S_GOAL] = {"goal.theta1", "rad", "angle of the first link at its goal", 0,
                IB_MEANS(.shown = "deg")},
    {"goal.theta2", "rad", "angle of the second link at its goal", 0, IB_MEANS(.shown = "deg")},
    [S_HAND] = {"hand.goal.x", "m", "where the hand is at its goal, forward of the first joint", 0},
    {"hand.goal.z", "m", "where the hand is at its goal, above the first joint", 0},
    [S_END] = {"end.theta1", "rad", "angle of the first link at the end of the horizon, as planned",
               0, IB_MEANS(.shown = "deg")},
    {"end.theta2", "rad", "angle of the second link at the end of the horizon, as planned", 0,
     IB_MEANS(.shown = "deg")},
    [S_LEFT] = {"left", "rad", "how far it is from its goal: root of the squares of both angles",
                0},
    [S_COST] = {"cost", "1", "what its plan costs: the sum that it makes small", 0},
    [S_CLEAR] = {"clear", "m",
                 "distance of the hand's edge from the nearest disc until the next tick, at the "
                 "least; < 0: it touches",
                 0},
};

// ------------------------------------------------------------------------------------------- ports

// A requirement of the plan that this kind does not keep; NULL: none.
static const char *beyond(const ib_ArmPlan *plan)
{
    const ib_ArmLimits *limits = &plan->limits;
    const ib_ArmScene *scene = &plan->scene;
    if (scene->clear == IB_ARM_CLEAR_LINKS) return "links that stay clear";
    if (isfinite(scene->elbow_low) || isfinite(scene->elbow_high)) return "limits of the elbow";
    for (int i = 0; i < 2; i++) {
        if (isfinite(scene->low[i]) || isfinite(scene->high[i])) return "limits of joints";
        if (isfinite(limits->acceleration[i])) return "a limit of acceleration";
        if (isfinite(limits->current[i])) return "a limit of current";
        if (isfinite(limits->speed[i])) return "a limit of speed";
    }
    return limits->resistance > 0 ? "a battery that sags" : NULL;
}

static double worth(double error)
{
    return 1 / (error * error);
}

static void weigh(const Config *config, const ib_ArmPlan *plan, ib_ArmMpcConfig *mpc)
{
    *mpc = ib_arm_mpc_default();
    mpc->step = config->wiring.period;
    mpc->rounds = config->rounds;
    mpc->error = worth(config->position);
    mpc->speed = worth(config->velocity);
    mpc->effort = worth(config->effort);
    mpc->end = worth(config->end_position);
    mpc->end_speed = worth(config->end_velocity);
    mpc->push = worth(config->clearance);
    mpc->keep = config->keep;
    mpc->most = ib_min(config->volts, ib_min(plan->limits.volts[0], plan->limits.volts[1]));
    mpc->discs = plan->scene.discs;
    for (int k = 0; k < mpc->discs; k++) {
        const ib_ArmDisc *disc = &plan->scene.disc[k];
        memcpy(mpc->place[k], disc->place, sizeof mpc->place[k]);
        mpc->radius[k] = disc->radius + (plan->scene.radius + plan->margin);
    }
}

static ib_Status check(const Config *config, const ib_ArmPlan *plan, double steps, ib_Error *error)
{
    if (beyond(plan))
        return ib_error_set(error, IB_BAD_INPUT,
                            "plan: it has %s, which `kind: arm_mpc` does not keep: expected limits "
                            "of voltage and discs for the hand alone",
                            beyond(plan));
    if (!(steps >= 1 && steps < IB_ARM_MPC_STEPS + 1))
        return ib_error_set(error, IB_BAD_INPUT,
                            "horizon: %g s is %.3g periods of %g s: expected 1 to %d of them",
                            config->horizon, steps - 0.5, config->wiring.period, IB_ARM_MPC_STEPS);
    return IB_OK;
}

static ib_Status init(const void *config_, const ib_ControlSite *site, ib_Arena *arena,
                      void *model_, ib_ControlPorts *ports, ib_Error *error)
{
    const Config *config = config_;
    Model *model = model_;
    double steps = config->horizon / config->wiring.period + 0.5, most = config->volts;
    ib_Status status = ib__arm_open(&config->wiring, NULL, site, true, arena, &most, ports, error);
    if (status == IB_OK) status = check(config, site->plan, steps, error);
    if (status != IB_OK) return status;
    model->plan = site->plan;
    weigh(config, model->plan, &model->mpc);
    model->mpc.steps = (int)steps;
    model->mpc.most = ib_min(model->mpc.most, most);
    ports->state_count = PLAN + 2 * model->mpc.steps;
    ports->signal_count = model->mpc.discs > 0 ? S_COUNT : S_CLEAR;
    ports->signals = signals;
    return IB_OK;
}

// -------------------------------------------------------------------------------------- one period

// With a missing sample the plan goes on. Before the first one the output is 0.
static void go_blind(const ib_ArmMpcConfig *mpc, double *state, double *output)
{
    double *u = state + PLAN;
    if (state[AWAKE] == 0) return;
    memmove(u, u + 2, (size_t)(2 * mpc->steps - 2) * sizeof *u);
    memcpy(output, u, 2 * sizeof *u);
}

static ib_ControlStatus step(const void *model_, const ib_ControlTick *tick, double *state,
                             double *output)
{
    const Model *model = model_;
    const double *x = tick->measurement;
    ib_ArmMpcConfig config = model->mpc;
    ib_ArmMpc mpc = {0};
    size_t size = (size_t)(2 * config.steps) * sizeof *state;
    output[0] = output[1] = 0;
    if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]) && isfinite(x[3]))) {
        go_blind(&config, state, output);
        return IB_CONTROL_OK;
    }
    const ib_ArmGoal *goal = &model->plan->goals[ib__arm_goal(model->plan, tick->command[0])];
    memcpy(config.goal, goal->th, sizeof config.goal);
    memcpy(mpc.u, state + PLAN, size);
    if (state[AWAKE] == 0) ib_arm_mpc_reset(&model->plan->plant, x, &mpc);
    ib_arm_mpc_update(&config, &model->plan->plant, x, &mpc, output);
    state[AWAKE] = 1;
    memcpy(state + AT, x, 4 * sizeof *x);
    memcpy(state + END, mpc.x[config.steps], 2 * sizeof *x);
    state[COST] = mpc.cost;
    memcpy(state + PLAN, mpc.u, size);
    return IB_CONTROL_OK;
}

enum { LOOKS = 10 }; ///< between two ticks

// The remaining margin to the nearest disc until the next tick, by the arm's own dynamics under the
// held voltages; between two samples along a straight line. (Plans with limits are refused: only
// discs can be near.)
static double clearance(const Model *model, const double *state)
{
    const ib_ArmPlan *plan = model->plan;
    const double *at = state + AT, *volts = state + PLAN;
    double x[IB_ARM_X] = {at[0], at[2], at[1], at[3]}, from[2] = {at[0], at[1]};
    double least = ib_arm_scene_near(&plan->scene, from).distance;
    for (int i = 0; state[AWAKE] != 0 && i < LOOKS; i++) {
        ib_arm_advance(&plan->plant, volts, model->mpc.step / LOOKS, x);
        const double to[2] = {x[IB_ARM_TH1], x[IB_ARM_TH2]};
        least = ib_min(least, ib_arm_scene_line(&plan->scene, from, to).distance);
        memcpy(from, to, sizeof from);
    }
    return least - plan->margin;
}

static void show(const void *model_, const double *command, const double *state, double *y)
{
    const Model *model = model_;
    const ib_ArmPlan *plan = model->plan;
    const double *goal = plan->goals[ib__arm_goal(plan, command[0])].th;
    double off[2] = {state[AT] - goal[0], state[AT + 1] - goal[1]};
    memcpy(y + S_GOAL, goal, 2 * sizeof *y);
    ib_two_link_hand(&plan->plant.link, goal, y + S_HAND);
    memcpy(y + S_END, state + END, 2 * sizeof *y);
    y[S_LEFT] = sqrt(off[0] * off[0] + off[1] * off[1]);
    y[S_COST] = state[COST];
    if (model->mpc.discs > 0) y[S_CLEAR] = clearance(model, state);
}

// -------------------------------------------------------------------------------------------- kind

#define NUMBER(key, unit, fallback, low, high, field, sentence)                                    \
    IB_PARAM_ROW(key, IB_PARAM_NUMBER, unit, fallback, low, high, NULL, Config, field, false,      \
                 sentence)

static const ib_Param params[] = {
    IB_WIRING_ROWS_OF("the angles of both links, then their rates: names of robot.sensors, or of "
                      "signals, sampled ideally; none: ideally"),
    IB_PARAM_ROW("period", IB_PARAM_NUMBER, "s", "15 ms", 1e-3, 0.05, NULL, ib_WiringConfig, period,
                 false, "time between two samples, and the step of its horizon"),
    NUMBER("horizon", "s", "0.3 s", 1e-3, 10, horizon,
           "how far it looks ahead: 1 to 64 periods, rounded to whole ones"),
    IB_PARAM_ROW("rounds", IB_PARAM_COUNT, "1", "10", 1, 1000, NULL, Config, rounds, false,
                 "how often it may better its plan in a period"),
    NUMBER("volts", "V", "12 V", 1e-3, 1e4, volts, "largest voltage that it asks for"),
    NUMBER("clearance", "m", "2 cm", 0, 10, keep,
           "distance of the hand from a disc from which on it costs nothing"),
    NUMBER("weights.position", "rad", "1 rad", 1e-6, 1e6, position,
           "error of an angle that costs 1, in each step"),
    NUMBER("weights.velocity", "rad/s", "30 rad/s", 1e-6, 1e6, velocity,
           "rate that costs 1, in each step"),
    NUMBER("weights.volts", "V", "100 V", 1e-3, 1e6, effort, "voltage that costs 1, in each step"),
    NUMBER("weights.end_position", "rad", "0.22 rad", 1e-6, 1e6, end_position,
           "error of an angle that costs 1 at the end of the horizon"),
    NUMBER("weights.end_velocity", "rad/s", "1.4 rad/s", 1e-6, 1e6, end_velocity,
           "rate that costs 1 at the end of the horizon"),
    NUMBER("weights.clearance", "m", "7 mm", 1e-6, 1e3, clearance,
           "what is lacking of `clearance` that costs 1, in each step"),
};

const ib_ControllerKind ib_arm_mpc_kind = {
    .name = "arm_mpc",
    .sentence = "an arm of two links goes to named goals by model predictive control: it sees a "
                "short way ahead",
    .docs = "docs/design/arm_search.md",
    IB_CONTROLLER_TABLES(Config, Model),
    .planned = true,
    .wayless = true,
    .init = init,
    .step = step,
    .show = show,
};

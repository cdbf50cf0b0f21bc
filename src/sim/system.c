// sim/system.c: all robots as one system: its rates for the solver, and its guards.
#include "sim/contact/contact.h"
#include "sim/sim_inside.h"

#include <string.h>

const double *ib__sim_input_at(const ib_Sim *sim, double t)
{
    if (!sim->ramps) return sim->input;
    for (int i = 0; i < sim->model->input_count; i++)
        sim->ramped_input[i] = sim->input[i] + sim->slope[i] * t;
    return sim->ramped_input;
}

static void rate_of_all(const void *context, double t, const double *state, double *rate)
{
    const ib_Sim *sim = context;
    const ib_Model *model = sim->model;
    const double *input = ib__sim_input_at(sim, sim->piece_from + t);
    if (model->continuous_count > 0) input = ib__sim_apply_continuous(sim, state, input, rate);
    for (int i = 0; i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (robot->kind->integrator || ib__sim_rides(sim, robot)) {
            memset(rate + robot->state, 0, (size_t)robot->ports.state_count * sizeof *rate);
            continue;
        }
        robot->kind->rate(robot->model, state + robot->state,
                          ib__sim_own_input(sim, robot, state, input), rate + robot->state);
    }
    if (sim->resting > 0) ib__contact_rate(sim, sim->piece_from + t, state, rate);
}

// One robot with steady inputs, by far the most frequent case, needs no loop and no time.
static void rate_of_one(const void *context, double t, const double *state, double *rate)
{
    const ib_Sim *sim = context;
    const ib_RobotModel *robot = sim->model->robots;
    (void)t;
    robot->kind->rate(robot->model, state, sim->input, rate);
}

// Rates of some robots alone, if none feels another: the others stay in place.
static void rate_of_some(const void *context, double t, const double *state, double *rate)
{
    const ib_Sim *sim = context;
    const double *input = ib__sim_input_at(sim, sim->piece_from + t);
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        if (sim->looked_at[i])
            robot->kind->rate(robot->model, state + robot->state, input + robot->input,
                              rate + robot->state);
        else
            memset(rate + robot->state, 0, (size_t)robot->ports.state_count * sizeof *rate);
    }
}

bool ib__sim_is_decoupled(const ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    return model->robot_count > 1 && sim->resting == 0 && !model->relief && !model->riders &&
           model->continuous_count + model->external_count == 0 && !sim->adaptive &&
           !ib_solver_implicit(model->config->solver.kind);
}

ib_System ib__sim_system_of_some(const ib_Sim *sim)
{
    return (ib_System){
        .count = sim->model->robot_state_count, .rate = rate_of_some, .context = sim};
}

// df/dx of all robots, each of which knows its own: none feels another where nothing rests.
static bool jacobian_of_all(const void *context, double t, const double *state, double *jacobian)
{
    const ib_Sim *sim = context;
    const ib_Model *model = sim->model;
    const double *input = ib__sim_input_at(sim, sim->piece_from + t);
    size_t count = (size_t)model->robot_state_count;
    bool known = true;
    memset(jacobian, 0, count * count * sizeof *jacobian);
    for (int i = 0; known && i < model->robot_count; i++) {
        const ib_RobotModel *robot = &model->robots[i];
        if (ib__sim_rides(sim, robot)) continue; // its rates are zero
        known = robot->kind->jacobian(robot->model, state + robot->state,
                                      ib__sim_own_input(sim, robot, state, input),
                                      jacobian + (count + 1) * (size_t)robot->state, (int)count);
    }
    return known;
}

// The same for one that stands against something.
static void rate_of_standing(const void *context, double t, const double *state, double *rate)
{
    const ib_Sim *sim = context;
    rate_of_one(context, t, state, rate);
    ib__contact_rate(sim, sim->piece_from + t, state, rate);
}

// Rates for differences: contacts keep their pattern, and sleeping bodies stay asleep.
static void frozen_rate(const void *context, double t, const double *state, double *rate)
{
    const ib_Sim *sim = context;
    sim->contacts->stay_asleep = true;
    ib_world_follow(sim->contacts->workspace, true);
    sim->system.rate(context, t, state, rate);
    ib_world_follow(sim->contacts->workspace, false);
    sim->contacts->stay_asleep = false;
}

ib_System ib__sim_system(const ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    bool single =
        model->robot_count == 1 && !sim->ramps && !model->relief && model->continuous_count == 0;
    bool stands = sim->resting > 0 && sim->contacts->all_held;
    bool alone = single && (sim->resting == 0 || stands);
    bool own = sim->resting == 0 && model->continuous_count == 0; // a law acts through the rates
    return (ib_System){
        .count = model->robot_state_count,
        .rate = !alone   ? rate_of_all
                : stands ? rate_of_standing
                         : rate_of_one,
        .jacobian = model->known && own ? jacobian_of_all : NULL,
        .frozen_rate = sim->resting > 0 ? frozen_rate : NULL,
        .context = sim,
        .steady = !sim->ramps && !sim->guests && sim->resting == 0,
    };
}

void ib__sim_rates_ahead(const ib_Sim *sim, double t, const double *state, double *rate, double *g)
{
    const double *input = ib__sim_input_at(sim, sim->piece_from + t);
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        const double *x = state + robot->state;
        const double *own = ib__sim_own_input(sim, robot, state, input);
        if (robot->kind->rate_and_guards) {
            robot->kind->rate_and_guards(robot->model, x, own, rate + robot->state,
                                         g + robot->guard);
            continue;
        }
        robot->kind->rate(robot->model, x, own, rate + robot->state);
        if (robot->ports.guard_count > 0)
            robot->kind->guard(robot->model, x, own, g + robot->guard);
    }
}

void ib__sim_guards(const void *context, double t, const double *state, double *g)
{
    const ib_Sim *sim = context;
    const double *input =
        ib__sim_continuous_input(sim, state, ib__sim_input_at(sim, sim->piece_from + t));
    for (int i = 0; i < sim->model->robot_count; i++) {
        const ib_RobotModel *robot = &sim->model->robots[i];
        if (robot->ports.guard_count > 0)
            robot->kind->guard(robot->model, state + robot->state,
                               ib__sim_own_input(sim, robot, state, input), g + robot->guard);
    }
}

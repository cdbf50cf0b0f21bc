#include "sim/contact/bodies.h"

#include "robot/planar.h"

const ib_RobotModel *ib__robot_of(const ib_Model *model, int body)
{
    return &model->robots[model->body_robots[body]];
}

void ib__bodies_find(const ib_Model *model, const double *state, ib_BodyState *bodies)
{
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_RobotModel *robot = ib__robot_of(model, i);
        ib_Motion m;
        ib_planar_motion(robot->ports.planar, state + robot->state, NULL, &m);
        bodies[i] = (ib_BodyState){m.x, m.y, m.heading, m.vx, m.vy, m.w};
    }
}

// Inputs like all others.
void ib__bodies_find_movers(const ib_Sim *sim, const double *input, double t, ib_BodyState *movers)
{
    const double *value = input + sim->model->mover_input;
    const double *slope = sim->slope + sim->model->mover_input;
    for (int i = 0; i < sim->model->world->mover_count; i++, value += 3, slope += 3)
        movers[i] = (ib_BodyState){.x = value[0] + slope[0] * t,
                                   .y = value[1] + slope[1] * t,
                                   .heading = value[2] + slope[2] * t,
                                   .vx = slope[0],
                                   .vy = slope[1],
                                   .w = slope[2]};
}

static void find_masses(const ib_Model *model, const double *state, double *masses)
{
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_RobotModel *robot = ib__robot_of(model, i);
        ib_planar_inverse_mass(robot->ports.planar, robot->kind, robot->model, state + robot->state,
                               masses + 9 * i);
    }
}

void ib__bodies_find_all(const ib_Sim *sim, const double *input, double t, const double *state)
{
    ib__Contacts *contacts = sim->contacts;
    ib__bodies_find(sim->model, state, contacts->bodies);
    ib__bodies_find_movers(sim, input, t, contacts->movers);
    find_masses(sim->model, state, contacts->masses);
}

void ib__bodies_find_free(const ib_Sim *sim, const double *state, const double *input)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->world->body_count; i++) {
        const ib_RobotModel *robot = ib__robot_of(model, i);
        double *rate = sim->course_state + robot->state;
        ib_Motion m;
        sim->contacts->free[i] = (ib_Push){0, 0, 0};
        if (ib__sim_rides(sim, robot)) continue;
        robot->kind->rate(robot->model, state + robot->state,
                          ib__sim_own_input(sim, robot, state, input), rate);
        ib_planar_motion(robot->ports.planar, state + robot->state, rate, &m);
        sim->contacts->free[i] = (ib_Push){m.ax, m.ay, m.alpha};
    }
}

#include "sim/contact/rider.h"

#include "base/maths.h"
#include "robot/planar.h"
#include "sim/contact/bodies.h"
#include "sim/contact/contact.h"

#include <math.h>
#include <string.h>

#define HEAVIEST 0.1 ///< of all that rides on a robot, as part of its own mass

static const ib_Mode carried_mode = {
    .kind = IB_MODE_STATE,
    .meanings = {{"it is let go", IB_MODE_INFO}, {"it is carried", IB_MODE_INFO}}};

static const ib_SignalDef carried_signal = {"carried", "1", "1: it rides on its carrier", 0,
                                            IB_MEANS(.mode = &carried_mode, .binary = true)};

// -------------------------------------------------------------------------------------------- init

static int find_robot(const ib_Model *model, const char *name)
{
    for (int i = 0; i < model->robot_count; i++)
        if (strcmp(model->robots[i].name, name) == 0) return i;
    return -1;
}

ib_Status ib_carried_check(const ib_RobotPorts *body, const ib_RobotPorts *carrier,
                           bool carrier_rides, double others, ib_Error *error)
{
    const ib_PlanarModel *planar = body->planar;
    if (!planar || planar->own_axes || body->guard_count > 0 ||
        body->input_count > IB_ENVIRONMENT_COUNT)
        return ib_error_set(error, IB_BAD_INPUT,
                            "only what has no drive and no mechanisms is carried: expected a box, "
                            "a disc or a ball");
    if (!carrier->planar)
        return ib_error_set(error, IB_BAD_INPUT,
                            "by: its carrier has no place on the floor: expected a robot that has");
    if (carrier_rides)
        return ib_error_set(error, IB_BAD_INPUT,
                            "by: its carrier is carried itself: expected one that is not");
    double mass = 1 / planar->per_mass, most = HEAVIEST / carrier->planar->per_mass;
    if (mass + others > most)
        return ib_error_set(error, IB_BAD_INPUT,
                            "all that rides on a robot weighs nothing for it, which is wrong for "
                            "%.4g kg: expected at most a tenth of its mass, %.4g kg",
                            mass + others, most);
    return IB_OK;
}

// Mass of the riders already on this robot [kg].
static double mass_on(const ib_Model *model, const struct ib__Riders *riders, int carrier)
{
    double sum = 0;
    for (int i = 0; i < riders->count; i++)
        if (riders->items[i].carrier == carrier)
            sum += 1 / model->robots[riders->items[i].robot].ports.planar->per_mass;
    return sum;
}

static ib_Status add(ib_Model *model, struct ib__Riders *riders, int robot, ib_Error *error)
{
    const ib_CarriedConfig *config = model->config->robots[robot].carried;
    int carrier = find_robot(model, config->by);
    if (carrier < 0 || carrier == robot)
        return ib_error_set(error, IB_BAD_INPUT, "%s is carried by '%s', which is no other robot",
                            model->robots[robot].name, config->by);
    ib_Status status = ib_carried_check(&model->robots[robot].ports, &model->robots[carrier].ports,
                                        model->config->robots[carrier].carried != NULL,
                                        mass_on(model, riders, carrier), error);
    if (status != IB_OK) return status;
    ib_RobotModel *own = &model->robots[robot];
    int signal = ib_signals_add(&model->signals, own->name, &carried_signal, 1);
    if (signal < 0) return ib_error_set(error, IB_FAILED, "out of memory for what is carried");
    own->rider = riders->count;
    riders->items[riders->count++] = (ib__Rider){.robot = robot,
                                                 .carrier = carrier,
                                                 .x = config->x,
                                                 .y = config->y,
                                                 .heading = config->heading,
                                                 .config = config,
                                                 .signal = signal};
    return IB_OK;
}

ib_Status ib__riders_create(ib_Model *model, ib_Arena *arena, ib_Error *error)
{
    int count = 0;
    for (int i = 0; i < model->robot_count; i++) count += model->config->robots[i].carried != NULL;
    if (count == 0) return IB_OK;
    struct ib__Riders *riders = ib_arena_alloc(arena, sizeof *riders);
    if (riders) riders->items = ib_arena_array(arena, (size_t)count, sizeof *riders->items);
    if (!riders || !riders->items)
        return ib_error_set(error, IB_FAILED, "out of memory for what is carried");
    ib_Status status = IB_OK;
    for (int i = 0; status == IB_OK && i < model->robot_count; i++)
        if (model->config->robots[i].carried) status = add(model, riders, i, error);
    model->riders = riders;
    return status;
}

void ib__riders_lay_out(ib_Model *model)
{
    const ib_World *world = model->world;
    for (int i = 0; model->riders && i < model->riders->count; i++) {
        ib__Rider *rider = &model->riders->items[i];
        rider->state = model->state_count;
        model->state_count += 1 + (world ? world->element_count + world->body_count : 0);
    }
}

// --------------------------------------------------------------------------------------- who rides

// The pair of a rider's body and a partner: elements first, then bodies; -1: itself.
static int pair_with(const ib_World *world, int body, int partner)
{
    int other = partner - world->element_count;
    if (other < 0) return body * world->element_count + partner;
    return other == body ? -1 : ib_world_pair_of_bodies(world, body, other);
}

static int partner_count(const ib_Model *model, const ib__Rider *rider)
{
    if (!model->world || model->robots[rider->robot].body < 0) return 0;
    return model->world->element_count + model->world->body_count;
}

// Marks the pairs of a rider that pass through each other now. Returns the number of those not due
// to riding.
static int mark_pairs(ib_Sim *sim, const ib__Rider *rider)
{
    const ib_Model *model = sim->model;
    const double *own = sim->state + rider->state;
    int count = 0;
    for (int k = 0; k < partner_count(model, rider); k++) {
        int pair = pair_with(model->world, model->robots[rider->robot].body, k);
        if (pair < 0) continue;
        if (own[0] != 0 || own[1 + k] != 0) sim->contacts->passes[pair] = 1;
        count += own[1 + k] != 0;
    }
    return count;
}

void ib__riders_recall(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    sim->riding = 0;
    if (!model->riders) return;
    if (model->world) memset(sim->contacts->passes, 0, (size_t)model->world->pair_count);
    for (int i = 0; i < model->riders->count; i++) {
        const ib__Rider *rider = &model->riders->items[i];
        bool rides = sim->state[rider->state] != 0;
        sim->rides[rider->robot] = rides;
        sim->riding += rides + mark_pairs(sim, rider);
    }
}

void ib__riders_reset(ib_Sim *sim)
{
    const ib_Model *model = sim->model;
    for (int i = 0; model->riders && i < model->riders->count; i++)
        sim->state[model->riders->items[i].state] = 1;
    ib__riders_recall(sim);
    if (sim->riding > 0) ib__riders_follow(sim, sim->state);
}

// ---------------------------------------------------------------------------------------- carrying

// Kinetic energy of a free body [J].
static double kinetic(const ib_PlanarModel *planar, const double *own)
{
    double vx = own[planar->velocity[0]], vy = own[planar->velocity[1]], w = own[planar->yaw_rate];
    return 0.5 * ((vx * vx + vy * vy) / planar->per_mass + w * w / planar->per_inertia);
}

static void follow(const ib_Model *model, const ib__Rider *rider, double *state)
{
    const ib_RobotModel *carrier = &model->robots[rider->carrier];
    const ib_PlanarModel *planar = model->robots[rider->robot].ports.planar;
    double *own = state + model->robots[rider->robot].state, before = kinetic(planar, own), s, c;
    ib_Motion m;
    ib_planar_motion(carrier->ports.planar, state + carrier->state, NULL, &m);
    ib_sincos(m.heading, &s, &c);
    double rx = c * rider->x - s * rider->y, ry = s * rider->x + c * rider->y;
    own[planar->x] = m.x + rx;
    own[planar->y] = m.y + ry;
    own[planar->heading] = m.heading + rider->heading;
    own[planar->velocity[0]] = m.vx - m.w * ry;
    own[planar->velocity[1]] = m.vy + m.w * rx;
    own[planar->yaw_rate] = m.w;
    if (planar->push_energy >= 0) own[planar->push_energy] += kinetic(planar, own) - before;
}

void ib__riders_follow(const ib_Sim *sim, double *state)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->riders->count; i++)
        if (sim->rides[model->riders->items[i].robot])
            follow(model, &model->riders->items[i], state);
}

// -------------------------------------------------------------------------------------- letting go

// Releases it; it passes through bodies that it then overlaps or touches.
static void let_go(ib_Sim *sim, const ib__Rider *rider)
{
    const ib_Model *model = sim->model;
    double *own = sim->state + rider->state;
    own[0] = 0;
    for (int k = 0; k < partner_count(model, rider); k++) {
        int pair = pair_with(model->world, model->robots[rider->robot].body, k);
        if (pair < 0) continue;
        own[1 + k] = ib_world_gap(model->world, pair, sim->contacts->bodies,
                                  sim->contacts->movers) <= IB_TOUCH_GAP;
    }
}

// True if it has separated from a body that it passed through.
static bool comes_clear(ib_Sim *sim, const ib__Rider *rider)
{
    const ib_Model *model = sim->model;
    double *own = sim->state + rider->state;
    bool some = false;
    for (int k = 0; k < partner_count(model, rider); k++) {
        if (own[1 + k] == 0) continue;
        int pair = pair_with(model->world, model->robots[rider->robot].body, k);
        if (ib_world_gap(model->world, pair, sim->contacts->bodies, sim->contacts->movers) <=
            IB_TOUCH_GAP)
            continue;
        own[1 + k] = 0;
        some = true;
    }
    return some;
}

void ib__sim_let_go(ib_Sim *sim, double after)
{
    const ib_Model *model = sim->model;
    bool changes = false;
    const double *signals = ib__watch_filter_recall(sim, ib__sim_input_at(sim, after));
    if (!signals) {
        ib__sim_evaluate_at(sim, sim->state, after, sim->rider_parts, sim->look_signals);
        signals = sim->look_signals;
    }
    if (model->world) {
        ib__bodies_find(model, sim->state, sim->contacts->bodies);
        ib__bodies_find_movers(sim, sim->input, after, sim->contacts->movers);
    }
    for (int i = 0; i < model->riders->count; i++) {
        const ib__Rider *rider = &model->riders->items[i];
        const ib_CarriedConfig *config = rider->config;
        if (!sim->rides[rider->robot]) {
            changes |= comes_clear(sim, rider);
            continue;
        }
        double y = config->signal >= 0 ? signals[config->signal] : NAN;
        if (!(y >= config->low && y <= config->high)) continue;
        let_go(sim, rider);
        changes = true;
    }
    if (!changes) return;
    ib__riders_recall(sim);
    ib__contact_recall(sim);
    sim->guards_known = false;
}

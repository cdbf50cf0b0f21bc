#include "sim/contact/contact_signals.h"

#include "base/extreme.h"
#include "sim/contact/contact.h"
#include "sim/contact/partners.h"

#include <math.h>
#include <string.h>

// Adds one more: without room, the weakest is dropped. Among equals the later one is.
static void take(ib__Slots *slots, const ib_PushPoint *point)
{
    slots->all++;
    if (slots->count < IB_CONTACT_SLOTS) {
        slots->points[slots->count++] = point;
        return;
    }
    int weakest = -1;
    double least = ib_point_size(point);
    for (int i = IB_CONTACT_SLOTS - 1; i >= 0; i--) {
        double own = ib_point_size(slots->points[i]);
        if (!(own < least)) continue;
        weakest = i;
        least = own;
    }
    if (weakest < 0) return;
    for (int i = weakest; i < IB_CONTACT_SLOTS - 1; i++) slots->points[i] = slots->points[i + 1];
    slots->points[IB_CONTACT_SLOTS - 1] = point;
}

// Push and friction act along the normal and its left on the pair's body, and along the opposite of
// both on the other one: friction has the same sign for both. A sticking pair may have a residual
// speed, by which friction would seem to add energy: its power counts as 0.
static void output_slot(const ib_PushPoint *point, int body, double *y)
{
    double sign = point->body == body ? 1 : -1;
    y[IB_SLOT_X] = point->x;
    y[IB_SLOT_Y] = point->y;
    y[IB_SLOT_NORMAL] = point->push;
    y[IB_SLOT_FRICTION] = point->friction_force;
    y[IB_SLOT_FORCE_X] = sign * (point->push * point->nx - point->friction_force * point->ny);
    y[IB_SLOT_FORCE_Y] = sign * (point->push * point->ny + point->friction_force * point->nx);
    y[IB_SLOT_POWER] = ib_max(0, -point->friction_force * point->slide);
}

static void fill_slots(const ib__Contacts *contacts, int body_count)
{
    memset(contacts->slots, 0, (size_t)body_count * sizeof *contacts->slots);
    for (int i = 0; i < contacts->point_count; i++) {
        const ib_PushPoint *point = &contacts->points[i];
        take(&contacts->slots[point->body], point);
        if (point->other >= 0) take(&contacts->slots[point->other], point);
    }
}

static void output_points(const ib__Slots *slots, int body, double *y)
{
    y[IB_CONTACT_COUNT] = slots->all;
    y[IB_CONTACT_TOUCHING] = slots->all > 0;
    double *slot = y + IB_CONTACT_SLOT;
    memset(slot, 0, (size_t)(IB_CONTACT_SLOTS * IB_SLOT_SIGNALS) * sizeof *slot);
    for (int i = 0; i < slots->count; i++)
        output_slot(slots->points[i], body, slot + IB_SLOT_SIGNALS * i);
}

static void output_hit(const double *hit, double *y)
{
    double jx = hit[IB_HIT_IMPULSE_X], jy = hit[IB_HIT_IMPULSE_Y];
    y[IB_CONTACT_HITS] = hit[IB_HIT_COUNT];
    y[IB_CONTACT_IMPULSE] = sqrt(jx * jx + jy * jy);
    y[IB_CONTACT_HIT_X] = hit[IB_HIT_X];
    y[IB_CONTACT_HIT_Y] = hit[IB_HIT_Y];
    y[IB_CONTACT_HIT_IMPULSE_X] = jx;
    y[IB_CONTACT_HIT_IMPULSE_Y] = jy;
    y[IB_CONTACT_HIT_TAKEN] = hit[IB_HIT_TAKEN];
    y[IB_CONTACT_HIT_TIME] = hit[IB_HIT_TIME];
}

static void output_movers(const ib_Sim *sim, const double *input, double *signals)
{
    const ib_World *world = sim->model->world;
    double *y = signals + sim->model->mover_signal;
    for (int i = 0; i < world->element_count; i++) {
        const ib_WorldElement *e = &world->elements[i];
        const double *offset = input + sim->model->mover_input + 3 * e->mover;
        if (e->mover < 0) continue;
        y[3 * e->mover + 0] = e->x + offset[0];
        y[3 * e->mover + 1] = e->y + offset[1];
        y[3 * e->mover + 2] = e->heading + offset[2];
    }
}

static void output_forces(const ib_Sim *sim, const double *state, const double *input,
                          double *signals)
{
    const ib_Model *model = sim->model;
    const ib__Contacts *contacts = sim->contacts;
    ib__contact_evaluate(sim, state, input);
    fill_slots(contacts, model->world->body_count);
    for (int i = 0; i < model->world->body_count; i++) {
        double *y = signals + model->robots[model->body_robots[i]].contact_signal;
        // Pushes of the size of rounding are no contact.
        static const ib_Push none = {0, 0, 0};
        const ib_Push *f = contacts->slots[i].count > 0 ? &contacts->forces[i] : &none;
        y[IB_CONTACT_FORCE] = sqrt(f->x * f->x + f->y * f->y);
        y[IB_CONTACT_FORCE_X] = f->x;
        y[IB_CONTACT_FORCE_Y] = f->y;
        y[IB_CONTACT_TORQUE] = f->turn;
        output_points(&contacts->slots[i], i, y);
    }
}

void ib__contact_output(const ib_Sim *sim, const double *state, const double *input, bool forces,
                        double *signals)
{
    const ib_Model *model = sim->model;
    for (int i = 0; i < model->world->body_count; i++)
        output_hit(state + model->hit_state + IB_HIT_STATES * i,
                   signals + model->robots[model->body_robots[i]].contact_signal);
    if (forces) output_forces(sim, state, input, signals);
    ib__partners_output(model, state, signals);
    if (model->world->mover_count > 0) output_movers(sim, input, signals);
}

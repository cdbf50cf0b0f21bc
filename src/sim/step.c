// sim/step.c: THE step. docs/architecture.md has one heading per call of ib_sim_step,
// in the same order.
#include "base/extreme.h"
#include "sim/contact/contact.h"
#include "sim/contact/sleep.h"
#include "sim/guest_forces.h"
#include "sim/sim_inside.h"

#include <math.h>

enum {
    MAX_PIECES = 10000, ///< of one step; more is a robot that chatters without end
    MAX_PARTS = 9000,   ///< of one step that a robot asks for from one moment to the next
    SOON_RESTLESS = 20, ///< steps in a while behind one in which contacts wedged
};

// The latest time this step may reach: the next grid point, switch of an input, tick of a sensor or
// a controller, or the end of the run.
static ib_Time how_far(const ib_Sim *sim)
{
    const ib_SimConfig *config = sim->model->config;
    ib_Time stop = ib_time_min(config->duration, sim->inputs_until);
    ib_Time step = sim->model->step;
    ib_Time grid = sim->adaptive ? sim->time + step : ib_time_next(sim->time, step);
    if (sim->adaptive && sim->live) stop = ib_time_min(stop, ib_time_next(sim->time, IB_LIVE_STEP));
    for (int i = 0; i < sim->model->sensor_count; i++)
        stop = ib_time_min(stop, ib_time_next(sim->time, sim->model->sensors[i].config->period));
    for (int i = 0; i < sim->model->control_count; i++)
        stop = ib_time_min(stop, ib__control_next(&sim->model->controls[i], sim->time));
    return ib_time_min(stop, grid);
}

// Hits are counted anew in every step of the grid. An adaptive solver's steps end at hits, and hits
// that never end would never be counted: its count goes on for a while.
static void begin_hits(ib_Sim *sim)
{
    double *tally = sim->state + sim->model->tally_state, now = (double)sim->time;
    tally[IB_TALLY_STEPS] += sim->resting > 0;
    if (sim->adaptive && now - tally[IB_TALLY_SINCE] < (double)IB__WINDOW && sim->steps > 0) return;
    // Contacts that wedged a while ago soon wedge again.
    double most = ib__sim_most_restless(sim), used = ib_max(0, most - SOON_RESTLESS);
    tally[IB_TALLY_STEPS] = tally[IB_TALLY_STEPS] > most ? used : 0;
    tally[IB_TALLY_SINCE] = sim->adaptive ? now : 0;
    tally[IB_TALLY_COUNT] = tally[IB_TALLY_FRUITLESS] = 0;
}

// Proceeds to the next piece and finds its longest length; the first one follows the empty piece
// before the step. False: the step is done, or has too many.
static bool next_piece(ib_Sim *sim, ib__Piece *piece)
{
    if (piece->closes || piece->number > MAX_PIECES) return false;
    piece->number++;
    piece->from += piece->length;
    piece->jumped = piece->jumps || (piece->jumped && piece->length == 0);
    // Bodies that touch and come closer meet at once: no time passes.
    piece->opens = piece->opens && piece->length == 0;
    piece->most = piece->step - piece->from;
    if (sim->model->sudden)
        piece->most = ib_min(piece->most, ib_max(ib__sim_longest(sim), piece->step / MAX_PARTS));
    ib__guests_hold(sim, sim->state, piece->from, piece->most);
    if (sim->resting > 0) {
        if (ib__sleep_begin(sim)) sim->system = ib__sim_system(sim);
        ib__contact_learn(sim, piece->from);
        piece->most = ib__contact_longest(sim, piece->most);
    }
    return true;
}

// Refuses a step with too many pieces: the end of the last of them, and advice.
static ib_Status refuse_chatter(const ib_Sim *sim, const ib__Piece *piece, ib_Error *error)
{
    const ib_Model *model = sim->model;
    const char *first = "what turns there", *second = NULL;
    for (int i = 0; i < model->robot_count; i++)
        if (model->robots[i].guard <= piece->jump.index)
            first = model->robots[i].name[0] ? model->robots[i].name : "the robot";
    if (piece->pair >= 0) ib__contact_names(model, piece->pair, &first, &second);
    bool continuous = false;
    for (int i = 0; i < model->control_count; i++)
        continuous |= model->controls[i].controller->continuous;
    return ib_error_set(error, IB_FAILED,
                        "more than %d jumps or pieces in the step at %.9g s: %s%s%s does not come "
                        "to an end. Another run.step or run.solver may get over it%s",
                        MAX_PIECES, ib_time_to_seconds(sim->time), first, second ? " at " : "",
                        second ? second : "",
                        continuous
                            ? "; of a continuous loop also a law that is less steep (a wider "
                              "layer, less gain), or a period"
                            : "");
}

ib_Status ib_sim_step(ib_Sim *sim, ib_Error *error)
{
    // Input that does not change until a known time need not be read again.
    ib_Status status = IB_OK;
    if (sim->time >= sim->inputs_until || sim->ramps || sim->live) {
        if (sim->time >= sim->inputs_until) {
            ib__step_stability_watch(sim);
            ib__watch_filter_break(sim);
        }
        ib__sim_read_inputs(sim);
        status = ib__sim_begin(sim, sim->state, error);
        if (status != IB_OK) return status;
    }

    bool fresh = ib__sim_sense(sim, sim->state);
    if (ib__sim_control(sim, fresh, sim->state)) {
        ib__guests_hold(sim, sim->state, 0, 0);
        status = ib__sim_settle(sim, 0, sim->state, error);
        if (status != IB_OK) return status;
    }
    sim->begun = sim->time;

    // One piece is the step, unless physics jumps or contacts rest.
    ib_Time stop = how_far(sim);
    ib__Piece piece = {.step = ib_time_to_seconds(stop - sim->time), .opens = true};
    if (sim->model->world) begin_hits(sim);
    if (sim->resting > 0) ib__contact_begin(sim);
    while (next_piece(sim, &piece)) {
        status = ib__piece_integrate(sim, &piece, error);
        if (status != IB_OK) return status;
        ib__sim_record(sim, &piece);
        ib__piece_take_over(sim, &piece);
        if (piece.jumps) {
            ib__step_stability_watch(sim);
            status = ib__sim_contact(sim, &piece, error);
        }
        if (status == IB_OK && sim->resting > 0 && !sim->contacts->all_held)
            status = ib__sim_settle_contacts(sim, piece.from + piece.length, error);
        if (status != IB_OK) return status;
        if (sim->riding > 0) ib__riders_follow(sim, sim->state);
    }
    if (!piece.closes) return refuse_chatter(sim, &piece, error);
    if (sim->riding > 0) ib__sim_let_go(sim, piece.from + piece.length);

    sim->time = ib_time_min(stop, sim->time + ib_time_from_seconds(piece.step));
    sim->steps++;
    return IB_OK;
}

ib_Status ib_sim_advance(ib_Sim *sim, ib_Time until, ib_Error *error)
{
    const ib_Model *model = sim->model;
    bool quiet = model->external_count == 0 && !sim->adaptive && !sim->live &&
                 model->sensor_count + model->control_count == 0;
    ib_Status status = IB_OK;
    while (status == IB_OK && sim->time < until && !ib_sim_done(sim)) {
        status = ib_sim_step(sim, error);
        if (status == IB_OK && quiet && !sim->ramps && sim->riding == 0 &&
            (sim->resting == 0 || sim->contacts->all_held) && sim->time % model->step == 0)
            status = ib__sim_stride(sim, until, error);
    }
    return status;
}

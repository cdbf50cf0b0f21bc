// sim/sim_inside.h: the inside of a run, shared by the files of sim/ alone.
#ifndef IB_SIM_SIM_INSIDE_H
#define IB_SIM_SIM_INSIDE_H

#include "base/flush_to_zero.h"
#include "sim/health/health.h"
#include "sim/sim.h"

enum { IB__WATCH_PARTS = 8 }; ///< into which a watch divides a piece of an adaptive solver

// Steps that an adaptive solver may try in one second of the run. The robots of the tests take 10
// 000 at a tolerance of 1e-9 and might take ten times that at 1e-14; at 3 us a step the second
// would need some 10 s of a processor.
enum { IB__MAX_TRIES = 300000 };

// Window of an adaptive solver for counting hits, and the number of steps allowed in it with
// resting contacts, beside those required by its longest step. More are contacts that wedge, where
// sticking leads to sliding and sliding to sticking, and no step is short enough.
#define IB__WINDOW (IB_SECOND / 1000)
enum { IB__MAX_RESTLESS = 100 };

// Error control of a step: as in the config; with wedged contacts by a larger tolerance, which
// depends on whether it is the first such step; none.
typedef enum ib__Method { IB__CONTROLLED, IB__FAIR, IB__ROUGH, IB__PLAIN } ib__Method;

// A piece is a part of a step without a jump. Most steps are one piece; a step has several where a
// guard changes its sign, where outlines meet, and where contacts rest. Times count from the
// start of the step.
typedef struct ib__Piece {
    double step;               ///< length of the whole step, as far as known by now [s]
    double from, length;       ///< of the piece [s]
    double most;               ///< length that it may have at most [s]
    const double *start, *end; ///< states at its two ends
    ib_Event jump;             ///< the guard that ended it; index -1: none
    bool hit;                  ///< two outlines meet at its end
    int pair;                  ///< of the world, that meets or comes to the end of its slide; or -1
    bool stops;                ///< the slide of a contact comes to its end there
    bool jumps;                ///< its end is a jump: that of a guard, or a hit
    bool jumped;               ///< its start is one
    bool opens, closes; ///< it begins, ends on the step's own ends, which are whole nanoseconds
    bool strides;       ///< one of a stride: its end is a whole state, in sim->next
    bool follows;       ///< and it begins where the one before ended: nothing has happened since
    bool seen;          ///< its start was sampled before external integrators moved
    int number;         ///< in its step, from 1 on
    ib__Method method;
    int halvings;  ///< of `most` so far, since the step was not sound
    bool loosened; ///< contacts have been worked loose since the last of them
} ib__Piece;

// The watches' samples at the two ends of a piece.
struct ib__WatchFilter {
    bool fully;                    ///< every piece is examined closely
    bool known;                    ///< the rest is that of the piece before, without a break
    double *state, *input, *slope; ///< under which `end` was found
    double *start, *end;           ///< signals
    double length;                 ///< [s]
    bool start_known;              ///< `start` is that of the present piece
    bool awake;                    ///< a watch is active in it
    unsigned end_parts;            ///< (ib_SignalPart) of the signals that `end` has
    bool same_tail; ///< states that are not integrated have in `state` their values at the start of
                    ///< the piece
    bool carried;   ///< signals at its start are those of the end before, to the bit
    bool unbroken;  ///< nothing has switched or jumped between that end and this start
    bool ticked;    ///< at most a loop or a sensor has: no script and no guard
};

struct ib_Sim {
    const ib_Model *model;

    // The state. Everything below can be made anew from it and the model.
    ib_Time time;
    int64_t steps;
    double *state;

    // Input of this step: value at its start and slope, good until `inputs_until`.
    double *input, *slope;
    ib_Time inputs_until;
    bool ramps; ///< some slope is not zero
    ib_InputSource sources[IB_MAX_SOURCES];
    int source_count;
    bool live; ///< some source is asked at every step

    // Scratch memory of the step.
    ib_Arena arena;
    ib_Solver *solver;
    ib_System system; ///< the robots under this step's inputs, as the solver sees them
    bool adaptive;    ///< the solver chooses the length of its steps
    ib_SolverCounts counts;
    double *next, *sample_state, *ramped_input, *signals, *look_signals;
    const double *truth; ///< signals that sensors and loops take: `signals`, or those seen
    void **rooms;        ///< of each robot that has an external integrator of its own
    void *shared;        ///< of those that share a world; NULL: there is none
    const double **shared_states, **shared_inputs; ///< of each of them
    double **shared_next;
    struct ib__GuestRoom *guests; ///< forces on what they meet (sim/guest_forces.h); NULL: nothing
    double *own_input;            ///< of one robot, with the effect of ridges and of a shared world
    double *continuous_input;     ///< with the outputs of continuous loops
    struct ib__LastZones *last_zones;
    double *law_signals;           ///< that they measure
    bool *looked_at;               ///< of each robot: examined closely
    bool *rides;                   ///< of each robot: carried now
    int riding;                    ///< number of these, or still passing through a body
    double *course_state;          ///< a state along a piece, for contact
    double *cut_state;             ///< at the end of a piece that was cut short
    ib__Health health;             ///< counts of unsound steps
    int resting;                   ///< pairs that rest on each other
    struct ib__Contacts *contacts; ///< NULL: nothing can touch
    double *guards, *end_guards;   ///< at the two ends of the piece
    ib_EventWorkspace *events;
    bool guards_known; ///< `guards` are those of `state` under this step's inputs
    ib_Time begun;     ///< time of the last step that began, -1: none
    double piece_from; ///< seconds from the step's start to the start of the piece being integrated

    // The observers.
    ib_Probe *probes;
    int probe_count, probe_room;
    int *eager, eager_count; ///< the probes that want every step
    bool each_jump;          ///< some probe wants every jump
    bool each_end;           ///< some probe wants the end of every piece
    // Parts of the signals (ib_SignalPart) read by sensors and loops; by riders; by sensors, loops
    // and all observers of every piece.
    unsigned sensed_parts, rider_parts, watched_parts;
    ib_Time probes_next; ///< the first time that any probe wants
    struct ib__Watched {
        ib_Watch watch;
        int robot;      ///< whose own output has its only signal; -1: none has
        unsigned parts; ///< of its signals
        int sign;       ///< of its margin when last seen: -1, +1; 0: not yet
        bool asleep;    ///< it has nothing to look for in this piece
        bool closer;    ///< something may be between the ends of this piece
        bool known;     ///< `last` and `move` are
        double last;    ///< its margin at the end of the piece before
        double move;    ///< by which it has changed over that piece
        bool doubts;    ///< the dense output says nothing about it in this piece
        double error;   ///< of the dense output where it was last found to be wrong; 0: never
    } * watches;
    int watch_count, watch_room;
    double *watch_margins; ///< per watch, at up to IB__WATCH_PARTS + 1 points of a piece
    struct ib__WatchFilter watch_filter;

    double *measurement, *gathered, *last_response, *last_memory, *shown; ///< of one loop
    ib_LoopTrouble *troubles;                                             ///< one for each loop
    // For each loop with costly signals: the last ones, and the values they follow from.
    struct ib__Shown {
        bool known;
        double *command, *memory, *signals;
    } * last_shown;

    ib_Clamp *clamps;
    int clamp_count;
    bool *clamped; ///< per input: already in `clamps`
};

// Sets states that have decayed below IB_FLUSH_LIMIT at the end of a step to zero. RK4 divides a
// decaying state by 3.7 a step at most, by 1.3e9 in IB__REST_LOOK of them: the rest of
// IB_FLUSH_LIMIT is then not yet subnormal. The count of steps is part of a run's state.
enum { IB__REST_LOOK = 16 }; ///< fixed steps from one look to the next

static inline void ib__sim_flush(ib_Sim *sim)
{
    if (sim->adaptive || sim->steps % IB__REST_LOOK == 0)
        ib_flush(sim->next, sim->model->robot_state_count);
}

// Steps while contacts rest that are too many, in such a while; are there as many by now?
static inline double ib__sim_most_restless(const ib_Sim *sim)
{
    return IB__MAX_RESTLESS + (double)IB__WINDOW / (double)sim->model->step;
}

static inline bool ib__sim_is_restless(const ib_Sim *sim)
{
    return sim->adaptive && sim->resting > 0 &&
           sim->state[sim->model->tally_state + IB_TALLY_STEPS] > ib__sim_most_restless(sim);
}

// The first method to try: where contacts wedge, the solver would fail with any other.
static inline ib__Method ib__first_method(const ib_Sim *sim)
{
    return ib__sim_is_restless(sim) ? IB__ROUGH : IB__CONTROLLED;
}

// -------------------------------------------------------------------------------------- the system

// dx/dt of all robots, with time counted from the start of the piece; good for this step's inputs.
ib_System ib__sim_system(const ib_Sim *sim);

// True if no robot affects another now and the method uses rates alone. A few robots can then be
// moved without the others, to the same bits.
bool ib__sim_is_decoupled(const ib_Sim *sim);

// The rates of these robots, sim->looked_at.
ib_System ib__sim_system_of_some(const ib_Sim *sim);

// The guards of all robots, likewise; `context` is the ib_Sim.
void ib__sim_guards(const void *context, double t, const double *state, double *guards);

// Used with the rates of all robots, without resting or carried bodies and continuous loops: they
// are then those of each robot alone.
void ib__sim_rates_ahead(const ib_Sim *sim, double t, const double *state, double *rate,
                         double *guards);

// The inputs `t` seconds after the start of the step: sim->input itself, or the ramped copy.
const double *ib__sim_input_at(const ib_Sim *sim, double t);

// The same inputs with the outputs of continuous loops in this state, and, unless `rate` is NULL,
// the rates of these loops (sim/loop/law.c). The copy is valid until the next call.
const double *ib__sim_apply_continuous(const ib_Sim *sim, const double *state, const double *input,
                                       double *rate);

// The inputs as they act on this state: where no loop is continuous, `input` itself.
static inline const double *ib__sim_continuous_input(const ib_Sim *sim, const double *state,
                                                     const double *input)
{
    return sim->model->continuous_count == 0 ? input
                                             : ib__sim_apply_continuous(sim, state, input, NULL);
}

// True if it is carried now.
static inline bool ib__sim_rides(const ib_Sim *sim, const ib_RobotModel *robot)
{
    return sim->riding > 0 && robot->rider >= 0 && sim->rides[robot - sim->model->robots];
}

// The inputs of one robot, from those of all: with the effect of ridges and of a shared world, as
// pushes, and none for carried bodies. If there are any such, a copy that is valid until it is
// called again.
const double *ib__sim_special_input(const ib_Sim *sim, const ib_RobotModel *robot,
                                    const double *state, const double *input);
static inline const double *ib__sim_own_input(const ib_Sim *sim, const ib_RobotModel *robot,
                                              const double *state, const double *input)
{
    if (!sim->model->relief && sim->riding == 0 && !sim->guests) return input + robot->input;
    return ib__sim_special_input(sim, robot, state, input);
}

// One robot's own signals for a state and inputs; and all signals, except parts (ib_SignalPart)
// outside of `parts`, which stay unchanged.
void ib__sim_output_own(const ib_Sim *sim, int robot, const double *state, const double *input,
                        double *signals);
void ib__sim_output(const ib_Sim *sim, const double *state, const double *input, unsigned parts,
                    double *signals);

// The same under the inputs as they act now, at the start of the step, and `t` seconds after it.
static inline void ib__sim_evaluate_now(const ib_Sim *sim, const double *state, unsigned parts,
                                        double *signals)
{
    ib__sim_output(sim, state, ib__sim_continuous_input(sim, state, sim->input), parts, signals);
}

static inline void ib__sim_evaluate_at(const ib_Sim *sim, const double *state, double t,
                                       unsigned parts, double *signals)
{
    ib__sim_output(sim, state, ib__sim_continuous_input(sim, state, ib__sim_input_at(sim, t)),
                   parts, signals);
}

// ------------------------------------------------------------- the calls of the step, in its order

// input: reads and clamps every source.
void ib__sim_read_inputs(ib_Sim *sim);

// begin: sudden pushes and modes that follow new inputs change `state` before time advances.
ib_Status ib__sim_begin(ib_Sim *sim, double *state, ib_Error *error);

// The true values of the signals that a sensor, the first of its row, measures.
void ib__sensor_truth(const ib_SensorModel *sensor, const double *signals, double *truth);

// sense: sensors at their tick sample the true signals into `state`. True: sim->truth is up
// to date.
bool ib__sim_sense(ib_Sim *sim, double *state);

// Integrals of sensors at their tick, for loops (sim/loop/gather.h).
void ib__sim_gather(ib_Sim *sim, double *state);

// control: loops at their tick update `state`, and their outputs become this step's input, at once
// or after their latency. `fresh`: sim->truth is up to date. False: nothing changed.
bool ib__sim_control(ib_Sim *sim, bool fresh, double *state);

// settle: modes follow the last change, `after` seconds into the step; one change may lead to
// the next.
ib_Status ib__sim_settle(const ib_Sim *sim, double after, double *state, ib_Error *error);

// integrate: as far as the solver, the first jump and the step's end allow. The result is in
// sim->next, and must be plausible.
ib_Status ib__piece_integrate(ib_Sim *sim, ib__Piece *piece, ib_Error *error);

// Advice for an adaptive solver that cannot advance from here, under these inputs; tried.
ib_Advice ib__sim_advise(ib_Sim *sim);

// record: gives the samples within the piece, its end not included, and finds the events
// of watches.
void ib__sim_record(ib_Sim *sim, const ib__Piece *piece);

// The part of it before external integrators move their robots: they have computed the forces of
// the start, and would have to compute them again afterwards.
void ib__sim_record_start(ib_Sim *sim, const ib__Piece *piece);

// take over: the state at the end of the piece becomes the state.
void ib__piece_take_over(ib_Sim *sim, const ib__Piece *piece);

// contact: applies the jump at the end of the piece to the robots whose guards changed sign and to
// those that touch. The state is the one just past it.
ib_Status ib__sim_contact(ib_Sim *sim, const ib__Piece *piece, ib_Error *error);

// At the end of a piece: the resting pairs settle, and with them modes of robots.
ib_Status ib__sim_settle_contacts(ib_Sim *sim, double after, ib_Error *error);

// After each piece: carried bodies follow their carrier (sim/contact/rider.h).
void ib__riders_follow(const ib_Sim *sim, double *state);

// let go: at the end of a step, `after` seconds into it, releases bodies whose conditions are true,
// and ends the passing of released ones through bodies from which they have separated.
void ib__sim_let_go(ib_Sim *sim, double after);

// The longest step that is accurate for every robot from the present state on [s].
double ib__sim_longest(const ib_Sim *sim);

// Whole steps of the grid up to `until`, without changes of inputs and jumps: each is one piece,
// equal to that of ib_sim_step, without its checks. Stops before a step in which a guard comes near
// zero or outlines meet.
ib_Status ib__sim_stride(ib_Sim *sim, ib_Time until, ib_Error *error);

// ---------------------------------------------------------------------------------- parts of these

// Robots that have an external integrator: their memory; and, of them alone, the way from `start`
// over a piece `length` seconds long, which begins `from` seconds after the step.
bool ib__external_create(ib_Sim *sim);
ib_Status ib__external_advance(ib_Sim *sim, double from, const double *start, double length,
                               double *end, ib_Error *error);

// Keeps one command within its range: its value now, and the instant at which its ramp would leave.
void ib__sim_clamp(ib_Sim *sim, int input);

// When a loop has something to do next.
ib_Time ib__control_next(const ib_ControlModel *control, ib_Time time);

// Controllers at the start; the outputs they hold as inputs; their signals.
void ib__sim_reset_control(ib_Sim *sim);

// Loops that see their commands at the start, and their states with the inputs that were read.
bool ib__control_begins(const ib_Model *model);
void ib__sim_begin_control(ib_Sim *sim);
void ib__sim_hold(ib_Sim *sim, const double *state);
void ib__control_output(const ib_Sim *sim, const double *state, const double *input,
                        double *signals);

// Memory for the loops' last signals; false: there is none. Called again for another model.
bool ib__control_create_shown(ib_Sim *sim);
void ib__control_forget_shown(ib_Sim *sim);

// The parts that are read at the start of the piece.
static inline unsigned ib__sim_parts_at_start(const ib_Sim *sim, const ib__Piece *piece)
{
    bool due = piece->opens && sim->probes_next == sim->time;
    return due ? IB_PARTS_ALL : sim->watched_parts;
}

// The whole state `t` seconds into a piece: one of its ends,
// or a copy that is good until the next call.
const double *ib__sim_state_within(ib_Sim *sim, const ib__Piece *piece, double t);

// The same, of the robots alone that are sim->looked_at.
const double *ib__sim_some_within(ib_Sim *sim, const ib__Piece *piece, double t);

// Finds the active watches of the piece, and the signals at its start; then reports changes of sign
// of their margins within it.
void ib__watch_filter_open(ib_Sim *sim, const ib__Piece *piece);
void ib__sim_watch(ib_Sim *sim, const ib__Piece *piece);
bool ib__watch_filter_create(ib_Sim *sim); ///< memory for that; false: there is none

// True if so many numbers have the same bits; true if this state has those of the last one in
// sim->sight, as far as signals depend on it.
bool ib__watch_filter_same(const double *a, const double *b, int count);
bool ib__watch_filter_is_of(const ib_Sim *sim, const double *state);

// The signals of sim->state under these inputs, if watches have computed them at the end of the
// last piece, without a change since; NULL: unknown.
const double *ib__watch_filter_recall(const ib_Sim *sim, const double *input);

// Points sim->truth at the signals of now, as far as sensors and loops look at them.
static inline void ib__sim_find_truth(ib_Sim *sim, const double *state)
{
    const double *seen = state == sim->state ? ib__watch_filter_recall(sim, sim->input) : NULL;
    if (!seen) ib__sim_evaluate_now(sim, state, sim->sensed_parts, sim->signals);
    sim->truth = seen ? seen : sim->signals;
}

// Behind a stride: its last piece was seen in sim->state, which is about to become another.
void ib__watch_filter_keep(ib_Sim *sim);

// After a switch or another state: the last samples are invalid.
static inline void ib__watch_filter_break(ib_Sim *sim)
{
    sim->watch_filter.known = false;
}

// Examines every piece closely from now on, which costs several times as much: the plain twin, for
// tests that compare the quick way with it.
void ib__sim_watch_fully(ib_Sim *sim);

#endif

// sim/inside.h: the inside of a run, shared by the files of sim/ and by nobody else.
#ifndef IB_SIM_INSIDE_H
#define IB_SIM_INSIDE_H

#include "sim/sim.h"

enum { IB__WATCH_PIECES = 8 }; ///< into which a watch divides an adaptive step

// A stretch of one step without a jump: from `from` seconds after the step's start, `length` long.
typedef struct ib__Piece {
    double from, length;
    double tried;              ///< what the solver did before a jump cut it short
    const double *start, *end; ///< states at its two ends
    bool hit;                  ///< two outlines meet at its end
    bool opens, closes; ///< it begins, ends on the step's own ends, which are whole nanoseconds
} ib__Piece;

// What contact has done in this step so far.
typedef struct ib__Hits {
    ib_Time since;
    int count;
    int fruitless; ///< those after which something went on closing
} ib__Hits;

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
    ib_SolverReport report;
    double *next, *sample_state, *ramped_input, *signals, *look_signals;
    double *course_state; ///< a state along a stretch, for contact
    int crossings;        ///< jumps crossed without a guard so far
    int resting;          ///< pairs that rest on each other
    ib__Hits hits;
    double far_room; ///< how far all bodies together may still move before two can touch [m]
    double *guards, *end_guards; ///< at the two ends of the stretch
    ib_EventRoom *events;
    bool guards_known; ///< `guards` are those of `state` under this step's inputs
    ib_Time begun;     ///< time of the last step that began, -1: none
    double piece_from; ///< seconds from the step's start to the start of the piece being integrated

    // Those who look.
    ib_Observer *observers;
    int observer_count, observer_room;
    bool each_step;         ///< some observer wants every step
    ib_Time observers_next; ///< the first time that any observer wants
    struct ib__Watched {
        ib_Watch watch;
        int sign; ///< of its margin when last seen: -1, +1; 0: not yet
    } * watches;
    int watch_count, watch_room;
    double *watch_margins; ///< per watch, at up to IB__WATCH_PIECES + 1 points of a piece

    double *measurement, *last_answer; ///< of one loop
    ib_LoopTrouble *troubles;          ///< one for each loop

    ib_Clamp *clamps;
    int clamp_count;
    bool *clamped; ///< per input: already in `clamps`
};

// dx/dt of all robots, with time counted from the start of the piece; good for this step's inputs.
ib_System ib__sim_system(const ib_Sim *sim);

// The inputs `t` seconds after the start of the step: sim->input itself, or the ramped copy.
const double *ib__sim_input_at(const ib_Sim *sim, double t);

// input: reads every source; actuate: clamps what they said.
void ib__sim_read_inputs(ib_Sim *sim);

// What happens at the start of a step before time goes on, to `state`: sudden pushes, and modes
// that follow new inputs.
ib_Status ib__sim_begin(ib_Sim *sim, double *state, ib_Error *error);

// All signals for a state and inputs.
void ib__sim_output(const ib_Sim *sim, const double *state, const double *input, double *signals);

// record: gives the samples that fall into [piece start, piece end)
// and finds what watches look for.
void ib__sim_record(ib_Sim *sim, const ib__Piece *piece);

// The whole state `t` seconds into a piece: one of its ends,
// or a copy that is good until the next call.
const double *ib__sim_state_within(ib_Sim *sim, const ib__Piece *piece, double t);

// Tells the watches where their margins change sign within the piece.
void ib__sim_watch(ib_Sim *sim, const ib__Piece *piece);

// sense: sensors whose tick it is take a sample of the truth into `state`. True: sim->signals are
// those of now.
bool ib__sim_sense(ib_Sim *sim, double *state);

// control: loops whose tick it is work on `state`, and what they give becomes this step's input, at
// once or when its latency is over. `fresh`: sim->signals are those of now. False: nothing changed.
bool ib__sim_control(ib_Sim *sim, bool fresh, double *state);

// When a loop has something to do next.
ib_Time ib__control_next(const ib_ControlModel *control, ib_Time time);

// Controllers at the start; the outputs they hold as inputs; what they show.
void ib__sim_reset_control(ib_Sim *sim);
void ib__sim_hold(ib_Sim *sim, const double *state);
void ib__control_output(const ib_Model *model, const double *state, const double *input,
                        double *signals);

// Modes follow what has just changed, `after` seconds into the step;
// one change may lead to the next.
ib_Status ib__sim_settle(const ib_Sim *sim, double after, double *state, ib_Error *error);

// Keeps one command within its range: its value now, and the instant at which its ramp would leave.
void ib__sim_clamp(ib_Sim *sim, int input);

#endif

// design/analysis/analysis.h: from a plant, a period, weights and noise to a designed loop.
// The loop comes with everything that shows whether it is any good. docs/design.md
//
// A config is one gear: a schedule is several configs of the same shape, each designed on its own,
// and ib_analysis_loop puts them into one table that a controller runs and an exporter writes.
#ifndef IB_DESIGN_ANALYSIS_H
#define IB_DESIGN_ANALYSIS_H

#include "control/loop.h"
#include "design/controllability.h"
#include "design/frequency.h"
#include "design/margins/margins.h"
#include "design/riccati/riccati.h"
#include "linear/discretise.h"
#include "linear/eigen.h"
#include "linear/state_space.h"

// The block of a design in which something is wrong, so that it can be shown there.
typedef enum ib_AnalysisPart {
    IB_ANALYSIS_PLANT,
    IB_ANALYSIS_PERIOD,
    IB_ANALYSIS_HOLD,
    IB_ANALYSIS_LQR,
    IB_ANALYSIS_POLES,
    IB_ANALYSIS_KALMAN,
    IB_ANALYSIS_INTEGRAL,
    IB_ANALYSIS_INPUT_ERROR,
    IB_ANALYSIS_FEEDFORWARD,
    IB_ANALYSIS_LATENCY,
    IB_ANALYSIS_LIMITS,
    IB_ANALYSIS_PARTS,
} ib_AnalysisPart;

typedef enum ib_AnalysisFeedback {
    IB_ANALYSIS_NO_FEEDBACK,
    IB_ANALYSIS_BY_WEIGHTS, ///< Q, R, N
    IB_ANALYSIS_BY_POLES,
} ib_AnalysisFeedback;

typedef struct ib_AnalysisConfig {
    char name[IB_STATE_NAME + 1]; ///< of the gear; "": the only one
    ib_StateSpace plant;          ///< continuous (its period 0), or discrete with this period
    double period;                ///< [s], > 0
    ib_Hold hold;   ///< how a continuous plant is sampled. Tustin: without feedback and filter
    double prewarp; ///< of Tustin [rad/s], below pi / period; 0: none

    // The point about which the plant was linearised, and how its states change there (a position
    // at its speed; 0 in balance; of a continuous plant only). All zero for matrices. The gains are
    // of deviations from it; the loop takes and gives absolute values.
    double x0[IB_STATES_MAX], u0[IB_INPUTS_MAX], y0[IB_OUTPUTS_MAX], rate0[IB_STATES_MAX];

    // Feedback. The weights are over the states in `over` and then the integrals, in this order,
    // packed; without `over` these are all states. Inputs in the plant's order.
    ib_AnalysisFeedback feedback;
    bool accept_uncontrollable;    ///< modes that no input moves may stay, if they die out
    int over;                      ///< states fed back; 0: all
    int over_state[IB_STATES_MAX]; ///< rising
    double Q[IB_STATES_MAX * IB_STATES_MAX]; ///< of what is weighed
    double R[IB_INPUTS_MAX * IB_INPUTS_MAX]; ///< of the inputs
    double N[IB_STATES_MAX * IB_INPUTS_MAX]; ///< of both together, x' N u
    int pole_count;
    ib_Complex pole[IB_STATES_MAX]; ///< wanted, discrete (z); pairs are conjugate

    // Integral action: z <- z + T (Z x - Z r). Not with a filter: it would integrate the estimate,
    // whose own error stays; an input error does what is wanted.
    int integrals;
    double Z[IB_INTEGRALS_MAX * IB_STATES_MAX]; ///< integrals x states

    // Noise: densities for a continuous plant, covariances of one period for a discrete one.
    bool kalman;
    double process[IB_STATES_MAX * IB_STATES_MAX];       ///< states x states
    double measurement[IB_OUTPUTS_MAX * IB_OUTPUTS_MAX]; ///< outputs x outputs
    // An error added to each input is estimated too, and taken away again.
    bool input_error;
    double input_error_density[IB_INPUTS_MAX]; ///< how fast each wanders, as `process`

    bool feedforward; ///< by plant inversion
    double latency;   ///< from measurement to effect [s], >= 0; compensated in K and G

    double low[IB_INPUTS_MAX], high[IB_INPUTS_MAX]; ///< of the plant's inputs; may be infinite
    double largest[IB_INPUTS_MAX]; ///< how much of each is meant to be used, either way; 0: unknown
    bool unmargined; ///< its margins, which take longer than all else, are not asked for
} ib_AnalysisConfig;

enum { IB_LEFT_OUT_TEXT = IB_STATES_MAX * (IB_STATE_NAME + 2) + 128 }; ///< all names, and words

// All matrices packed row-major. What was not asked for is zero, and its flag false.
typedef struct ib_Design {
    char name[IB_STATE_NAME + 1];
    ib_StateSpace plant; ///< discrete
    ib_Complex plant_poles[IB_STATES_MAX];
    int zero_count;
    ib_Complex plant_zeros[IB_STATES_MAX]; ///< of all inputs and outputs together (design/zeros.h)
    ib_Controllability controllability;    ///< of the discrete plant: what can be moved and seen
    bool stable; ///< the closed loop as it runs, with latency, filter and the states that are not
                 ///< fed back (these may stay where they are); without feedback the plant itself
    char left_out[IB_LEFT_OUT_TEXT]; ///< states not fed back that stay or run away, in words;
                                     ///< "": none

    // Feedback: u = K (r - x) + F (r+ - A r) - G z
    bool feedback;
    int integrals;
    double K[IB_INPUTS_MAX * IB_STATES_MAX];    ///< inputs x states
    double G[IB_INPUTS_MAX * IB_INTEGRALS_MAX]; ///< inputs x integrals
    double F[IB_INPUTS_MAX * IB_STATES_MAX];    ///< inputs x states
    // Before the latency was considered.
    double uncompensated_K[IB_INPUTS_MAX * IB_STATES_MAX];
    double uncompensated_G[IB_INPUTS_MAX * IB_INTEGRALS_MAX];
    int pole_count;
    ib_Complex poles[IB_STATES_MAX]; ///< of the closed loop as designed, without latency
    bool weighted;                   ///< K is from a Riccati equation:
    ib_RiccatiAccuracy riccati;
    double placement_accuracy; ///< else: largest distance of a wanted pole from its achieved one
    // Poles of the loop with its latency, which moves those of the filter too: all of them. States
    // that are not fed back are no part of the loop.
    int delayed_count; ///< 0: there is no latency
    ib_Complex delayed_poles[IB_EIGEN_MAX];

    // Kalman filter; with input errors the estimator has one more state for each of them.
    bool kalman;
    ib_StateSpace estimator;
    double Qd[IB_STATES_MAX * IB_STATES_MAX];              ///< process noise of one period
    double Rd[IB_OUTPUTS_MAX * IB_OUTPUTS_MAX];            ///< noise of one measurement
    double filter_gain[IB_STATES_MAX * IB_OUTPUTS_MAX];    ///< M: x^ <- x^ + M e
    double predictor_gain[IB_STATES_MAX * IB_OUTPUTS_MAX]; ///< L = A M
    double covariance[IB_STATES_MAX * IB_STATES_MAX];      ///< of x^ before a correction
    ib_RiccatiAccuracy filter_riccati;
    ib_Complex kalman_poles[IB_STATES_MAX];

    bool margined;       ///< there is a feedback, and its margins could be computed:
    ib_Margins margins;  ///< of the loop as it runs, with observer and latency
    ib_Error unmargined; ///< else why not: "there is no feedback"
} ib_Design;

// The poles of the closed loop as it runs: with its latency where it has one, else as designed.
// Returns how many; 0: there is no feedback.
int ib_design_poles(const ib_Design *design, const ib_Complex **poles);

// What a pole does, sampled every `period`:  s = ln(z) / T,  |s| frequency,  -Re(s)/|s| damping
// Within 1e-9 of the unit circle it is on it, within 1e-12 of 0 at 0.
typedef struct ib_PoleShape {
    double frequency; ///< undamped [rad/s]; infinite: gone after one period (z = 0)
    double damping;   ///< 1: does not swing; negative: grows; NAN: frequency 0
    double settling;  ///< until 2 % are left [s]; infinite: never
} ib_PoleShape;

ib_PoleShape ib_pole_shape(ib_Complex z, double period);

// What a plant does when it is left alone: it comes to rest, stays where it was put (a pole on the
// unit circle, as near as ib_pole_shape takes it, and none of them twice), or neither.
typedef enum ib_PlantRest {
    IB_PLANT_SETTLES,
    IB_PLANT_STAYS,
    IB_PLANT_RUNS_AWAY,
} ib_PlantRest;

ib_PlantRest ib_plant_rest(int count, const ib_Complex *poles);

// What was refused, at most one sentence for each block.
typedef struct ib_AnalysisRefusals {
    int count;
    ib_AnalysisPart part[IB_ANALYSIS_PARTS];
    ib_Error error[IB_ANALYSIS_PARTS];
} ib_AnalysisRefusals;

// No feedback, no filter, no limits, for this plant and period.
ib_AnalysisConfig ib_analysis_default(const ib_StateSpace *plant, double period);

// Designs one gear. Every block is tried, whatever became of the others: IB_BAD_INPUT with all
// refusals, and `design` holds what could be done.
ib_Status ib_analysis_design(const ib_AnalysisConfig *config, ib_Design *design,
                             ib_AnalysisRefusals *refusals);

// The open loop of a design as its margins are measured: cut at one input, all others closed. At
// the `frequency` already in each point, which rise; the phase begins in (-2 pi, 0] and goes on
// without jumps. IB_BAD_INPUT: there is no feedback, or no way to cut it (the reason is told).
ib_Status ib_analysis_bode(const ib_AnalysisConfig *config, const ib_Design *design, int input,
                           ib_BodePoint *points, int count, ib_Error *error);

// How far K and G (before their compensation for latency) are from those that the ordered Schur
// form of LAPACK gives, relative to the largest element. IB_BAD_INPUT: the design has no weights.
ib_Status ib_analysis_second_opinion(const ib_AnalysisConfig *config, const ib_Design *design,
                                     double *apart, ib_Error *error);

// The gears as one loop (`name`: a C identifier). Sizes, names, period, integrals and limits must
// be those of the first one; without feedback in it there is no loop.
ib_Status ib_analysis_loop(const char *name, int gears, const ib_AnalysisConfig *const *configs,
                           const ib_Design *const *designs, ib_Loop *loop, ib_Error *error);

#endif

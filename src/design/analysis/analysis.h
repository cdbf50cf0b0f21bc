// design/analysis/analysis.h: from a plant, a period, weights and noise to a designed loop.
// The loop comes with all figures of its quality. docs/design/design.md
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

// The block of a design with an error, so that it can be shown there.
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
    ib_Hold hold;   ///< sampling of a continuous plant. Tustin: without feedback and filter
    double prewarp; ///< of Tustin [rad/s], below pi / period; 0: none

    // The operating point of the linearisation, and the rates of its states there (a position at
    // its speed; 0 in equilibrium; of a continuous plant only). All zero for matrices. The gains
    // apply to deviations from it; the loop's inputs and outputs are absolute values.
    double x0[IB_STATES_MAX], u0[IB_INPUTS_MAX], y0[IB_OUTPUTS_MAX], rate0[IB_STATES_MAX];

    // Feedback. The weights are for the states in `over` and then the integrals, in this order,
    // packed; without `over` for all states. Inputs are in the plant's order.
    ib_AnalysisFeedback feedback;
    bool accept_uncontrollable;              ///< uncontrollable modes are accepted if they decay
    int over;                                ///< states fed back; 0: all
    int over_state[IB_STATES_MAX];           ///< rising
    double Q[IB_STATES_MAX * IB_STATES_MAX]; ///< of the weighted states and integrals
    double R[IB_INPUTS_MAX * IB_INPUTS_MAX]; ///< of the inputs
    double N[IB_STATES_MAX * IB_INPUTS_MAX]; ///< cross weights, x' N u
    int pole_count;
    ib_Complex pole[IB_STATES_MAX]; ///< wanted, discrete (z); pairs are conjugate

    // Integral action: z <- z + T (Z x - Z r). Not with a filter: it would integrate the estimate,
    // whose own error stays; use an input error instead.
    int integrals;
    double Z[IB_INTEGRALS_MAX * IB_STATES_MAX]; ///< integrals x states

    // Noise: densities for a continuous plant, covariances of one period for a discrete one.
    bool kalman;
    double process[IB_STATES_MAX * IB_STATES_MAX];       ///< states x states
    double measurement[IB_OUTPUTS_MAX * IB_OUTPUTS_MAX]; ///< outputs x outputs
    // An error added to each input is estimated too, and compensated.
    bool input_error;
    double input_error_density[IB_INPUTS_MAX]; ///< drift density of each, as `process`

    bool feedforward; ///< by plant inversion
    double latency;   ///< from measurement to effect [s], >= 0; compensated in K and G

    double low[IB_INPUTS_MAX], high[IB_INPUTS_MAX]; ///< of the plant's inputs; may be infinite
    double largest[IB_INPUTS_MAX]; ///< intended range of each, either way; 0: unknown
    bool unmargined;               ///< without margins, which take longer than all else
} ib_AnalysisConfig;

enum { IB_LEFT_OUT_TEXT = IB_STATES_MAX * (IB_STATE_NAME + 2) + 128 }; ///< all names, and words

// All matrices are packed row-major. Parts not requested are zero, and their flag is false.
typedef struct ib_Design {
    char name[IB_STATE_NAME + 1];
    ib_StateSpace plant; ///< discrete
    ib_Complex plant_poles[IB_STATES_MAX];
    int zero_count;
    ib_Complex plant_zeros[IB_STATES_MAX]; ///< of all inputs and outputs together (design/zeros.h)
    ib_Controllability controllability;    ///< of the discrete plant: controllability
                                           ///< and observability
    bool stable; ///< the closed loop as it runs, with latency, filter and the states that are not
                 ///< fed back (these may be marginally stable); without feedback the plant itself
    char left_out[IB_LEFT_OUT_TEXT]; ///< states not fed back that do not decay, in words; "": none

    // Feedback: u = K (r - x) + F (r+ - A r) - G z
    bool feedback;
    int integrals;
    double K[IB_INPUTS_MAX * IB_STATES_MAX];    ///< inputs x states
    double G[IB_INPUTS_MAX * IB_INTEGRALS_MAX]; ///< inputs x integrals
    double F[IB_INPUTS_MAX * IB_STATES_MAX];    ///< inputs x states
    // Gains before compensation of the latency.
    double uncompensated_K[IB_INPUTS_MAX * IB_STATES_MAX];
    double uncompensated_G[IB_INPUTS_MAX * IB_INTEGRALS_MAX];
    int pole_count;
    ib_Complex poles[IB_STATES_MAX]; ///< of the closed loop as designed, without latency
    bool weighted;                   ///< K is from a Riccati equation:
    ib_RiccatiAccuracy riccati;
    double placement_accuracy; ///< else: largest distance of a wanted pole from its achieved one
    // All poles of the loop with its latency, which moves those of the filter too. States that are
    // not fed back are no part of the loop.
    int delayed_count; ///< 0: no latency
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
    ib_Margins margins;  ///< with observer and latency
    ib_Error unmargined; ///< else the reason: "there is no feedback"
} ib_Design;

// The poles of the closed loop as it runs: with its latency, if any, else as designed. Returns
// their number; 0: no feedback.
int ib_design_poles(const ib_Design *design, const ib_Complex **poles);

// The dynamics of a pole, sampled every `period`:  s = ln(z) / T,  |s| frequency,  -Re(s)/|s|
// damping Within 1e-9 of the unit circle it is on it, within 1e-12 of 0 at 0.
typedef struct ib_PoleShape {
    double frequency; ///< undamped [rad/s]; infinite: decays in one period (z = 0)
    double damping;   ///< 1: critically damped; negative: grows; NAN: frequency 0
    double settling;  ///< until 2 % are left [s]; infinite: never
} ib_PoleShape;

ib_PoleShape ib_pole_shape(ib_Complex z, double period);

// The stability of the plant alone: it comes to rest, is marginally stable (single poles on the
// unit circle, within the tolerance of ib_pole_shape), or neither.
typedef enum ib_PlantRest {
    IB_PLANT_SETTLES,
    IB_PLANT_STAYS,
    IB_PLANT_RUNS_AWAY,
} ib_PlantRest;

ib_PlantRest ib_plant_rest(int count, const ib_Complex *poles);

// The refusals, at most one sentence for each block.
typedef struct ib_AnalysisRefusals {
    int count;
    ib_AnalysisPart part[IB_ANALYSIS_PARTS];
    ib_Error error[IB_ANALYSIS_PARTS];
} ib_AnalysisRefusals;

// No feedback, no filter, no limits, for this plant and period.
ib_AnalysisConfig ib_analysis_default(const ib_StateSpace *plant, double period);

// Designs one gear. Every block is tried, independent of the others: IB_BAD_INPUT with all
// refusals, and `design` holds the successful blocks.
ib_Status ib_analysis_design(const ib_AnalysisConfig *config, ib_Design *design,
                             ib_AnalysisRefusals *refusals);

// The open loop of a design as for its margins: cut at one input, all others closed. The points
// have their `frequency`, rising; the phase begins in (-2 pi, 0] and has no jumps. IB_BAD_INPUT: no
// feedback, or no way to cut it (with the reason).
ib_Status ib_analysis_bode(const ib_AnalysisConfig *config, const ib_Design *design, int input,
                           ib_BodePoint *points, int count, ib_Error *error);

// The difference of K and G (before their compensation for latency) from those of LAPACK's ordered
// Schur form, relative to the largest element. IB_BAD_INPUT: the design has no weights.
ib_Status ib_analysis_second_opinion(const ib_AnalysisConfig *config, const ib_Design *design,
                                     double *apart, ib_Error *error);

// The gears as one loop (`name`: a C identifier). Sizes, names, period, integrals and limits must
// be those of the first one, which must have feedback.
ib_Status ib_analysis_loop(const char *name, int gears, const ib_AnalysisConfig *const *configs,
                           const ib_Design *const *designs, ib_Loop *loop, ib_Error *error);

#endif

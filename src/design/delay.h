// design/delay.h: the effect of a known latency on a loop, and a gain that compensates it. The
// latency is that between measurement and effect. The derivation is in docs/design/delay.md.
//
//   compensated gain   K (A - B K)^(latency / T): K on the loop's predicted state at that time
//   predictor          K on the plant's predicted state at that time, from the inputs on their
//                      way: exact, poles those of A - B K and zeros
//   exact plant        x+ = A x + B_old u[j-k-1] + B_new u[j-k],   latency = k T + f, 0 <= f < T
//                      B_new = int_0^(T-f) e^(A t) dt B,   B_old = e^(A (T-f)) int_0^f e^(A t) dt B
//                      with the pending inputs as further states
// Limits: latency 0 -> K and the plant unchanged; a whole number of periods -> B_old = 0.
#ifndef IB_DESIGN_DELAY_H
#define IB_DESIGN_DELAY_H

#include "linear/state_space.h"

// The prediction over the last part of a period.
typedef enum ib_DelayMethod {
    IB_DELAY_WHOLE, ///< no part: whole periods, by multiplication
    IB_DELAY_POWER, ///< the principal power of A - B K
    IB_DELAY_HELD,  ///< if that does not exist: A_f - B_f K, the plant under the held input
} ib_DelayMethod;

// `plant` is discrete; K, compensated: inputs x states, u = -K x; `latency` [s] 0 to 100 periods.
// A - B K has no principal power if an eigenvalue is real and <= 0 (deadbeat); then the plant's own
// motion over the part of the period is used, and if that is not known either (the plant has such a
// pole too), IB_BAD_INPUT. `compensated` must not overlap K; `method` may be NULL. The gain is good
// while the latency is short beside the loop's time constants; it can make a fast loop unstable:
// check the poles of ib_delay_plant under [K 0].
ib_Status ib_delay_gain(const ib_StateSpace *plant, const double *K, double latency,
                        double *compensated, ib_DelayMethod *method, ib_Error *error);

// The plant for a controller whose inputs arrive `latency` [s] late: discrete, with states
// `<input>_1_ago`, `<input>_2_ago` … after the plant's own. `plant` is continuous, or discrete with
// this period; a part of a period then needs ib_undiscretise. IB_BAD_INPUT: too many states.
// `delayed` must not be `plant`.
ib_Status ib_delay_plant(const ib_StateSpace *plant, double period, double latency,
                         ib_StateSpace *delayed, ib_Error *error);

// The effect of inputs that are `whole` periods and a part of one late:
//   x+ = A x + B_new u[whole ago] + B_old u[whole + 1 ago]
typedef struct ib_DelayedInputs {
    int whole;
    bool part; ///< with a part: B_old is not zero
    double B_new[IB_STATES_MAX * IB_INPUTS_MAX], B_old[IB_STATES_MAX * IB_INPUTS_MAX];
} ib_DelayedInputs;

// The arguments as in ib_delay_plant, which makes a plant of them;
// here their number is not limited.
ib_Status ib_delay_inputs(const ib_StateSpace *plant, double period, double latency,
                          ib_DelayedInputs *inputs, ib_Error *error);

// The gain over the states of ib_delay_plant, inputs x (states + pending inputs), that gives the
// loop the poles of A - B K, and zeros. The arguments as there; K: inputs x states.
ib_Status ib_delay_predictor(const ib_StateSpace *plant, double period, double latency,
                             const double *K, double *gain, ib_Error *error);

#endif

// report/design/design_figures.h: the figures of a design. Internal to src/report. They show its
// response, its poles, its margins, the effect of its weights and the knowledge of its filter.
//
// Each draws one or more figures, or says why it cannot.
#ifndef IB_REPORT_DESIGN_DESIGN_FIGURES_H
#define IB_REPORT_DESIGN_DESIGN_FIGURES_H

#include "desk/trial/trial_pair.h"
#include "report/plot/chart.h"

// States and inputs over time, undisturbed and with noise and push; true and estimated.
void ib__design_responses(const ib_TrialPair *trials, ib_Text *html);

// Poles and zeros in the z-plane, all of it and close up.
void ib__design_poles(const ib_DesignGear *gear, ib_Text *html);

// The open loop at each input, with gain and phase margin.
void ib__design_bode(const ib_DesignGear *gear, ib_Arena *arena, ib_Text *html);

// One and two standard deviations of the two states whose errors hang together most.
void ib__design_ellipse(const ib_DesignGear *gear, ib_Text *html);

// The design over one weight, from a thousandth to a thousand times its value.
enum { IB_SWEEP_POINTS = 241 };

typedef struct ib_WeightSweep {
    char name[IB_STATE_NAME + 16];     ///< of the state or input that is weighed
    const char *unit;                  ///< of its tolerance; NULL: not known
    double tolerance[IB_SWEEP_POINTS]; ///< 1 / sqrt(weight), falling; the one in use is the middle
    bool found[IB_SWEEP_POINTS];       ///< there is a design with this weight
    int poles;
    ib_Complex pole[IB_SWEEP_POINTS][IB_STATES_MAX];
    double K[IB_SWEEP_POINTS][IB_INPUTS_MAX * IB_STATES_MAX]; ///< the gains, inputs x states
} ib_WeightSweep;

// Over the weight of the first state that has one. NULL with the reason: K was placed by poles, no
// state is weighed, no memory.
const ib_WeightSweep *ib__weight_sweep(const ib_DesignGear *gear, ib_Arena *arena, ib_Error *error);

void ib__design_locus(const ib_DesignGear *gear, const ib_WeightSweep *sweep, ib_Text *html);
void ib__design_gains(const ib_DesignGear *gear, const ib_WeightSweep *sweep, ib_Text *html);

#endif

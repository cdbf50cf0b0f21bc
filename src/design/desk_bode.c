// design/desk_bode.c: the open loop of a design over frequency.
#include "base/maths.h"
#include "design/desk_parts.h"
#include "design/margins_inside.h"

#include <math.h>

static const double two_pi = 6.283185307179586;

// What is cut, with the memory behind it.
typedef struct Opened {
    ib_StateSpace plant;
    double K[IB_INPUTS_MAX * IB_STATES_MAX];
    ib_Loop loop;
    ib__Cut cut;
} Opened;

// As in design/desk_margins.c.
static ib_Status open_loop(const ib_DeskConfig *config, const ib_Design *design, Opened *opened,
                           ib_Error *error)
{
    const ib_Design *const designs[] = {design};
    ib_Status status;
    if (config->over) {
        status = ib__desk_open_part(config, design, &opened->plant, opened->K, error);
        opened->cut = (ib__Cut){.plant = &opened->plant, .K = opened->K};
        return status;
    }
    status = ib_desk_loop("loop", 1, &config, designs, &opened->loop, error);
    if (status != IB_OK) return status;
    const ib_LoopGear *gear = &opened->loop.gear[0];
    if (config->input_error) {
        opened->cut = (ib__Cut){.plant = &opened->plant};
        return ib__desk_open_wide(design, gear, &opened->plant, error);
    }
    opened->cut = (ib__Cut){&gear->plant, gear->K, &opened->loop, gear};
    return IB_OK;
}

ib_Status ib_desk_bode(const ib_DeskConfig *config, const ib_Design *design, int input,
                       ib_BodePoint *points, int count, ib_Error *error)
{
    Opened opened;
    ib_Status status = open_loop(config, design, &opened, error);
    if (status != IB_OK) return status;
    for (int k = 0; k < count; k++) {
        ib_Complex L;
        ib_Complex z = ib_frequency_point(config->period, points[k].frequency);
        ib__cut_back(&opened.cut, z, input, &L);
        double phase = ib_atan2(L.im, L.re);
        if (k == 0 && phase > 0) phase -= two_pi;
        // The turn that is nearest to the phase before.
        if (k > 0) phase += two_pi * rint((points[k - 1].phase - phase) / two_pi);
        points[k].size = ib_complex_size(L);
        points[k].phase = phase;
    }
    return IB_OK;
}

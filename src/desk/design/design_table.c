#include "desk/design/design_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double two_pi = 6.283185307179586;

// Parts of a design; a row appears only if its design has the needed parts.
enum {
    CONTINUOUS = 1 << 0, ///< a continuous plant
    FEEDBACK = 1 << 1,
    WEIGHTED = 1 << 2, ///< a feedback from a Riccati equation,
    PLACED = 1 << 3,   ///< or from poles
    INTEGRAL = 1 << 4,
    FORWARD = 1 << 5, ///< a feed-forward
    LATE = 1 << 6,    ///< a latency,
    DELAYED = 1 << 7, ///< and the poles of the loop with it
    MARGINED = 1 << 8,
    FILTER = 1 << 9,
    POLYTOPE = 1 << 10,
};

// The parts of a gear, one bit each.
static unsigned find_parts(const ib_DesignGear *gear)
{
    const ib_Design *design = &gear->design;
    const ib_AnalysisConfig *config = &gear->config;
    unsigned has = 0;
    if (config->plant.period == 0) has |= CONTINUOUS;
    if (design->weighted) has |= WEIGHTED;
    if (design->margined) has |= MARGINED;
    if (design->kalman) has |= FILTER;
    if (gear->polytope.given) has |= POLYTOPE;
    if (!design->feedback) return has;
    has |= FEEDBACK;
    if (!design->weighted) has |= PLACED;
    if (design->integrals > 0) has |= INTEGRAL;
    if (config->feedforward) has |= FORWARD;
    if (config->latency > 0) has |= LATE;
    if (config->latency > 0 && design->delayed_count) has |= DELAYED;
    return has;
}

// --------------------------------------------------------------------------------------- sentences

static void say_controllability(const ib_DesignGear *gear, char text[IB_ROW_SAID])
{
    const ib_Controllability *controllability = &gear->design.controllability;
    static const char *const rests[] = {[IB_PLANT_SETTLES] = "stable",
                                        [IB_PLANT_STAYS] = "neither settles nor runs away",
                                        [IB_PLANT_RUNS_AWAY] = "not stable"};
    const ib_Design *design = &gear->design;
    ib_PlantRest rest = ib_plant_rest(design->plant.states, design->plant_poles);
    snprintf(text, IB_ROW_SAID, "%scontrollable, %sobservable, %s by itself",
             controllability->input.full ? "" : "not ", controllability->output.full ? "" : "not ",
             rests[rest]);
}

// "zeros (z): -0.98, 0.9 ± 0.1 i", and the meaning of those outside the unit circle.
static void say_zeros(const ib_DesignGear *gear, char text[IB_ROW_SAID])
{
    const ib_Design *design = &gear->design;
    int outside = 0, at = snprintf(text, IB_ROW_SAID, "zeros (z): ");
    if (design->zero_count == 0) at += snprintf(text + at, (size_t)(IB_ROW_SAID - at), "none");
    for (int i = 0, shown = 0; i < design->zero_count; i++) {
        ib_Complex zero = design->plant_zeros[i];
        outside += hypot(zero.re, zero.im) > 1 + 1e-9;
        if (zero.im < 0 || at > IB_ROW_SAID - 100) continue; // its conjugate is listed; room
        at +=
            snprintf(text + at, (size_t)(IB_ROW_SAID - at), "%s%.6g", shown++ ? ", " : "", zero.re);
        if (zero.im > 0)
            at += snprintf(text + at, (size_t)(IB_ROW_SAID - at), " +- %.6g i", zero.im);
    }
    if (outside)
        snprintf(text + at, (size_t)(IB_ROW_SAID - at),
                 "; %d outside the unit circle: no controller may cancel %s", outside,
                 outside == 1 ? "it" : "them");
}

static void say_riccati(const ib_RiccatiAccuracy *accuracy, char text[IB_ROW_SAID])
{
    snprintf(text, IB_ROW_SAID, "Riccati equation: relative residual %.2g, by %s",
             accuracy->residual, accuracy->method);
}

static void say_feedback_riccati(const ib_DesignGear *gear, char text[IB_ROW_SAID])
{
    say_riccati(&gear->design.riccati, text);
}

static void say_filter_riccati(const ib_DesignGear *gear, char text[IB_ROW_SAID])
{
    say_riccati(&gear->design.filter_riccati, text);
}

static void say_latency(const ib_DesignGear *gear, char text[IB_ROW_SAID])
{
    snprintf(text, IB_ROW_SAID, "%s for a latency of %.6g s",
             gear->design.integrals ? "K and G are" : "K is", gear->config.latency);
}

static void say_delay_margin(const ib_DesignGear *gear, char text[IB_ROW_SAID])
{
    double delay = gear->design.margins.delay;
    int at = snprintf(text, IB_ROW_SAID, "all inputs together, as a late measurement has it: ");
    if (isfinite(delay))
        snprintf(text + at, IB_ROW_SAID - (size_t)at, "a delay of %.4g ms", 1e3 * delay);
    else
        snprintf(text + at, IB_ROW_SAID - (size_t)at, "any delay");
}

static void say_placement(const ib_DesignGear *gear, char text[IB_ROW_SAID])
{
    snprintf(text, IB_ROW_SAID, "poles placed within %.2g", gear->design.placement_accuracy);
}

static void say_polytope(const ib_DesignGear *gear, char text[IB_ROW_SAID])
{
    const ib_DesignPolytope *goal = &gear->polytope;
    int at = snprintf(text, IB_ROW_SAID, "the wanted point, brought into the region:");
    for (int i = 0; i < goal->axes; i++)
        at += snprintf(text + at, (size_t)(IB_ROW_SAID - at), " %.9g", goal->answer[i]);
    if (goal->lines)
        snprintf(text + at, (size_t)(IB_ROW_SAID - at), ", %s the line",
                 goal->on_line ? "on" : "off");
}

// -------------------------------------------------------------------------------------------- rows

#define AT(member) offsetof(ib_DesignGear, member)
#define STATES     IB_AXIS_STATES
#define INPUTS     IB_AXIS_INPUTS
#define OUTPUTS    IB_AXIS_OUTPUTS
#define ESTIMATES  IB_AXIS_ESTIMATES
#define INTEGRALS  IB_AXIS_INTEGRALS

static const ib_DesignRow polytope_parts[] = {
    {"answer", IB_ROW_VECTOR, 0, AT(polytope.answer), IB_AXIS_POLYTOPE},
    {"on_line", IB_ROW_FLAG, 0, AT(polytope.on_line)},
    {0},
};

static const ib_DesignRow point_parts[] = {
    {"x", IB_ROW_VECTOR, 0, AT(config.x0), STATES},
    {"u", IB_ROW_VECTOR, 0, AT(config.u0), INPUTS},
    {"y", IB_ROW_VECTOR, 0, AT(config.y0), OUTPUTS},
    {0},
};

// clang-format off
const ib_DesignRow ib_design_rows[] = {
    // The plant, its controllability and observability.
    {"A", IB_ROW_MATRIX, 0, AT(design.plant.A), STATES, STATES},
    {"B", IB_ROW_MATRIX, 0, AT(design.plant.B), STATES, INPUTS},
    {"C", IB_ROW_MATRIX, 0, AT(design.plant.C), OUTPUTS, STATES},
    {"D", IB_ROW_MATRIX, 0, AT(design.plant.D), OUTPUTS, INPUTS},
    {"plant_poles", IB_ROW_POLES, 0, AT(design.plant_poles), STATES, .words = {{0, NULL, "plant"}}},
    {"plant_zeros", IB_ROW_POLES, 0, AT(design.plant_zeros), IB_AXIS_ZEROS, .say = say_zeros},
    {"Ac", IB_ROW_MATRIX, CONTINUOUS, AT(config.plant.A), STATES, STATES},
    {"Bc", IB_ROW_MATRIX, CONTINUOUS, AT(config.plant.B), STATES, INPUTS},
    {"controllable", IB_ROW_FLAG, 0, AT(design.controllability.input.full),
     .say = say_controllability},
    {"observable", IB_ROW_FLAG, 0, AT(design.controllability.output.full)},
    {"stabilisable", IB_ROW_FLAG, 0, AT(design.controllability.input.enough)},
    {"detectable", IB_ROW_FLAG, 0, AT(design.controllability.output.enough)},
    {"not_controllable", IB_ROW_TEXT, 0, AT(design.controllability.input.text)},
    {"not_observable", IB_ROW_TEXT, 0, AT(design.controllability.output.text)},
    {"stable", IB_ROW_FLAG, 0, AT(design.stable),
     .words = {{DELAYED | FILTER, "closed loop, with its latency and its filter"},
               {DELAYED, "closed loop, with its latency"},
               {0, "closed loop"}}},
    {"not_held", IB_ROW_TEXT, 0, AT(design.left_out)},

    // The feedback.
    {"K", IB_ROW_MATRIX, FEEDBACK, AT(design.K), INPUTS, STATES,
     .words = {{0, "feedback", "K"}}, .law = "u = K (goal - state)"},
    {"poles", IB_ROW_POLES, FEEDBACK, AT(design.poles), IB_AXIS_POLES,
     .words = {{DELAYED, "designed for, if there were no latency", "designed for, without latency"},
               {0, NULL, "closed loop"}}},
    {"riccati_residual", IB_ROW_NUMBER, WEIGHTED, AT(design.riccati.residual),
     .say = say_feedback_riccati},
    {"riccati_method", IB_ROW_NAME, WEIGHTED, AT(design.riccati.method)},
    {"margins", IB_ROW_MARGINS, MARGINED, AT(design.margins.input), INPUTS},
    {"delay_margin_together", IB_ROW_NUMBER, MARGINED, AT(design.margins.delay), .say = say_delay_margin},
    {"Z", IB_ROW_MATRIX, INTEGRAL, AT(config.Z), INTEGRALS, STATES},
    {"G", IB_ROW_MATRIX, INTEGRAL, AT(design.G), INPUTS, INTEGRALS,
     .words = {{0, "integral action", "G, of the integral of"}}, .law = " - G z",
     .letters = ", z the integral of (state - goal)"},
    {"F", IB_ROW_MATRIX, FORWARD, AT(design.F), INPUTS, STATES,
     .words = {{0, "feed-forward", "F"}}, .law = " + F (next goal - A goal)"},
    {"latency", IB_ROW_NUMBER, LATE, AT(config.latency), .say = say_latency},
    {"uncompensated_K", IB_ROW_MATRIX, LATE, AT(design.uncompensated_K), INPUTS, STATES},
    {"uncompensated_G", IB_ROW_MATRIX, LATE | INTEGRAL, AT(design.uncompensated_G), INPUTS,
     INTEGRALS},
    {"delayed_poles", IB_ROW_POLES, DELAYED, AT(design.delayed_poles), IB_AXIS_DELAYED,
     .words = {{FILTER, NULL, "closed loop with its latency and filter"},
               {0, NULL, "closed loop with its latency"}}},
    {"placement_accuracy", IB_ROW_NUMBER, PLACED, AT(design.placement_accuracy),
     .say = say_placement},

    // The Kalman filter.
    {"Qd", IB_ROW_MATRIX, FILTER, AT(design.Qd), ESTIMATES, ESTIMATES},
    {"Rd", IB_ROW_MATRIX, FILTER, AT(design.Rd), OUTPUTS, OUTPUTS},
    {"kalman_gain", IB_ROW_MATRIX, FILTER, AT(design.filter_gain), ESTIMATES, OUTPUTS,
     .words = {{0, "Kalman filter", "M"}}, .law = "estimate += M (measured - expected)"},
    {"predictor_gain", IB_ROW_MATRIX, FILTER, AT(design.predictor_gain), ESTIMATES, OUTPUTS},
    {"kalman_poles", IB_ROW_POLES, FILTER, AT(design.kalman_poles), ESTIMATES,
     .words = {{0, "its error dies out", "Kalman filter"}}},
    {"covariance", IB_ROW_COVARIANCE, FILTER, AT(design.covariance), ESTIMATES, ESTIMATES,
     .words = {{0, "one sigma", "One sigma before a correction"}}},
    {"kalman_residual", IB_ROW_NUMBER, FILTER, AT(design.filter_riccati.residual),
     .say = say_filter_riccati},
    {"kalman_method", IB_ROW_NAME, FILTER, AT(design.filter_riccati.method)},
    {"kalman_states", IB_ROW_NAMES, FILTER, 0, ESTIMATES},

    // The wanted point, the operating point, and the limits of the inputs.
    {"polytope", IB_ROW_OBJECT, POLYTOPE, .say = say_polytope, .parts = polytope_parts},
    {"note", IB_ROW_NAME, 0, AT(note)},
    {"at", IB_ROW_OBJECT, 0, .parts = point_parts},
    {"low", IB_ROW_VECTOR, 0, AT(config.low), INPUTS},
    {"high", IB_ROW_VECTOR, 0, AT(config.high), INPUTS},
    {0},
};
// clang-format on

const ib_DesignRow *ib_design_row(const char *key)
{
    const ib_DesignRow *row = ib_design_rows;
    while (row->key && strcmp(row->key, key) != 0) row++;
    IB_ASSERT(row->key);
    return row;
}

bool ib_design_row_given(const ib_DesignGear *gear, const ib_DesignRow *row)
{
    return (find_parts(gear) & row->needs) == row->needs;
}

const void *ib_design_row_value(const ib_DesignGear *gear, const ib_DesignRow *row)
{
    return (const char *)gear + row->at;
}

const ib_RowWords *ib_design_row_words(const ib_DesignGear *gear, const ib_DesignRow *row)
{
    const ib_RowWords *words = row->words;
    unsigned has = find_parts(gear);
    while ((has & words->needs) != words->needs) words++; // the last one has no needs
    return words;
}

const char *ib_design_row_say(const ib_DesignGear *gear, const ib_DesignRow *row,
                              char memory[IB_ROW_SAID])
{
    const void *value = ib_design_row_value(gear, row);
    if (row->say) {
        row->say(gear, memory);
        return memory;
    }
    if (row->form == IB_ROW_TEXT) return value;
    if (row->form != IB_ROW_NAME) return NULL;
    const char *name = *(const char *const *)value;
    return name ? name : "";
}

double ib_design_deviation(const ib_DesignGear *gear, const ib_DesignRow *row, int i)
{
    const double *covariance = ib_design_row_value(gear, row);
    return sqrt(covariance[i * ib_design_side(gear, row->columns).count + i]);
}

bool ib_design_point_given(const ib_DesignGear *gear)
{
    const ib_AnalysisConfig *config = &gear->config;
    bool given = gear->note != NULL;
    for (int i = 0; i < config->plant.states; i++) given |= config->x0[i] != 0;
    for (int i = 0; i < config->plant.inputs; i++) given |= config->u0[i] != 0;
    return given;
}

// -------------------------------------------------------------------------------------------- axes

const ib_DesignPort ib_design_ports[IB_DESIGN_PORTS] = {
    {IB_AXIS_STATES, "state", "states", "state_units"},
    {IB_AXIS_INPUTS, "input", "inputs", "input_units"},
    {IB_AXIS_OUTPUTS, "output", "outputs", "output_units"},
};

static void add_names(ib_DesignSide *side, int count, const char (*names)[IB_STATE_NAME + 1],
                      const char *const *units, const ib_MechanismPort *ports)
{
    for (int i = 0; i < count; i++) {
        side->name[side->count] = names[i];
        side->unit[side->count] = units[i];
        side->sentence[side->count++] = ports ? ports[i].sentence : NULL;
    }
}

static void add_integrals(ib_DesignSide *side, const ib_DesignGear *gear)
{
    const ib_StateSpace *plant = &gear->design.plant;
    side->count = gear->design.integrals;
    for (int i = 0; i < side->count; i++)
        for (int k = 0; k < plant->states; k++)
            if (gear->config.Z[i * plant->states + k] != 0) {
                side->name[i] = plant->state[k];
                side->unit[i] = gear->state_unit[k];
            }
}

ib_DesignSide ib_design_side(const ib_DesignGear *gear, ib_DesignAxis axis)
{
    const ib_Design *design = &gear->design;
    const ib_StateSpace *plant = &design->plant, *estimator = &design->estimator;
    const ib_MechanismPorts *ports = gear->mechanical ? &gear->mechanism.ports : NULL;
    int n = plant->states;
    ib_DesignSide side = {0};
    if (axis == IB_AXIS_STATES)
        add_names(&side, n, plant->state, gear->state_unit, ports ? ports->state : NULL);
    else if (axis == IB_AXIS_INPUTS)
        add_names(&side, plant->inputs, plant->input, gear->input_unit,
                  ports ? ports->input : NULL);
    else if (axis == IB_AXIS_OUTPUTS)
        add_names(&side, plant->outputs, plant->output, gear->output_unit,
                  ports ? ports->output : NULL);
    else if (axis == IB_AXIS_ESTIMATES && design->kalman) {
        add_names(&side, n, estimator->state, gear->state_unit, NULL);
        add_names(&side, estimator->states - n, estimator->state + n, gear->input_unit, NULL);
    } else if (axis == IB_AXIS_INTEGRALS)
        add_integrals(&side, gear);
    else if (axis == IB_AXIS_POLES)
        side.count = design->pole_count;
    else if (axis == IB_AXIS_DELAYED)
        side.count = design->delayed_count;
    else if (axis == IB_AXIS_ZEROS)
        side.count = design->zero_count;
    else if (axis == IB_AXIS_POLYTOPE)
        side.count = gear->polytope.axes;
    return side;
}

// ------------------------------------------------------------------------------- poles and margins

// clang-format off
const ib_Fact ib_pole_facts[] = {
    {"re", IB_TOLD_FILE | IB_TOLD_PAGE, offsetof(ib_DesignPole, re)},
    {"im", IB_TOLD_FILE | IB_TOLD_PAGE, offsetof(ib_DesignPole, im)},
    {"frequency", IB_TOLD_PAGE, offsetof(ib_DesignPole, shape.frequency)},
    {"hertz", 0, offsetof(ib_DesignPole, hertz), "frequency", .unit = "Hz"},
    {"damping", IB_TOLD_PAGE, offsetof(ib_DesignPole, shape.damping), "damping", .unit = ""},
    {"settling", IB_TOLD_PAGE, offsetof(ib_DesignPole, shape.settling),
     "settles in", "settles to 2 % in", "s", .otherwise = "never"},
    {0},
};

const ib_Fact ib_margin_facts[] = {
    {"gain_up", IB_TOLD_FILE | IB_TOLD_PAGE, offsetof(ib_Margin, gain_up),
     "gain up", .unit = "x", .otherwise = "any"},
    {"gain_down", IB_TOLD_FILE | IB_TOLD_PAGE, offsetof(ib_Margin, gain_down),
     "gain down", .unit = "x", .otherwise = "any", .open = true},
    {"phase", IB_TOLD_FILE | IB_TOLD_PAGE, offsetof(ib_Margin, phase),
     "phase", .unit = "deg", .scale = 57.29577951308232, .otherwise = "any"},
    {"delay", IB_TOLD_FILE | IB_TOLD_PAGE, offsetof(ib_Margin, delay),
     "delay", .unit = "ms", .scale = 1e3, .otherwise = "any"},
    {"disk", IB_TOLD_FILE | IB_TOLD_PAGE, offsetof(ib_Margin, disk),
     "disk", .unit = "", .otherwise = "any"},
    {"disk_gain", IB_TOLD_FILE, offsetof(ib_Margin, disk_gain)},
    {"disk_phase", IB_TOLD_FILE, offsetof(ib_Margin, disk_phase)},
    {"gain_frequency", IB_TOLD_FILE, offsetof(ib_Margin, gain_frequency)},
    {"phase_frequency", IB_TOLD_FILE, offsetof(ib_Margin, phase_frequency)},
    {"disk_frequency", IB_TOLD_FILE, offsetof(ib_Margin, disk_frequency)},
    {0},
};
// clang-format on

ib_DesignPole ib_design_pole(const ib_DesignGear *gear, const ib_DesignRow *row, int index)
{
    const ib_Complex *poles = ib_design_row_value(gear, row);
    ib_DesignPole pole = {poles[index].re, poles[index].im};
    pole.shape = ib_pole_shape(poles[index], gear->config.period);
    pole.hertz = pole.shape.frequency / two_pi;
    return pole;
}

// desk/design_json.c: writes a design as JSON.
#include "desk/design_json.h"

#include <math.h>

// ------------------------------------------------------------------------------------------- parts

// ib_json_number writes what is not finite as null.
static void write_null(ib_Json *json, const char *key)
{
    ib_json_number(json, key, NAN);
}

static void write_vector(ib_Json *json, const char *key, int count, const double *values)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) ib_json_number(json, NULL, values[i]);
    ib_json_close(json, ']');
}

static void write_matrix(ib_Json *json, const char *key, int rows, int columns, const double *a)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < rows; i++) write_vector(json, NULL, columns, a + i * columns);
    ib_json_close(json, ']');
}

// A matrix of a block that may not be there.
static void write_block(ib_Json *json, bool given, const char *key, int rows, int columns,
                        const double *a)
{
    if (given)
        write_matrix(json, key, rows, columns, a);
    else
        write_null(json, key);
}

static void write_poles(ib_Json *json, bool given, const char *key, int count,
                        const ib_Complex *poles)
{
    if (!given) {
        write_null(json, key);
        return;
    }
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) {
        ib_json_open(json, NULL, '{');
        ib_json_number(json, "re", poles[i].re);
        ib_json_number(json, "im", poles[i].im);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void write_names(ib_Json *json, const char *key, int count,
                        const char (*names)[IB_STATE_NAME + 1])
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) ib_json_text(json, NULL, names[i]);
    ib_json_close(json, ']');
}

static void write_units(ib_Json *json, const char *key, int count, const char *const *units)
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++)
        if (units[i])
            ib_json_text(json, NULL, units[i]);
        else
            write_null(json, NULL);
    ib_json_close(json, ']');
}

// A report of a Riccati equation under two keys.
static void write_riccati(ib_Json *json, bool given, const char *residual, const char *method,
                          const ib_RiccatiReport *report)
{
    ib_json_number(json, residual, given ? report->residual : NAN);
    if (given && report->method)
        ib_json_text(json, method, report->method);
    else
        write_null(json, method);
}

// ---------------------------------------------------------------------------------------- one gear

static void write_margins(ib_Json *json, const ib_Design *design)
{
    if (!design->margined) {
        write_null(json, "margins");
        return;
    }
    ib_json_open(json, "margins", '[');
    for (int i = 0; i < design->plant.inputs; i++) {
        const ib_Margin *margin = &design->margins.input[i];
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "input", design->plant.input[i]);
        ib_json_number(json, "gain_up", margin->gain_up);
        ib_json_number(json, "gain_down", margin->gain_down);
        ib_json_number(json, "phase", margin->phase);
        ib_json_number(json, "delay", margin->delay);
        ib_json_number(json, "disk", margin->disk);
        ib_json_number(json, "disk_gain", margin->disk_gain);
        ib_json_number(json, "disk_phase", margin->disk_phase);
        ib_json_number(json, "gain_frequency", margin->gain_frequency);
        ib_json_number(json, "phase_frequency", margin->phase_frequency);
        ib_json_number(json, "disk_frequency", margin->disk_frequency);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

static void write_polytope(ib_Json *json, const ib_DesignPolytope *goal)
{
    if (!goal->given) {
        write_null(json, "polytope");
        return;
    }
    ib_json_open(json, "polytope", '{');
    write_vector(json, "answer", goal->axes, goal->answer);
    ib_json_flag(json, "on_line", goal->on_line);
    ib_json_close(json, '}');
}

static void write_feedback(ib_Json *json, const ib_DesignGear *gear)
{
    const ib_AnalysisConfig *config = &gear->config;
    const ib_Design *design = &gear->design;
    int n = design->plant.states, m = design->plant.inputs, q = design->integrals;
    bool given = design->feedback, late = given && config->latency > 0;
    write_block(json, given, "K", m, n, design->K);
    write_poles(json, given, "poles", design->pole_count, design->poles);
    write_riccati(json, design->weighted, "riccati_residual", "riccati_method", &design->riccati);
    write_margins(json, design);
    write_block(json, given && q > 0, "Z", q, n, config->Z);
    write_block(json, given && q > 0, "G", m, q, design->G);
    write_block(json, given && config->feedforward, "F", m, n, design->F);
    ib_json_number(json, "latency", late ? config->latency : NAN);
    write_block(json, late, "uncompensated_K", m, n, design->uncompensated_K);
    write_block(json, late && q > 0, "uncompensated_G", m, q, design->uncompensated_G);
    write_poles(json, late && design->delayed_count, "delayed_poles", design->delayed_count,
                design->delayed_poles);
    bool placed = given && !design->weighted;
    ib_json_number(json, "placement_accuracy", placed ? design->placement_accuracy : NAN);
}

static void write_kalman(ib_Json *json, const ib_Design *design)
{
    bool given = design->kalman;
    int n = design->estimator.states, p = design->plant.outputs;
    write_block(json, given, "Qd", n, n, design->Qd);
    write_block(json, given, "Rd", p, p, design->Rd);
    write_block(json, given, "kalman_gain", n, p, design->filter_gain);
    write_block(json, given, "predictor_gain", n, p, design->predictor_gain);
    write_poles(json, given, "kalman_poles", n, design->kalman_poles);
    write_block(json, given, "covariance", n, n, design->covariance);
    write_riccati(json, given, "kalman_residual", "kalman_method", &design->filter_riccati);
    if (given)
        write_names(json, "kalman_states", n, design->estimator.state);
    else
        write_null(json, "kalman_states");
}

static void write_gear(ib_Json *json, const ib_DesignGear *gear)
{
    const ib_AnalysisConfig *config = &gear->config;
    const ib_Design *design = &gear->design;
    const ib_StateSpace *plant = &design->plant;
    int n = plant->states, m = plant->inputs, p = plant->outputs;
    write_matrix(json, "A", n, n, plant->A);
    write_matrix(json, "B", n, m, plant->B);
    write_matrix(json, "C", p, n, plant->C);
    write_matrix(json, "D", p, m, plant->D);
    write_poles(json, true, "plant_poles", n, design->plant_poles);
    bool continuous = config->plant.period == 0;
    write_block(json, continuous, "Ac", n, n, config->plant.A);
    write_block(json, continuous, "Bc", n, m, config->plant.B);
    ib_json_flag(json, "controllable", design->reach.input.full);
    ib_json_flag(json, "observable", design->reach.output.full);
    ib_json_flag(json, "stabilisable", design->reach.input.enough);
    ib_json_flag(json, "detectable", design->reach.output.enough);
    ib_json_text(json, "not_controllable", design->reach.input.text);
    ib_json_text(json, "not_observable", design->reach.output.text);
    ib_json_flag(json, "stable", design->stable);
    ib_json_text(json, "not_held", design->left_out);
    write_feedback(json, gear);
    write_kalman(json, design);
    write_polytope(json, &gear->polytope);
    if (gear->note)
        ib_json_text(json, "note", gear->note);
    else
        write_null(json, "note");
    ib_json_open(json, "at", '{');
    write_vector(json, "x", n, config->x0);
    write_vector(json, "u", m, config->u0);
    write_vector(json, "y", p, config->y0);
    ib_json_close(json, '}');
    write_vector(json, "low", m, config->low);
    write_vector(json, "high", m, config->high);
}

// -------------------------------------------------------------------------------------------- loop

static void write_loop_units(ib_Json *json, const char *key, int count,
                             const char (*units)[IB_UNIT_NAME + 1])
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) ib_json_text(json, NULL, units[i]);
    ib_json_close(json, ']');
}

static void write_loop(ib_Json *json, const ib_Loop *loop)
{
    int n = loop->states, m = loop->inputs, p = loop->outputs, q = loop->integrals;
    ib_json_open(json, "loop", '{');
    ib_json_text(json, "name", loop->name);
    ib_json_number(json, "period", loop->period);
    write_names(json, "states", n, loop->gear[0].plant.state);
    write_names(json, "inputs", m, loop->gear[0].plant.input);
    write_names(json, "outputs", p, loop->gear[0].plant.output);
    write_loop_units(json, "state_units", n, loop->state_unit);
    write_loop_units(json, "input_units", m, loop->input_unit);
    ib_json_flag(json, "observer", loop->observer);
    ib_json_flag(json, "feedforward", loop->feedforward);
    ib_json_flag(json, "offset", loop->offset);
    write_vector(json, "start", n, loop->start);
    write_matrix(json, "Z", q, n, loop->Z);
    write_vector(json, "low", m, loop->low);
    write_vector(json, "high", m, loop->high);
    ib_json_number(json, "fade", loop->fade);
    ib_json_open(json, "gears", '[');
    for (int i = 0; i < loop->gears; i++) {
        const ib_LoopGear *gear = &loop->gear[i];
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "name", gear->name);
        write_matrix(json, "A", n, n, gear->plant.A);
        write_matrix(json, "B", n, m, gear->plant.B);
        write_matrix(json, "C", p, n, gear->plant.C);
        write_matrix(json, "D", p, m, gear->plant.D);
        write_matrix(json, "K", m, n, gear->K);
        write_matrix(json, "F", m, n, gear->F);
        write_matrix(json, "G", m, q, gear->G);
        write_matrix(json, "M", n, p, gear->M);
        write_vector(json, "hold", m, gear->hold);
        write_vector(json, "drift", n, gear->drift);
        write_vector(json, "zero", p, gear->zero);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
    ib_json_close(json, '}');
}

static void write_checks(ib_Json *json, const ib_DesignFile *design)
{
    ib_json_open(json, "check", '[');
    for (int i = 0; i < design->check_count; i++) {
        const ib_DesignCheck *check = &design->checks[i];
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "what", ib_design_limit_names[check->what]);
        ib_json_text(json, "gear", check->gear);
        ib_json_number(json, "limit", check->limit);
        ib_json_number(json, "found", check->found);
        ib_json_flag(json, "passed", check->passed);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
}

void ib_design_json_write(const ib_DesignFile *design, FILE *file)
{
    ib_design_json_write_with(design, file, NULL, NULL);
}

void ib_design_json_write_with(const ib_DesignFile *design, FILE *file,
                               void (*more)(ib_Json *json, const void *self), const void *self)
{
    ib_Json json = {.file = file};
    const ib_DesignGear *first = &design->gears[0];
    const ib_StateSpace *plant = &first->design.plant;
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, "design", design->title);
    ib_json_text(&json, "name", design->name);
    ib_json_number(&json, "period", first->config.period);
    ib_json_text(&json, "hold", first->config.hold == IB_HOLD_TUSTIN ? "tustin" : "zero_order");
    write_names(&json, "states", plant->states, plant->state);
    write_names(&json, "inputs", plant->inputs, plant->input);
    write_names(&json, "outputs", plant->outputs, plant->output);
    write_units(&json, "state_units", plant->states, first->state_unit);
    write_units(&json, "input_units", plant->inputs, first->input_unit);
    write_units(&json, "output_units", plant->outputs, first->output_unit);
    write_gear(&json, first);
    write_checks(&json, design);
    if (design->scheduled) {
        ib_json_open(&json, "gears", '[');
        for (int i = 0; i < design->gear_count; i++) {
            ib_json_open(&json, NULL, '{');
            ib_json_text(&json, "name", design->gears[i].design.name);
            write_gear(&json, &design->gears[i]);
            ib_json_close(&json, '}');
        }
        ib_json_close(&json, ']');
    } else {
        write_null(&json, "gears");
    }
    if (design->loop)
        write_loop(&json, design->loop);
    else
        write_null(&json, "loop");
    if (more) more(&json, self);
    ib_json_close(&json, '}');
    fputc('\n', file);
}

// desk/design/design_json.c: writes a design as JSON: the table of each gear, and the loop.
#include "desk/design/design_json.h"

#include "desk/table_json.h"

static void write_gear(ib_Json *json, const ib_DesignGear *gear)
{
    for (const ib_DesignRow *row = ib_design_rows; row->key; row++)
        ib_row_json(json, gear, row, IB_TOLD_FILE);
}

static void write_ports(ib_Json *json, const ib_DesignGear *gear)
{
    ib_DesignSide side[IB_DESIGN_PORTS];
    for (int i = 0; i < IB_DESIGN_PORTS; i++) {
        side[i] = ib_design_side(gear, ib_design_ports[i].axis);
        ib_json_names(json, ib_design_ports[i].key, side[i].count, side[i].name);
    }
    for (int i = 0; i < IB_DESIGN_PORTS; i++)
        ib_json_names(json, ib_design_ports[i].units_key, side[i].count, side[i].unit);
}

// -------------------------------------------------------------------------------------------- loop

static void write_names(ib_Json *json, const char *key, int count,
                        const char (*names)[IB_STATE_NAME + 1])
{
    ib_json_open(json, key, '[');
    for (int i = 0; i < count; i++) ib_json_text(json, NULL, names[i]);
    ib_json_close(json, ']');
}

static void write_units(ib_Json *json, const char *key, int count,
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
    write_units(json, "state_units", n, loop->state_unit);
    write_units(json, "input_units", m, loop->input_unit);
    ib_json_flag(json, "observer", loop->observer);
    ib_json_flag(json, "feedforward", loop->feedforward);
    ib_json_flag(json, "offset", loop->offset);
    ib_json_vector(json, "start", n, loop->start);
    ib_json_matrix(json, "Z", q, n, loop->Z);
    ib_json_vector(json, "low", m, loop->low);
    ib_json_vector(json, "high", m, loop->high);
    ib_json_vector(json, "largest", m, loop->largest);
    ib_json_number(json, "fade", loop->fade);
    ib_json_open(json, "gears", '[');
    for (int i = 0; i < loop->gears; i++) {
        const ib_LoopGear *gear = &loop->gear[i];
        ib_json_open(json, NULL, '{');
        ib_json_text(json, "name", gear->name);
        ib_json_matrix(json, "A", n, n, gear->plant.A);
        ib_json_matrix(json, "B", n, m, gear->plant.B);
        ib_json_matrix(json, "C", p, n, gear->plant.C);
        ib_json_matrix(json, "D", p, m, gear->plant.D);
        ib_json_matrix(json, "K", m, n, gear->K);
        ib_json_matrix(json, "F", m, n, gear->F);
        ib_json_matrix(json, "G", m, q, gear->G);
        ib_json_matrix(json, "M", n, p, gear->M);
        ib_json_vector(json, "hold", m, gear->hold);
        ib_json_vector(json, "drift", n, gear->drift);
        ib_json_vector(json, "zero", p, gear->zero);
        ib_json_close(json, '}');
    }
    ib_json_close(json, ']');
    ib_json_close(json, '}');
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
    ib_json_open(&json, NULL, '{');
    ib_json_text(&json, "design", design->yaml.title);
    ib_json_text(&json, "name", design->name);
    ib_json_number(&json, "period", first->config.period);
    ib_json_text(&json, "hold", first->config.hold == IB_HOLD_TUSTIN ? "tustin" : "zero_order");
    write_ports(&json, first);
    write_gear(&json, first);
    ib_checks_json(&json, design, IB_TOLD_FILE);
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
        ib_json_null(&json, "gears");
    }
    if (design->loop)
        write_loop(&json, design->loop);
    else
        ib_json_null(&json, "loop");
    ib_yaml_file_warnings_json(&design->yaml, &json);
    if (more) more(&json, self);
    ib_json_close(&json, '}');
    fputc('\n', file);
}

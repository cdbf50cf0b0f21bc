// control/controller.c: a loop made from a kind of controller.
#include "control/controller.h"

#include "base/extreme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------- units

// A pure number leaves no trace but where nothing else is left.
const char *ib_control_units(const char *text, const char *measured, const char *output,
                             ib_Arena *arena)
{
    char made[160] = "", *to = made;
    if (!text || !strpbrk(text, "YU")) return text;
    for (const char *at = text; *at; at++) {
        const char *unit = *at == 'Y' ? measured : *at == 'U' ? output : NULL;
        size_t left = sizeof made - (size_t)(to - made);
        bool compound = unit && strpbrk(unit, "*/") && (at > text && at[-1] == '/');
        int length = unit ? snprintf(to, left, compound ? "(%s)" : "%s", unit)
                          : snprintf(to, left, "%c", *at);
        if ((size_t)length >= left) return NULL;
        to += length;
    }
    return ib_arena_text(arena, made);
}

// The columns of a table, likewise.
static const ib_TableDef *table_units(const ib_TableDef *table, const char *measured,
                                      const char *output, ib_Arena *arena)
{
    ib_TableDef *own = ib_arena_alloc(arena, sizeof *own);
    if (!own) return NULL;
    *own = *table;
    for (int i = 0; i < table->columns; i++) {
        own->units[i] = ib_control_units(table->units[i], measured, output, arena);
        if (!own->units[i]) return NULL;
    }
    return own;
}

bool ib_controller_params(const ib_ControllerKind *kind, const char *measured, const char *output,
                          ib_Arena *arena, ib_Schema *params)
{
    int count = kind->params.count;
    ib_Param *rows = ib_arena_array(arena, (size_t)count, sizeof *rows);
    if (!rows) return false;
    for (int i = 0; i < count; i++) {
        rows[i] = kind->params.params[i];
        const char *fallback = rows[i].fallback;
        rows[i].unit = ib_control_units(rows[i].unit, measured, output, arena);
        rows[i].fallback = ib_control_units(fallback, measured, output, arena);
        if (!rows[i].unit || (fallback && !rows[i].fallback)) return false;
        if (rows[i].type == IB_PARAM_TABLE) {
            rows[i].detail = table_units(rows[i].detail, measured, output, arena);
            if (!rows[i].detail) return false;
        }
    }
    *params = (ib_Schema){.params = rows, .count = count, .idle = kind->params.idle, .made = true};
    return true;
}

// ------------------------------------------------------------------------------------------- loops

ib_Status ib_controller_delay(ib_Controller *controller, double latency, ib_Error *error)
{
    controller->latency = ib_time_from_seconds(latency);
    if (controller->latency <= IB_LATENCY_PERIODS * controller->period) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT, "latency: expected at most %d periods of %g s",
                        IB_LATENCY_PERIODS, ib_time_to_seconds(controller->period));
}

ib_Status ib_controller_convert(ib_Controller *controller, int bits, const ib_ControlSite *site,
                                ib_Error *error)
{
    controller->output_bits = bits;
    if (bits > 0 && controller->ports.output_count == 0)
        return ib_error_set(error, IB_BAD_INPUT, "output_bits: %s sets nothing", controller->label);
    for (int i = 0; bits > 0 && i < controller->ports.output_count; i++) {
        const ib_ControlPin *pin = ib_site_command(site, controller->ports.outputs[i]);
        if (pin && !pin->words && !isfinite(pin->high - pin->low))
            return ib_error_set(error, IB_BAD_INPUT,
                                "output_bits: '%s' has no range for a converter to divide",
                                pin->name);
    }
    return IB_OK;
}

void ib_command_limit(const ib_ControlPin *pin, ib_ControlCommand *command)
{
    if (!pin->local || !isfinite(pin->low)) return;
    command->low = pin->low;
    command->high = pin->high;
    command->limit = "its travel";
    command->neutral = ib_min(ib_max(command->neutral, pin->low), pin->high);
}

// "the loop 'lift' of red"
static const char *make_label(const ib_ControllerKind *kind, const ib_ControlSite *site,
                              ib_Arena *arena)
{
    bool named = site->loop[0] != 0, several = site->robot && site->robot[0];
    return ib_arena_format(arena, named ? "the loop '%s'%s%s" : "the %s loop%s%s",
                           named ? site->loop : kind->name, several ? " of " : "",
                           several ? site->robot : "");
}

// A table that somebody adds may lack something that nothing can stand in for.
static void check_kind(const ib_ControllerKind *kind)
{
    IB_ASSERT_SAY(kind->init, "the table of the controller '%s' has no .init", kind->name);
    IB_ASSERT_SAY(kind->step, "the table of the controller '%s' has no .step", kind->name);
    IB_ASSERT_SAY(kind->config_size >= sizeof(ib_WiringConfig),
                  "the table of the controller '%s': .config_size is %zu, expected that of a "
                  "struct that begins with an ib_WiringConfig",
                  kind->name, kind->config_size);
}

// Requirements and exclusions of a continuous loop.
static ib_Status check_law(const ib_Controller *controller, const ib_WiringConfig *wiring,
                           ib_Error *error)
{
    const ib_ControllerKind *kind = controller->kind;
    const ib_ControlPorts *ports = &controller->ports;
    IB_ASSERT_SAY(kind->law, "the table of the controller '%s' has no .law", kind->name);
    IB_ASSERT_SAY(kind->law_show || ports->signal_count == 0,
                  "the controller '%s' has signals, and its table has no .law_show", kind->name);
    IB_ASSERT_SAY(ports->measurement_count <= IB_LAW_MEASUREMENTS &&
                      ports->rate_count <= IB_LAW_RATES && ports->output_count <= IB_LAW_OUTPUTS,
                  "the law of the controller '%s' has too many numbers", kind->name);
    if (wiring->latency != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "latency: a continuous loop acts at once: expected 'period' as a time, "
                            "such as 5 ms, or no latency");
    if (wiring->output_bits != 0)
        return ib_error_set(error, IB_BAD_INPUT,
                            "output_bits: a continuous loop has no samples for a converter to "
                            "round: expected 'period' as a time, such as 5 ms, or no bits");
    return IB_OK;
}

void ib_controller_reset(const ib_Controller *controller, double *state)
{
    int count =
        controller->continuous ? controller->ports.rate_count : controller->ports.state_count;
    for (int i = 0; i < count; i++) state[i] = 0;
    if (controller->continuous) return;
    if (controller->kind->reset) controller->kind->reset(controller->model, state);
}

ib_Status ib_controller_init(const ib_ControllerKind *kind, const void *config,
                             const ib_ControlSite *site, ib_Arena *arena, ib_Controller *controller,
                             ib_Error *error)
{
    check_kind(kind);
    const ib_WiringConfig *wiring = config;
    double period = site->design ? site->design->period : wiring->period;
    void *model = ib_arena_alloc(arena, kind->model_size);
    const char *label = make_label(kind, site, arena);
    if (!model || !label) return ib_error_set(error, IB_FAILED, "out of memory for a controller");
    *controller = (ib_Controller){.name = site->loop,
                                  .label = label,
                                  .kind = kind,
                                  .model = model,
                                  .continuous = ib_is_continuous(period)};
    if (!controller->continuous) controller->period = ib_time_from_seconds(period);
    ib_Status status = kind->init(config, site, arena, model, &controller->ports, error);
    if (status != IB_OK) return status;
    if (controller->continuous) return check_law(controller, wiring, error);
    IB_ASSERT_SAY(kind->show || controller->ports.signal_count == 0,
                  "the controller '%s' has signals, and its table has no .show", kind->name);
    if (controller->ports.period > 0)
        controller->period = ib_time_from_seconds(controller->ports.period);
    status = ib_controller_convert(controller, wiring->output_bits, site, error);
    if (status != IB_OK) return status;
    return ib_controller_delay(controller, wiring->latency, error);
}

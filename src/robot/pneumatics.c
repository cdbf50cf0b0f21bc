#include "robot/pneumatics.h"

void ib_pneumatics_init(const ib_AirConfig *config, ib_Pneumatics *p)
{
    p->config = config;
    ib_air_init(config, &p->air);
}

void ib_pneumatics_lay_out(ib_Pneumatics *p, ib_Places *places)
{
    p->state = places->states;
    places->states += 1 + ib_air_state_count(&p->air);
    p->guard = places->guards;
    places->guards += ib_air_margin_count(&p->air);
    p->input = places->inputs;
    places->inputs += 1 + p->air.cylinder_count;
}

void ib_pneumatics_reset(const ib_Pneumatics *p, double *x)
{
    x[p->state] = 0;
    ib_air_reset(&p->air, x + p->state + 1);
}

static ib_AirInput fill(const ib_Pneumatics *p, const double *input, bool on, double volts)
{
    ib_AirInput air = {.compressor = (int)input[p->input], .enabled = on, .voltage = volts};
    for (int i = 0; i < p->air.cylinder_count; i++) air.solenoid[i] = input[p->input + 1 + i];
    return air;
}

ib_Load ib_pneumatics_load(const ib_Pneumatics *p, const double *x, const double *input, bool on,
                           double volts)
{
    ib_AirInput air = fill(p, input, on, volts);
    return ib_air_load(&p->air, x + p->state + 1, &air, volts);
}

void ib_pneumatics_rate(const ib_Pneumatics *p, const double *x, const double *input, bool on,
                        const ib_PowerNow *power, const ib_AirDraw *draw, double *dx)
{
    ib_AirInput air = fill(p, input, on, power->bus.voltage);
    air.taken = draw->taken;
    air.vented = draw->vented;
    dx[p->state] = power->bus.voltage * power->other;
    ib_air_rate(&p->air, x + p->state + 1, &air, dx + p->state + 1);
}

void ib_pneumatics_guards(const ib_Pneumatics *p, const double *x, const double *input, bool on,
                          double *guards)
{
    ib_AirInput air = fill(p, input, on, 0);
    ib_air_margins(&p->air, x + p->state + 1, &air, guards + p->guard);
}

bool ib_pneumatics_settle(const ib_Pneumatics *p, const double *input, bool on, double *x)
{
    ib_AirInput air = fill(p, input, on, 0);
    return ib_air_settle(&p->air, &air, x + p->state + 1);
}

// ------------------------------------------------------------------------------------------- ports

static const ib_SignalDef energy = {IB_NAME_ENERGY("compressor"), "J",
                                    "energy used by the compressor so far", 1e15,
                                    IB_MEANS(.role = IB_ROLE_LOST)};

void ib_pneumatics_output(const ib_Pneumatics *p, const double *x, const double *input, bool on,
                          const ib_PowerNow *power, double *signals)
{
    ib_AirInput air = fill(p, input, on, power->bus.voltage);
    double *y = signals + p->signal, *compressor = y + 1 + IB_AIR_SIGNALS;
    y[0] = x[p->state];
    ib_air_output(&p->air, x + p->state + 1, &air, y + 1, compressor,
                  compressor + IB_COMPRESSOR_SIGNALS);
}

bool ib_pneumatics_inputs(const ib_Pneumatics *p, ib_Arena *arena, ib_InputDef *inputs)
{
    inputs[p->input] = ib_word_input(
        "compressor", "what runs the compressor: its pressure switch (auto), or a hand (on, off)",
        ib_compressor_words);
    for (int i = 0; i < p->air.cylinder_count; i++) {
        const char *name = ib_arena_format(arena, "solenoid.%s", p->config->cylinders[i].name);
        if (!name) return false;
        inputs[p->input + 1 + i] =
            ib_word_input(name, "on: this cylinder extends", ib_switch_words);
    }
    return true;
}

bool ib_pneumatics_signals(ib_Pneumatics *p, ib_SignalTable *table)
{
    p->signal = ib_signals_add(table, "", &energy, 1);
    int good = p->signal;
    good |= ib_signals_add(table, IB_PREFIX_AIR, ib_air_signals, IB_AIR_SIGNALS);
    good |=
        ib_signals_add(table, IB_PREFIX_COMPRESSOR, ib_compressor_signals, IB_COMPRESSOR_SIGNALS);
    for (int i = 0; i < p->air.cylinder_count; i++) {
        const char *prefix =
            ib_arena_format(table->arena, IB_PREFIX_CYLINDER ".%s", p->config->cylinders[i].name);
        good |= prefix ? ib_signals_add_part(table, prefix, p->config->cylinders[i].name,
                                             ib_cylinder_signals, IB_CYLINDER_SIGNALS)
                       : -1;
    }
    return good >= 0;
}

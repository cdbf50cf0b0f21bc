#include "plant/feed.h"

#include <math.h>
#include <string.h>

const char *const ib_compressor_words[] = {"auto", "on", "off", NULL};

void ib_feed_init(const ib_PowerConfig *power, ib_Feed *s)
{
    memset(s, 0, sizeof *s);
    s->powered = true;
    ib_power_init(power, &s->power);
}

void ib_feed_add_air(const ib_AirConfig *air, ib_Feed *s)
{
    s->breathes = air->on;
    s->air_config = air;
    if (s->breathes) ib_air_init(air, &s->air);
}

// ------------------------------------------------------------------------------------ declarations

void ib_feed_declare_power(const ib_PowerConfig *config, ib_Feed *s, ib_Declarations *d)
{
    ib_PowerModel *p = &s->power;
    s->power_signal = d->signals.count;
    ib_declare(d, "", NULL, ib_power_signals, IB_POWER_SIGNALS, NULL);
    ib_declare_states(d, 1, IB_STATE, &p->books.used);
    ib_declare_shown(d, &p->books.used, 0, s->power_signal + IB_POWER_SIGNAL_USED);
    if (config->battery.rate_exponent > 1) {
        ib_declare_states(d, 1, IB_STATE, &p->charge_state);
        ib_declare_shown(d, &p->charge_state, 0, s->power_signal + IB_POWER_SIGNAL_CHARGE);
    }
    if (config->breaker_on) {
        ib_declare_states(d, IB_BREAKER_STATES, IB_STATE, &p->breaker_state);
        ib_declare_shown(d, &p->breaker_state, IB_BREAKER_HEAT,
                         s->power_signal + IB_POWER_SIGNAL_HEAT);
        ib_declare_guards(d, 1, &p->breaker_guard);
    }
    if (config->brownout_on) {
        ib_declare_states(d, IB_BROWNOUT_STATES, IB_STATE, &p->brownout_state);
        ib_declare_guards(d, 1, &p->brownout_guard);
    }
}

void ib_feed_declare_book(ib_Feed *s, ib_Declarations *d)
{
    ib_declare_entry(d, "energy.battery", &s->power.books.battery);
    ib_declare_entry(d, "energy.resistance", &s->power.books.resistance);
    ib_declare_entry(d, "energy.background", &s->power.books.background);
}

void ib_feed_declare_branch(const ib_PowerConfig *config, ib_Feed *s, int bridge, const char *part,
                            ib_Declarations *d)
{
    ib_PowerModel *p = &s->power;
    if (!config->branch_on) return;
    IB_ASSERT(bridge < IB_BRIDGES_MAX);
    if (p->branch_count <= bridge) p->branch_count = bridge + 1;
    ib_declare_block(d, ib_declare_name(d, IB_PREFIX_BRANCH, part), part, ib_branch_signals,
                     IB_BREAKER_STATES, &p->branch_state[bridge]);
    ib_declare_guards(d, 1, &p->branch_guard[bridge]);
}

static const ib_SignalDef compressor_energy = {"energy.compressor", "J",
                                               "energy used by the compressor so far", 1e15,
                                               IB_MEANS(.role = IB_ROLE_LOST, .form = IB_SUM)};

// A missing compressor cannot be commanded.
void ib_feed_declare_compressor(ib_Feed *s, ib_Declarations *d)
{
    ib_InputDef input = ib_word_input(
        "compressor", "what runs the compressor: its pressure switch (auto), or a hand (on, off)",
        ib_compressor_words);
    if (!s->breathes) input.role = IB_INPUT_ENVIRONMENT;
    ib_declare_input(d, input, &s->compressor);
}

void ib_feed_declare_solenoids(ib_Feed *s, ib_Declarations *d)
{
    s->solenoids = d->input_count;
    for (int i = 0; s->breathes && i < s->air.cylinder_count; i++)
        ib_declare_input(
            d,
            ib_word_input(ib_declare_name(d, "solenoid", s->air_config->cylinders[i].name),
                          "on: this cylinder extends", ib_switch_words),
            NULL);
}

void ib_feed_declare_air(ib_Feed *s, ib_Declarations *d)
{
    if (!s->breathes) return;
    if (ib_signals_find(&d->signals, compressor_energy.name) < 0)
        ib_declare(d, "", NULL, &compressor_energy, 1, NULL);
    ib_declare_entry(d, compressor_energy.name, &s->compressor_energy);
    ib_declare_states(d, ib_air_state_count(&s->air), IB_STATE, &s->air_state);
    ib_declare_guards(d, ib_air_margin_count(&s->air), &s->air_guard);
    s->air_signal = d->signals.count;
    ib_declare(d, IB_PREFIX_AIR, NULL, ib_air_signals, IB_AIR_SIGNALS, NULL);
    ib_declare(d, IB_PREFIX_COMPRESSOR, NULL, ib_compressor_signals, IB_COMPRESSOR_SIGNALS, NULL);
    for (int i = 0; i < s->air.cylinder_count; i++) {
        const char *name = s->air_config->cylinders[i].name;
        ib_declare(d, ib_declare_name(d, IB_PREFIX_CYLINDER, name), name, ib_cylinder_signals,
                   IB_CYLINDER_SIGNALS, NULL);
    }
    s->source_signal = d->signals.count;
    if (s->air.source.on)
        ib_declare(d, IB_PREFIX_AIR_SOURCE, NULL, ib_air_source_signals, IB_AIR_SOURCE_SIGNALS,
                   NULL);
}

void ib_feed_reset(const ib_Feed *s, double *x)
{
    if (s->powered) ib_power_reset(&s->power, x);
    if (s->breathes) ib_air_reset(&s->air, x + s->air_state);
}

// ----------------------------------------------------------------------------------------- the bus

// The inputs' commands to the air.
static ib_AirInput ask_air(const ib_Feed *s, const double *input, bool on)
{
    return (ib_AirInput){
        .compressor = (int)input[s->compressor], .enabled = on, .solenoid = input + s->solenoids};
}

static ib_Load compressor_load(const void *self, double volts)
{
    const ib_Wires *w = self;
    const ib_Feed *s = w->feed;
    return ib_air_load(&s->air, w->x + s->air_state, &w->asked, volts);
}

// Every bridge has power.
static bool all_reached(const ib_PowerModel *p, const double *x)
{
    if (!ib_power_fed(p, x)) return false;
    for (int i = 0; i < p->branch_count; i++)
        if (!ib_power_reaches(p, x, i)) return false;
    return true;
}

void ib_feed_begin(const ib_Feed *s, ib_Wires *w)
{
    w->feed = s;
    w->on = !s->powered || ib_power_on(&s->power, w->x);
    w->free = s->free && (!s->powered || all_reached(&s->power, w->x));
    w->draw = (ib_AirDraw){0};
    if (s->breathes) w->asked = ask_air(s, w->input, w->on);
}

// Unlimited values for free bridges, which a row of motors does not set but the general
// solution needs.
static void unlimit(const ib_Feed *s, ib_Wires *w)
{
    for (int i = 0; i < s->bridges; i++) {
        ib_Bridge *b = &w->bridge[i];
        b->stator = b->supply = INFINITY;
        b->current = 0;
        b->given = b->open = false;
    }
}

// The compressor's line is the one that holds at the voltage found, as in ib_power_solve. False: no
// voltage serves all loads.
static bool solve_free(const ib_Feed *s, ib_Wires *w)
{
    enum { ROUNDS = 3 };
    const ib_PowerModel *p = &s->power;
    double charge = ib_power_charge(p, w->x, w->x[p->books.used]);
    double E = ib_battery_open_circuit(&p->battery, charge), Rb = p->battery.resistance;
    ib_BusSums sums = ib_bus_sums(w->bridge, s->bridges);
    double V;
    w->power.E = E;
    w->power.other = 0;
    if (!s->breathes) {
        V = ib_bus_voltage(E, Rb, p->background, 0, &sums);
    } else {
        ib_Load load = compressor_load(w, E);
        for (int round = 0; round < ROUNDS; round++) {
            V = ib_bus_voltage(E, Rb, p->background + load.at_zero, load.per_volt, &sums);
            if (V >= load.from && V <= load.to) break;
            load = compressor_load(w, V);
        }
        if (V > 0) w->power.other = ib_load_current(load, V);
    }
    if (!(V >= 0)) return false;
    ib_bus_free(V, p->background + w->power.other, w->bridge, s->bridges, &w->power.bus);
    return true;
}

void ib_feed_solve(const ib_Feed *s, ib_Wires *w)
{
    ib_OtherLoad load = {compressor_load, w};
    if (!s->powered && !s->breathes) return;
    bool solved = w->free && solve_free(s, w);
    if (w->free && !solved) unlimit(s, w);
    if (s->powered && !solved)
        ib_power_solve(&s->power, w->x, w->bridge, s->bridges, s->breathes ? &load : NULL,
                       &w->power);
    if (!s->breathes) return;
    // RoboSim's compressor knows no sag of the battery.
    w->asked.voltage = s->air.published ? w->power.E : w->power.bus.voltage;
    if (s->shared) w->air = ib_air_supply(&s->air, w->x + s->air_state, w->on);
}

static void rate_branches(const ib_Feed *s, const ib_Wires *w, double *dx)
{
    double drawn[IB_BRIDGES_MAX];
    for (int i = 0; i < s->power.branch_count; i++) drawn[i] = w->power.bus.bridge[i].drawn;
    ib_power_rate_branches(&s->power, w->x, drawn, dx);
}

void ib_feed_rate(const ib_Feed *s, const ib_Wires *w, double *dx)
{
    if (s->powered) {
        const ib_PowerModel *p = &s->power;
        double I = w->power.bus.current;
        ib_power_book(p, &p->books, w->power.E, w->power.bus.voltage, I, dx);
        ib_power_rate_modes(p, w->x, I, dx);
        if (p->branch_count > 0) rate_branches(s, w, dx);
    }
    if (!s->breathes) return;
    ib_AirInput air = w->asked;
    air.taken = w->draw.taken;
    air.vented = w->draw.vented;
    dx[s->compressor_energy] += w->power.bus.voltage * w->power.other;
    ib_air_rate(&s->air, w->x + s->air_state, &air, dx + s->air_state);
}

// ------------------------------------------------------------------------------------------- modes

void ib_feed_guards(const ib_Feed *s, const ib_Wires *w, double *guards)
{
    if (s->powered) {
        ib_power_breaker_margins(&s->power, w->x, guards);
        if (s->power.brownout_guard >= 0)
            guards[s->power.brownout_guard] =
                ib_power_brownout_margin(&s->power, w->x, w->power.bus.voltage);
    }
    if (!s->breathes) return;
    ib_air_margins(&s->air, w->x + s->air_state, &w->asked, guards + s->air_guard);
}

bool ib_feed_settle(const ib_Feed *s, const double *input, double *x)
{
    if (s->powered && ib_power_settle_breakers(&s->power, x)) return true;
    if (!s->breathes) return false;
    ib_AirInput air = ask_air(s, input, !s->powered || ib_power_on(&s->power, x));
    return ib_air_settle(&s->air, &air, x + s->air_state);
}

bool ib_feed_settle_brownout(const ib_Feed *s, const ib_Wires *w, double *x)
{
    return s->powered && s->power.brownout_state >= 0 &&
           ib_power_settle_brownout(&s->power, w->power.bus.voltage, x);
}

// ----------------------------------------------------------------------------------------- signals

void ib_feed_output(const ib_Feed *s, const ib_Wires *w, double *y)
{
    if (s->powered) ib_power_output(&s->power, w->x, &w->power, y + s->power_signal);
    if (!s->breathes) return;
    double *own = y + s->air_signal, *compressor = own + IB_AIR_SIGNALS;
    ib_air_output(&s->air, w->x + s->air_state, &w->asked, own, compressor,
                  compressor + IB_COMPRESSOR_SIGNALS);
    if (s->air.source.on) ib_air_output_source(&s->air, w->x + s->air_state, y + s->source_signal);
}

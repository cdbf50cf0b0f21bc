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
    s->free = false;
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
    ib_declare_find(d, "energy.battery", &s->power.books.battery);
    ib_declare_find(d, "energy.resistance", &s->power.books.resistance);
    ib_declare_find(d, "energy.background", &s->power.books.background);
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

void ib_feed_declare_inputs(ib_Feed *s, ib_Declarations *d)
{
    if (!s->breathes) return;
    ib_declare_input(d,
                     ib_word_input("compressor",
                                   "what runs the compressor: its pressure switch (auto), or a "
                                   "hand (on, off)",
                                   ib_compressor_words),
                     &s->compressor);
    for (int i = 0; i < s->air.cylinder_count; i++)
        ib_declare_input(
            d,
            ib_word_input(ib_declare_name(d, "solenoid", s->air_config->cylinders[i].name),
                          "on: this cylinder extends", ib_switch_words),
            NULL);
}

void ib_feed_declare_air(ib_Feed *s, ib_Declarations *d)
{
    if (!s->breathes) return;
    ib_declare(d, "", NULL, &compressor_energy, 1, &s->compressor_energy);
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
}

void ib_feed_reset(const ib_Feed *s, double *x)
{
    if (s->powered) ib_power_reset(&s->power, x);
    if (s->breathes) ib_air_reset(&s->air, x + s->air_state);
}

// ----------------------------------------------------------------------------------------- the bus

static ib_AirInput air_input(const ib_Feed *s, const double *input, bool on, double volts)
{
    ib_AirInput air = {.compressor = (int)input[s->compressor], .enabled = on, .voltage = volts};
    for (int i = 0; i < s->air.cylinder_count; i++) air.solenoid[i] = input[s->compressor + 1 + i];
    return air;
}

static ib_Load compressor_load(const void *self, double volts)
{
    const ib_Wires *w = self;
    const ib_Feed *s = w->feed;
    ib_AirInput air = air_input(s, w->input, w->on, volts);
    return ib_air_load(&s->air, w->x + s->air_state, &air, volts);
}

void ib_feed_begin(const ib_Feed *s, ib_Wires *w)
{
    w->feed = s;
    w->on = !s->powered || ib_power_on(&s->power, w->x);
    w->draw = (ib_AirDraw){0};
}

// What a row of motors does not say of bridges that are free; the general solution asks for it.
static void unlimit(const ib_Feed *s, ib_Wires *w)
{
    for (int i = 0; i < s->bridges; i++) {
        ib_Bridge *b = &w->bridge[i];
        b->stator = b->supply = INFINITY;
        b->current = 0;
        b->given = b->open = false;
    }
}

// False: nothing feeds the bus, or no voltage serves all loads.
static bool solve_free(const ib_Feed *s, ib_Wires *w)
{
    const ib_PowerModel *p = &s->power;
    if (!ib_power_fed(p, w->x)) return false;
    double charge = ib_power_charge(p, w->x, w->x[p->books.used]);
    w->power.E = ib_battery_open_circuit(&p->battery, charge);
    w->power.other = 0;
    return ib_bus_free(w->power.E, p->battery.resistance, p->background, w->bridge, s->bridges,
                       &w->power.bus);
}

void ib_feed_solve(const ib_Feed *s, ib_Wires *w)
{
    ib_OtherLoad load = {compressor_load, w};
    if (!s->powered && !s->breathes) return;
    if (s->free && solve_free(s, w)) return;
    if (s->free) unlimit(s, w);
    if (s->powered)
        ib_power_solve(&s->power, w->x, w->bridge, s->bridges, s->breathes ? &load : NULL,
                       &w->power);
    if (s->breathes) w->air = ib_air_supply(&s->air, w->x + s->air_state, w->on);
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
    ib_AirInput air = air_input(s, w->input, w->on, w->power.bus.voltage);
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
    ib_AirInput air = air_input(s, w->input, w->on, 0);
    ib_air_margins(&s->air, w->x + s->air_state, &air, guards + s->air_guard);
}

bool ib_feed_settle(const ib_Feed *s, const double *input, double *x)
{
    if (s->powered && ib_power_settle_breakers(&s->power, x)) return true;
    if (!s->breathes) return false;
    ib_AirInput air = air_input(s, input, !s->powered || ib_power_on(&s->power, x), 0);
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
    ib_AirInput air = air_input(s, w->input, w->on, w->power.bus.voltage);
    double *own = y + s->air_signal, *compressor = own + IB_AIR_SIGNALS;
    ib_air_output(&s->air, w->x + s->air_state, &air, own, compressor,
                  compressor + IB_COMPRESSOR_SIGNALS);
}

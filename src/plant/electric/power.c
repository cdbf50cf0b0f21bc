// plant/electric/power.c: set-up, modes and signals of the supply. The functions of the innermost
// loop are in the header.
#include "plant/electric/power.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ set-up

static ib_Status within(const char *key, ib_Status status, const ib_Error *part, ib_Error *error)
{
    if (status == IB_OK) return IB_OK;
    return ib_error_set(error, status, "%s%.900s", key, part->text);
}

ib_Status ib_power_check(const ib_PowerConfig *c, ib_Error *error)
{
    ib_Error part;
    ib_Status status = within("battery.", ib_battery_check(&c->battery, &part), &part, error);
    if (status == IB_OK && c->breaker_on)
        status = within("breaker.", ib_breaker_check(&c->breaker, &part), &part, error);
    if (status == IB_OK && c->branch_on)
        status = within("branch_breaker.", ib_breaker_check(&c->branch, &part), &part, error);
    if (status == IB_OK && c->brownout_on)
        status = within("brownout.", ib_brownout_check(&c->brownout, &part), &part, error);
    return status;
}

void ib_power_init(const ib_PowerConfig *config, ib_PowerModel *p)
{
    memset(p, 0, sizeof *p);
    ib_battery_init(&config->battery, &p->battery);
    if (config->breaker_on) ib_breaker_init(&config->breaker, &p->breaker);
    if (config->branch_on) ib_breaker_init(&config->branch, &p->branch);
    if (config->brownout_on) ib_brownout_init(&config->brownout, &p->brownout);
    p->background = config->background_current;
    p->start_charge = config->charge;
    p->books = (ib_PowerBooks){-1, -1, -1, -1};
    p->charge_state = p->breaker_state = p->brownout_state = -1;
    p->breaker_guard = p->brownout_guard = -1;
}

void ib_power_reset(const ib_PowerModel *p, double *x)
{
    if (p->charge_state >= 0) x[p->charge_state] = p->start_charge;
    if (p->breaker_state >= 0) x[p->breaker_state + IB_BREAKER_CLOSED] = 1;
    for (int i = 0; i < p->branch_count; i++) x[p->branch_state[i] + IB_BREAKER_CLOSED] = 1;
}

// ----------------------------------------------------------------------------------------- the bus

// The other load's current is a straight line of the bus voltage, in a few pieces; the one taken is
// that which holds at the voltage found.
void ib_power_solve(const ib_PowerModel *p, const double *x, const ib_Bridge *bridge, int count,
                    const ib_OtherLoad *load, ib_PowerNow *now)
{
    enum { ROUNDS = 3 };
    double charge = ib_power_charge(p, x, x[p->books.used]);
    now->E = ib_power_fed(p, x) ? ib_battery_open_circuit(&p->battery, charge) : 0;
    now->other = 0;
    double volts = now->E;
    for (int round = 0; round < ROUNDS; round++) {
        ib_Load piece = load ? load->at(load->self, volts) : ib_load_none();
        ib_bus_solve(now->E, p->battery.resistance, p->background + piece.at_zero, piece.per_volt,
                     bridge, count, &now->bus);
        volts = now->bus.voltage;
        now->other = volts > 0 ? ib_load_current(piece, volts) : 0;
        if (volts >= piece.from && volts <= piece.to) break;
    }
}

// ------------------------------------------------------------------------------------------- rates

void ib_power_rate_branches(const ib_PowerModel *p, const double *x, const double *drawn,
                            double *dx)
{
    for (int i = 0; i < p->branch_count; i++) {
        int at = p->branch_state[i];
        bool closed = x[at + IB_BREAKER_CLOSED] > 0.5;
        dx[at + IB_BREAKER_HEAT] =
            ib_breaker_rate(&p->branch, drawn[i], x[at + IB_BREAKER_HEAT], closed);
        dx[at + IB_BREAKER_CLOSED] = 0;
    }
}

// ------------------------------------------------------------------------------------------- modes

static double breaker_margin(const ib_BreakerModel *breaker, const double *b)
{
    return ib_breaker_margin(breaker, b[IB_BREAKER_HEAT], b[IB_BREAKER_CLOSED] > 0.5);
}

void ib_power_breaker_margins(const ib_PowerModel *p, const double *x, double *g)
{
    if (p->breaker_guard >= 0)
        g[p->breaker_guard] = breaker_margin(&p->breaker, x + p->breaker_state);
    for (int i = 0; i < p->branch_count; i++)
        g[p->branch_guard[i]] = breaker_margin(&p->branch, x + p->branch_state[i]);
}

double ib_power_brownout_margin(const ib_PowerModel *p, const double *x, double volts)
{
    const double *b = x + p->brownout_state;
    return ib_brownout_margin(&p->brownout, (int)b[IB_BROWNOUT_STAGE], b[IB_BROWNOUT_TIMER], volts);
}

static bool settle_breaker(const ib_BreakerModel *breaker, double *b)
{
    bool closed = b[IB_BREAKER_CLOSED] > 0.5;
    bool next = ib_breaker_update(breaker, b[IB_BREAKER_HEAT], closed);
    b[IB_BREAKER_CLOSED] = next;
    return next != closed;
}

bool ib_power_settle_breakers(const ib_PowerModel *p, double *x)
{
    bool changed = p->breaker_state >= 0 && settle_breaker(&p->breaker, x + p->breaker_state);
    for (int i = 0; i < p->branch_count; i++)
        changed |= settle_breaker(&p->branch, x + p->branch_state[i]);
    return changed;
}

bool ib_power_settle_brownout(const ib_PowerModel *p, double volts, double *x)
{
    double *b = x + p->brownout_state;
    int stage = (int)b[IB_BROWNOUT_STAGE];
    int next = ib_brownout_next(&p->brownout, stage, b[IB_BROWNOUT_TIMER], volts);
    if (next == stage) return false;
    b[IB_BROWNOUT_STAGE] = next;
    b[IB_BROWNOUT_TIMER] = 0;
    return true;
}

// ----------------------------------------------------------------------------------------- signals

static const ib_Mode collapse_mode = {.kind = IB_MODE_BROWNOUT,
                                      .meanings = {{"the supply is back", IB_MODE_INFO},
                                                   {"no voltage serves all loads", IB_MODE_ERROR}}};
static const ib_Mode breaker_mode = {.kind = IB_MODE_BREAKER,
                                     .meanings = {{"the main breaker trips", IB_MODE_ERROR, true},
                                                  {"the main breaker closes", IB_MODE_INFO}}};
static const ib_Mode branch_mode = {.kind = IB_MODE_BREAKER,
                                    .meanings = {{"branch breaker trips", IB_MODE_WARNING, true},
                                                 {"branch breaker closes again", IB_MODE_INFO}}};
static const ib_Mode brownout_mode = {
    .kind = IB_MODE_BROWNOUT,
    .meanings = {[IB_BROWNOUT_FINE] = {"supply is fine again", IB_MODE_INFO},
                 [IB_BROWNOUT_DROOP] = {"brownout: the servo rail sags", IB_MODE_WARNING},
                 [IB_BROWNOUT_DISABLED] = {"brownout: outputs off", IB_MODE_ERROR, true},
                 [IB_BROWNOUT_BLACK] = {"blackout: the controller is off", IB_MODE_ERROR, true},
                 [IB_BROWNOUT_BOOTING] = {"the controller boots", IB_MODE_WARNING, true}}};

const ib_SignalDef ib_power_signals[IB_POWER_SIGNALS] = {
    [IB_POWER_SIGNAL_VOLTAGE] = {IB_NAME_BATTERY_VOLTAGE, "V",
                                 "voltage at the battery's terminals, under load", 0,
                                 IB_MEANS(.role = IB_ROLE_SUPPLY_VOLTAGE, .headline = 1)},
    [IB_POWER_SIGNAL_CURRENT] = {IB_NAME_BATTERY_CURRENT, "A",
                                 "current that leaves the battery; negative: it is charged", 0,
                                 IB_MEANS(.role = IB_ROLE_SUPPLY_CURRENT, .headline = 1)},
    [IB_POWER_SIGNAL_USED] = {IB_NAME_BATTERY_USED, "A*s", "charge that has left the battery", 1e9,
                              IB_MEANS(.role = IB_ROLE_SUPPLY_USED, .headline = 3, .shown = "A*h")},
    [IB_POWER_SIGNAL_CHARGE] = {IB_NAME_BATTERY_CHARGE, "1", "charge left in the battery, 1: full",
                                0, IB_MEANS(.role = IB_ROLE_SUPPLY_LEFT)},
    [IB_POWER_SIGNAL_COLLAPSED] = {"battery.collapsed", "1",
                                   "1: no voltage serves all loads at once", 0,
                                   IB_MEANS(.mode = &collapse_mode, .binary = true)},
    [IB_POWER_SIGNAL_HEAT] = {"breaker.heat", "1", "heat of the main breaker; it trips at 1", 0},
    [IB_POWER_SIGNAL_CLOSED] = {"breaker.closed", "1", "1: the main breaker lets current pass", 0,
                                IB_MEANS(.mode = &breaker_mode, .binary = true)},
    [IB_POWER_SIGNAL_STAGE] = {"brownout.stage", "1",
                               "stage of a brownout: 0 fine, 1 servo rail sags, 2 outputs off, 3 "
                               "controller off, 4 it boots",
                               0, IB_MEANS(.mode = &brownout_mode)},
    [IB_POWER_SIGNAL_BACKGROUND] = {"background.current", "A",
                                    "current that controller, radio and lights draw", 0,
                                    IB_MEANS(.role = IB_ROLE_LOAD)},
};

const ib_SignalDef ib_branch_signals[IB_BREAKER_STATES] = {
    [IB_BREAKER_HEAT] = {"heat", "1", "heat of the breakers of these motors; they trip at 1", 0},
    [IB_BREAKER_CLOSED] = {"closed", "1", "1: these motors have power", 0,
                           IB_MEANS(.mode = &branch_mode, .binary = true)},
};

void ib_power_output(const ib_PowerModel *p, const double *x, const ib_PowerNow *now, double *y)
{
    bool fed = ib_power_fed(p, x);
    y[IB_POWER_SIGNAL_VOLTAGE] = fed ? now->bus.voltage : 0;
    y[IB_POWER_SIGNAL_CURRENT] = now->bus.current;
    y[IB_POWER_SIGNAL_USED] = x[p->books.used];
    y[IB_POWER_SIGNAL_CHARGE] = ib_power_charge(p, x, x[p->books.used]);
    y[IB_POWER_SIGNAL_COLLAPSED] = now->bus.collapsed;
    y[IB_POWER_SIGNAL_HEAT] = p->breaker_state < 0 ? 0 : x[p->breaker_state + IB_BREAKER_HEAT];
    y[IB_POWER_SIGNAL_CLOSED] = fed;
    y[IB_POWER_SIGNAL_STAGE] =
        p->brownout_state < 0 ? 0 : ib_brownout_shown((int)x[p->brownout_state]);
    y[IB_POWER_SIGNAL_BACKGROUND] = fed ? p->background : 0;
}

// -------------------------------------------------------------------------------------- parameters

const char *ib_power_idle(const ib_PowerConfig *config, const char *key)
{
    bool falls = strcmp(key, "battery.empty") == 0 || strcmp(key, "battery.curve") == 0;
    return falls && config->battery.constant_voltage ? "battery.constant_voltage" : NULL;
}

const ib_PresetDef ib_power_batteries = {.file = "batteries"},
                   ib_power_breakers = {.file = "breakers", .off = true},
                   ib_power_brownouts = {.file = "brownouts", .off = true};
const ib_TableDef ib_power_trip = {2, {"A", "s", NULL}, 2},
                  ib_power_curve = {2, {"1", "1", NULL}, 2};

// plant/air/bank_part.c: a bank of cylinders on the joints of a body, and the balance of their air.
#include "plant/air/bank_part.h"

#include "plant/air/air.h"

// Behind the bank's states: energy [J] and mass [kg] of the air in all chambers at the start.
enum { BEGIN_ENERGY, BEGIN_MASS, BEGINS };

// The air in a line that the robot's supply feeds, at present and at the start [kg].
static double line_of(const ib_BankPart *part, const double *x, double *begin)
{
    const ib_ChainModel *chain = &part->bank.chain;
    bool line = part->fed && chain->supply.line;
    *begin = line ? ib_supply_mass(&chain->supply) : 0;
    return line ? x[part->state + part->bank.supply + IB_CHAIN_LINE] : 0;
}

// Place and speed of a cylinder's rod for the present joint.
typedef struct Rod {
    double x, v;
    ib_LinkageNow linkage;
} Rod;

static Rod rod_of(const ib_BankSeat *seat, const ib_JointWire *joint)
{
    Rod rod = {.x = joint->position - seat->from, .v = joint->speed};
    if (!seat->linkage) return rod;
    rod.linkage = ib_linkage_at(seat->linkage, joint->position);
    rod.x = rod.linkage.x;
    rod.v = rod.linkage.arm * joint->speed;
    return rod;
}

// Internal energy [J] and mass [kg] of the air in all chambers.
static void sum_air(const ib_BankPart *part, const double *x, double *energy, double *mass)
{
    *energy = *mass = 0;
    for (int i = 0; i < part->bank.count; i++) {
        const double *air = x + part->state + part->bank.place[i].air;
        *energy += air[IB_CYLINDER_CAP_ENERGY] + air[IB_CYLINDER_ROD_ENERGY];
        *mass += (air[IB_CYLINDER_CAP_MASS] + air[IB_CYLINDER_ROD_MASS]) * IB_CYLINDER_MASS;
    }
}

void ib_bank_begin(const ib_BankPart *part, double *x)
{
    double *begin = x + part->state + part->bank.state_count;
    sum_air(part, x, &begin[BEGIN_ENERGY], &begin[BEGIN_MASS]);
}

// ------------------------------------------------------------------------------------------ a step

// Joints represent the seals of their cylinders, by their present lever arms.
static void offer(const void *part_, void *notes, ib_Wires *w)
{
    const ib_BankPart *part = part_;
    (void)notes;
    for (int i = 0; i < part->bank.count; i++) {
        const ib_BankSeat *seat = &part->seat[i];
        ib_JointWire *joint = &w->joint[seat->joint];
        if (!seat->seals) continue;
        double arm = ib_linkage_at(seat->linkage, joint->position).arm;
        ib_JointFriction seals = ib_bank_joint(&part->bank, i, arm);
        joint->damping += seals.damping;
        joint->friction += seals.loss;
    }
}

static void push(const void *part_, void *notes, ib_Wires *w)
{
    const ib_BankPart *part = part_;
    (void)notes;
    for (int i = 0; i < part->bank.count; i++) {
        const ib_BankSeat *seat = &part->seat[i];
        ib_JointWire *joint = &w->joint[seat->joint];
        Rod rod = rod_of(seat, joint);
        ib_BankNow now = ib_bank_evaluate(&part->bank, w->x + part->state, i, rod.x, rod.v);
        double force = now.force - now.friction;
        joint->force +=
            seat->linkage ? ib_linkage_torque(seat->linkage, &rod.linkage, force) : force;
    }
}

// A valve that sticks stays at its centre.
static double voltage_of(const ib_BankPart *part, int i, const ib_Wires *w)
{
    double told = w->input[part->seat[i].input], gain = w->input[part->seat[i].gain];
    double centre = part->bank.cylinder[i].valve.centre;
    return gain == 1 ? told : centre + gain * (told - centre);
}

// The use of the robot's supply over a step: by the valves, or through the regulator of a line.
static void tell_draw(const ib_BankPart *part, const double *from, const double *to, double h,
                      ib_AirDraw *draw)
{
    const double *books = from + part->bank.books, *next_books = to + part->bank.books;
    const double *chain = from + part->bank.supply, *next_chain = to + part->bank.supply;
    double per = 1 / (part->bank.chain.mole * h);
    double used = next_books[IB_CYLINDER_USED] - books[IB_CYLINDER_USED];
    if (part->bank.chain.supply.line)
        used = next_chain[IB_CHAIN_DELIVERED] - chain[IB_CHAIN_DELIVERED];
    draw->taken += per * used;
    draw->vented += per * (next_books[IB_CYLINDER_VENTED] - books[IB_CYLINDER_VENTED] +
                           next_books[IB_CYLINDER_LEAKED] - books[IB_CYLINDER_LEAKED] +
                           next_chain[IB_CHAIN_LOST] - chain[IB_CHAIN_LOST]);
}

static void follow(const void *part_, const ib_JointWire *from, ib_Wires *w, double h, double *next)
{
    const ib_BankPart *part = part_;
    double x0[IB_BANK_CYLINDERS], x1[IB_BANK_CYLINDERS], volts[IB_BANK_CYLINDERS];
    for (int i = 0; i < part->bank.count; i++) {
        const ib_BankSeat *seat = &part->seat[i];
        x0[i] = rod_of(seat, &from[seat->joint]).x;
        x1[i] = rod_of(seat, &w->joint[seat->joint]).x;
        volts[i] = w->on ? voltage_of(part, i, w) : part->bank.cylinder[i].valve.centre;
    }
    ib_BankDrive drive = {.volts = volts, .x0 = x0, .x1 = x1, .h = h, .parts = part->steps};
    if (part->fed && part->bank.chain.supply.line)
        drive.source = w->air.tanks;
    else if (part->fed)
        drive.supply = w->air.working;
    ib_bank_drive(&part->bank, w->x + part->state, &drive, next + part->state);
    if (part->fed) tell_draw(part, w->x + part->state, next + part->state, h, &w->draw);
}

// ----------------------------------------------------------------------------------------- signals

static const ib_SignalDef of_cylinder[IB_BANK_SIGNALS] = {
    [IB_BANK_STROKE] = {"position", "m", "how far the cylinder's rod is out", 10,
                        IB_MEANS(.shown = "mm")},
    [IB_BANK_SPEED] = {"speed", "m/s", "speed of the rod, outwards", 1e4},
    [IB_BANK_FORCE] = {"force", "N", "force of the air on the piston, outwards", 1e7},
    [IB_BANK_FRICTION] = {"friction", "N", "friction of the seals, against positive motion", 1e7},
    [IB_BANK_CAP] = {"cap.pressure", "Pa", "pressure on the cap side, absolute", 1e9,
                     IB_MEANS(.shown = "kPa", .headline = 3)},
    [IB_BANK_ROD] = {"rod.pressure", "Pa", "pressure on the rod side, absolute", 1e9,
                     IB_MEANS(.shown = "kPa", .headline = 3)},
    [IB_BANK_VALVE] = {"valve", "V", "voltage of the valve", 0},
};

// All of the air, in the order of `output_air`; those from OWN_FROM on, below OWN_TO, are of a bank
// with a chain of its own.
enum { OWN_FROM = 2, OWN_TO = 7 };

#define ENTRY(what, sentence, ...)                                                                 \
    {                                                                                              \
        "energy." what, "J", sentence, 0, IB_MEANS(__VA_ARGS__)                                    \
    }

static const ib_SignalDef of_air[IB_BANK_AIR_SIGNALS] = {
    {"supply.pressure", "Pa", "pressure of the supply at the valves, absolute", 1e9,
     IB_MEANS(.shown = "kPa")},
    {IB_NAME_AIR_USED, "kg", "air that the valves have taken from the supply so far", 0,
     IB_MEANS(.headline = 2)},
    {"air.vented", "kg", "air let out so far, leaks included", 0},
    {IB_NAME_AIR_PRESSURE, "Pa",
     "pressure in the tank, absolute; without one, of what feeds the supply", 1e9,
     IB_MEANS(.shown = "kPa", .headline = 3)},
    {"air.compressed", "kg", "air that the compressor has delivered so far, or what stands for it",
     0},
    {"air.error", "kg", "error of the air balance: used - vented - gained", 0},
    ENTRY("compressor", "energy that it took to compress what was delivered", .headline = 2),
    ENTRY("supply", "enthalpy of the air taken from the supply", .role = IB_ROLE_SUPPLIED),
    ENTRY("heat", "heat from the cylinders' walls so far", .role = IB_ROLE_GIVEN),
    ENTRY("start", "energy of the air at the start", .role = IB_ROLE_GIVEN),
    ENTRY("air", "internal energy of the air in all chambers", .role = IB_ROLE_STORED),
    ENTRY("work", "work of the air on the pistons so far", .role = IB_ROLE_LOST, .headline = 3),
    ENTRY("exhaust", "enthalpy of the air let out so far", .role = IB_ROLE_LOST),
    ENTRY("leak", "enthalpy of the air leaked so far", .role = IB_ROLE_LOST),
    ENTRY("error", "error of the energy balance: all that came in - all the others",
          .role = IB_ROLE_BALANCE),
};

void ib_bank_declare_states(ib_BankPart *part, ib_Declarations *d)
{
    ib_declare_states(d, part->bank.state_count + BEGINS, IB_STATE, &part->state);
}

void ib_bank_declare_cylinder(ib_BankPart *part, int i, const char *prefix, ib_Declarations *d)
{
    part->seat[i].signal = d->signals.count;
    ib_declare(d, prefix, NULL, of_cylinder, IB_BANK_SIGNALS, NULL);
}

// The robot's air shows tanks and compressor, and has a balance of its own.
void ib_bank_declare_air(ib_BankPart *part, ib_Declarations *d)
{
    for (int i = 0; i < IB_BANK_AIR_SIGNALS; i++) {
        bool elsewhere = part->fed && i >= OWN_FROM && i < OWN_TO;
        part->air[i] = elsewhere ? -1 : d->signals.count;
        if (!elsewhere) ib_declare(d, "", NULL, &of_air[i], 1, NULL);
    }
    part->stored = part->fed ? ib_signals_find(&d->signals, IB_NAME_AIR_STORED) : -1;
    part->error = part->fed ? ib_signals_find(&d->signals, IB_NAME_AIR_SOURCE_ERROR) : -1;
}

// Sources of the air, and its book (plant/air/bank.h), whose balance follows from the
// other entries.
static void output_air(const ib_BankPart *part, const ib_Wires *w, double *signals)
{
    const ib_BankModel *bank = &part->bank;
    const double *own = w->x + part->state, *chain = own + bank->supply, *sums = own + bank->books;
    const double *begin = own + bank->state_count;
    double line_begin, line = line_of(part, w->x, &line_begin);
    double energy, mass, vented = sums[IB_CYLINDER_VENTED] + sums[IB_CYLINDER_LEAKED];
    sum_air(part, w->x, &energy, &mass);
    const double y[IB_BANK_AIR_SIGNALS] = {
        part->fed && !bank->chain.supply.line ? w->air.working
                                              : ib_chain_pressure(&bank->chain, chain),
        sums[IB_CYLINDER_USED],
        vented,
        ib_chain_source(&bank->chain, chain),
        chain[IB_CHAIN_DELIVERED],
        sums[IB_CYLINDER_USED] - vented - (mass - begin[BEGIN_MASS]),
        chain[IB_CHAIN_ENERGY],
        sums[IB_CYLINDER_E_SUPPLY],
        sums[IB_CYLINDER_HEAT],
        begin[BEGIN_ENERGY],
        energy,
        bank->cylinder[0].work * sums[IB_CYLINDER_WORK],
        sums[IB_CYLINDER_E_EXHAUST],
        sums[IB_CYLINDER_E_LEAK],
        0,
    };
    for (int i = 0; i < IB_BANK_AIR_SIGNALS; i++)
        if (part->air[i] >= 0) signals[part->air[i]] = y[i];
    if (part->stored >= 0) signals[part->stored] += (mass + line) / bank->chain.mole;
    if (part->error >= 0) signals[part->error] -= mass - begin[BEGIN_MASS] + (line - line_begin);
}

static void output(const void *part_, const void *notes, const ib_Wires *w, double *y)
{
    const ib_BankPart *part = part_;
    (void)notes;
    for (int i = 0; i < part->bank.count; i++) {
        const ib_BankSeat *seat = &part->seat[i];
        double *own = y + seat->signal;
        Rod rod = rod_of(seat, &w->joint[seat->joint]);
        ib_BankNow now = ib_bank_evaluate(&part->bank, w->x + part->state, i, rod.x, rod.v);
        own[IB_BANK_STROKE] = rod.x;
        own[IB_BANK_SPEED] = rod.v;
        own[IB_BANK_FORCE] = now.force;
        own[IB_BANK_FRICTION] = now.friction;
        own[IB_BANK_CAP] = now.pressure[IB_SIDE_CAP];
        own[IB_BANK_ROD] = now.pressure[IB_SIDE_ROD];
        own[IB_BANK_VALVE] = voltage_of(part, i, w);
    }
    output_air(part, w, y);
}

const ib_PartKind ib_bank_part = {
    .name = "cylinders", .offer = offer, .push = push, .follow = follow, .output = output};

// claims/thesis/cylinder.c: a thesis about a pneumatic cylinder, its equations, friction and valve.
// The reasons of the expected verdicts are in docs/reference/errata.md#cylinder.
#include "claims/thesis/cylinder.h"
#include "claims/thesis/cylinder_run.h"

#include <stdio.h>

// The published formula must give the value of the corrected one.
#define AS_PUBLISHED(row, tolerance) IB_EQUATION(IB__PUBLISHED, row, tolerance)

// A claim judged by the published form's value.
#define OF_PUBLISHED(what, place, si, rule_, row_, verdict, why)                                   \
    {                                                                                              \
        .claim = (what), .where = (place), .unit = (si), .rule = rule_, .row = (row_),             \
        .form = IB__PUBLISHED, .expected = IB_VERDICT_##verdict, .note = (why)                     \
    }

// --------------------------------------------------------------------------------------------- air

static const ib_Claim air[] = {
    IB_CLAIM("charging: P_d = P_supply, P_u = P_chamber: Psi into 300 kPa", "4.1.2", "kg/s/m^2",
             AS_PUBLISHED(IB__FLUX_CHARGING, 1e-6), IB__FLUX_CHARGING, UNKNOWN,
             "P_d/P_u is above 1 and the root of 1 - (P_d/P_u)^(2/7) is imaginary. Upstream is the "
             "supply; the listing of Port_2 has it right."),
    IB_CLAIM("discharging: P_d = P_chamber, P_u = P_atmosphere: Psi out of 300 kPa", "4.1.3",
             "kg/s/m^2", AS_PUBLISHED(IB__FLUX_DISCHARGING, 1e-6), IB__FLUX_DISCHARGING, UNKNOWN,
             "The same. Upstream is the chamber."),
    OF_PUBLISHED("critical pressure ratio of air", "4.1.4, B.1.1", "1", IB_PRINTED(0.528, 0.001),
                 IB__CRITICAL, HOLDS, "Three digits of (2/(k + 1))^(k/(k - 1))."),
    IB_CLAIM("critical pressure ratio, exactly", "reference A1", "1",
             IB_NEAR(0.528281787717, 5e-13, 0), IB__CRITICAL, HOLDS, ""),
    OF_PUBLISHED("choked and unchoked flow meet at it: relative step", "4.1.4", "1",
                 IB_NEAR(0.0, 1e-12, 0), IB__CRITICAL_STEP, FALSE,
                 "At 0.528 the unchoked branch is past its maximum. Harmless, and needless."),
    IB_CLAIM("the same at the exact ratio", "reference A2", "1", IB_NEAR(0.0, 1e-12, 0),
             IB__CRITICAL_STEP, HOLDS, ""),
    OF_PUBLISHED("that step", "reference A2", "1", IB_NEAR(-1.742e-7, 5e-11, 0), IB__CRITICAL_STEP,
                 HOLDS, ""),
    IB_CLAIM("choked flow for P_d/P_u << P_cr: Psi of 100 kPa at a ratio of 0.5", "4.1.6",
             "kg/s/m^2", AS_PUBLISHED(IB__FLUX_BELOW, 1e-6), IB__FLUX_BELOW, UNKNOWN,
             "'Much less' leaves no equation between there and P_cr. Meant is P_d/P_u <= P_cr, the "
             "listing's else."),
    IB_CLAIM("Psi at nine pressures: largest difference, relative", "reference A2", "1",
             IB_NEAR(0.0, 1e-9, 0), IB__FLUX_TABLE, HOLDS, ""),
    IB_CLAIM("R is the 'universal gas constant': C_1", "4.1.8", "1", AS_PUBLISHED(IB__GAS_C1, 1e-9),
             IB__GAS_C1, FALSE, "The specific one of air. With 8.314 it is 5.9 times as large."),
    IB_CLAIM("R of air: 8.314 J/(mol K) over 29 g/mol", "B.1.1", "J/kg/K", IB_PRINTED(287.0, 1),
             IB__GAS_MOLAR, HOLDS, "The comment beside R = 287, and the right text of 4.1.8."),
    IB_CLAIM("factor of P x': kR/c_p + 1 with c_p = 1012", "4.1.10", "1",
             AS_PUBLISHED(IB__FACTOR, 1e-9), IB__FACTOR, FALSE,
             "An adiabatic balance has k. The two agree with c_p = kR/(k - 1) = 1004.5 J/(kg K); "
             "1012 is that of moist air with another R."),
    IB_CLAIM("a closed volume is halved: pressure after over before", "4.1.10; reference A6", "1",
             AS_PUBLISHED(IB__HALVED, 1e-6), IB__HALVED, FALSE, "2^1.4 is 2.639016."),
    OF_PUBLISHED("the same as printed", "reference A6", "1", IB_NEAR(2.633599, 5e-7, 0), IB__HALVED,
                 HOLDS, ""),
    OF_PUBLISHED("the balance balances: energy error of the cap's air in a step of 1.25 V",
                 "4.1.10; reference A6", "J", IB_NEAR(0.0, 1e-9, 0), IB__AUDIT, FALSE,
                 "Energy gained less enthalpy that came in plus work done."),
    OF_PUBLISHED("that energy", "reference A6", "J", IB_NEAR(0.0599660955, 1e-7, 0), IB__AUDIT,
                 HOLDS, ""),
    OF_PUBLISHED("the same over the work", "reference A6", "%", IB_NEAR(0.74, 0.005, 0),
                 IB__AUDIT_SHARE, HOLDS, "(k - 1.397)/(k - 1)."),
    IB_CLAIM("the same with the factor k", "reference A6", "J", IB_NEAR(0.0, 1e-9, 0), IB__AUDIT,
             HOLDS, ""),
    IB_CLAIM("T is 'calculated' from the chamber: P' of one of 350 K, charging, over that with T_s",
             "4.1.10", "1", AS_PUBLISHED(IB__CROSSING, 1e-9), IB__CROSSING, FALSE,
             "T is that of the air that crosses the port: T_s in, the chamber's out. The equation "
             "does not say which; the listing returns it as T_gas."),
    IB_CLAIM("'a nonlinear, third order system': states", "4.1, 4.3, 5.5", "1",
             AS_PUBLISHED(IB__ORDER, 0), IB__ORDER, FALSE,
             "x, v, and mass and energy of two chambers; four if T were frozen. 4.1.7 needs the "
             "mass."),
    IB_CLAIM("P_atm A_piston: force with an atmosphere on all sides", "4.1.11", "N",
             AS_PUBLISHED(IB__BALANCE, 1e-9), IB__BALANCE, FALSE,
             "It must be the rod's cross-section, as the sentence below has it; the name is "
             "another area's."),
    IB_CLAIM("areas of piston, rod side and rod: largest difference, relative",
             "B.1.1; reference A1", "1", IB_NEAR(0.0, 1e-12, 0), IB__AREAS, HOLDS, ""),
    OF_PUBLISHED("the cap starts at no less than an atmosphere", "B.1.1", "psi", IB_AT_LEAST(14.7),
                 IB__START_CAP, FALSE, "capP0 = 14 psi: below exhaust and atmosphere."),
    IB_CLAIM("how long that is to be seen: within 1 % of the exhaust's pressure", "B.1.1", "s",
             IB_AT_MOST(0.05), IB__START_GONE, HOLDS, "5 s pass before the step."),
    OF_PUBLISHED("exhaust air '(room)'", "B.1.1", "psi", IB_NEAR(14.7, 0.05, 0.735), IB__ROOM,
                 FALSE, "15.7 psi: the valve lets out into a silencer, not into the room."),
    OF_PUBLISHED("exhaust air '(room)' of the leg", "C.1.1", "psi", IB_NEAR(14.7, 0.05, 0.735),
                 IB__ROOM_LEG, FALSE,
                 "24.7 psi is no room's pressure: 14.7 psi twice too many, or "
                 "a gauge's 10 psi."),
};

// ---------------------------------------------------------------------------------------- friction

static const ib_Claim friction[] = {
    IB_CLAIM("Coulomb friction holds F_Cyl if F_Cyl < F_C: pulled with -10 lbf", "4.2.1", "lbf",
             AS_PUBLISHED(IB__STUCK_PULL, 1e-9), IB__STUCK_PULL, FALSE,
             "|F_Cyl| <= F_C, and beyond it F_C sign(F_Cyl); as printed nothing pulls it back."),
    IB_CLAIM("F_S - F_Cyl beyond F_S: pushed with 6 lbf at rest", "4.2.4", "lbf",
             AS_PUBLISHED(IB__BREAK, 1e-9), IB__BREAK, FALSE,
             "F_S sign(F_Cyl). As printed friction helps, the more the harder it is pushed."),
    IB_CLAIM("F_C sign(v) - C_V v: at 10 m/s", "4.2.4", "lbf", AS_PUBLISHED(IB__SLIDE_FAST, 1e-9),
             IB__SLIDE_FAST, FALSE, "F_C sign(v) + C_V v, as in 4.2.6: it must oppose the motion."),
    IB_CLAIM(
        "LuGre is 'of limited use due to ... a discontinuity at zero velocity': jump", "4.2.2",
        "lbf", AS_PUBLISHED(IB__LUGRE_JUMP, 1e-3), IB__LUGRE_JUMP, FALSE,
        "Its bristles are a state: the force does not jump. Stribeck's curve with a sign does, "
        "by 2 F_S."),
    IB_CLAIM("'F_S = 4.5 lbf' is 'the magnitude of its friction maximum'", "4.2.2.3, 4.2.6", "lbf",
             IB_PRINTED(4.5, 0.1), IB__PEAK_FRICTION, NEARLY,
             "The tanh has not come to 1 where the exponential begins to fall."),
    IB_CLAIM("the law's largest force", "reference A3", "lbf", IB_NEAR(4.349627, 1e-6, 0),
             IB__PEAK_FRICTION, HOLDS, ""),
    IB_CLAIM("where that is, v in m/s", "reference A3", "m/s", IB_NEAR(0.057409, 1e-6, 0),
             IB__PEAK_SPEED, HOLDS, "The unit of v is not printed."),
    IB_CLAIM("the law, v in m/s: ten speeds, largest difference, relative", "4.2.6; reference A3",
             "1", IB_NEAR(0.0, 1e-9, 0), IB__FRICTION_TABLE, HOLDS, ""),
    IB_CLAIM("the law, v in in/s: the same", "4.2.6; reference A3", "1", IB_NEAR(0.0, 1e-9, 0),
             IB__FRICTION_TABLE_INCHES, HOLDS,
             "The other reading (friction.velocity_unit: 1 in/s); why m/s: docs/plant/friction.md"),
    IB_CLAIM("'stiction falls between 3.5 and 5.0 lbf': of the law", "4.2.2.4, Figure 13", "lbf",
             IB_NEAR(4.25, 0.75, 0), IB__PEAK_FRICTION, HOLDS,
             "The measurements of Figures 13 to 16 are not published."),
    IB_CLAIM("the largest friction of the step of 1.25 V is that of the law", "Figure 16", "lbf",
             IB_EQUATION(IB__CORRECTED, IB__PEAK_FRICTION, 0.01), IB__STICTION_OPEN, HOLDS,
             "The rod passes 0.0574 m/s on its way."),
    IB_CLAIM("'zero friction at zero velocity'", "4.2.2.5", "lbf", IB_NEAR(0.0, 0, 0),
             IB__REST_FRICTION, HOLDS, "A loaded piston creeps instead of sticking:"),
    IB_CLAIM("'the velocity deviation is minimal': creep under the rig's own 0.2 kg", "4.4.2",
             "mm/s", IB_AT_MOST(5), IB__CREEP, HOLDS,
             "Through the stroke in 18 s, with nothing else to move it."),
    IB_CLAIM("simulated and measured friction agree: rms difference", "Figures 15, 16", "lbf",
             IB_NEAR(0.0, 0, 0), IB_NO_ROW, UNKNOWN,
             "Not recomputable without the measurements, which are not published."),
};

// ------------------------------------------------------------------------------------------- valve

#define COEFFICIENT(index, value, digit, name)                                                     \
    IB_CLAIM("port 2, " name, "B.1, Port_2", "m^2/V^n", IB_NEAR(value, (digit) / 2.0, 0),          \
             IB__COEFFICIENT + (index), HOLDS, "")

static const ib_Claim valve[] = {
    IB_CLAIM("'voltage offset within the centered voltage' of 5.25 V: it lies within +-5 V",
             "4.2.1", "V", IB_AT_MOST(5), IB__OFFSET_VOLTAGE, FALSE,
             "It is the offset of the un-centred command."),
    IB_CLAIM("'centered voltage offset'", "4.2.1, 4.2.3", "V", IB_NEAR(0.25, 0, 0),
             IB__OFFSET_CENTRED, HOLDS, ""),
    IB_CLAIM("'actual centered voltage signal of 0' for the first 5 s of a step", "4.2.3", "V",
             IB_NEAR(0.0, 0, 0), IB__OFFSET_START, FALSE,
             "The un-centred signal is 0 V; the centred one is -5 V, as the same sentence says."),
    IB_CLAIM("'flow is equalized in both ports' at the offset: port 1 over port 2, fitted areas",
             "4.2.3", "1", IB_NEAR(1.0, 0.05, 0.1), IB__OFFSET_FLOW, FALSE,
             "Measured 1.22, fitted 0.76: the fits are worst where the valve is used most."),
    IB_CLAIM("ports switched and the voltage mirrored, 'the same pressure change': steady, ratio",
             "4.2.3, Figure 17", "1", IB_NEAR(1.0, 1e-6, 0), IB__OFFSET_STEADY, HOLDS,
             "0.5 V from the offset, fixed rod: P1(-Vc) = P2(Vc) by construction."),
    IB_CLAIM("the same of the time to half of the change", "4.2.3, Figure 17", "1",
             IB_NEAR(1.0, 0.05, 0.1), IB__OFFSET_RISE, FALSE,
             "The areas are not mirror images: port 1 is twice as open at -0.5 V as port 2 at "
             "0.5 V. A flow that is symmetrical near zero has one area for both."),
    COEFFICIENT(0, 1.32e-8, 1e-10, "Vc > 0: Vc^4"),
    COEFFICIENT(1, -1.302e-7, 1e-10, "Vc > 0: Vc^3"),
    COEFFICIENT(2, 3.608e-7, 1e-10, "Vc > 0: Vc^2"),
    COEFFICIENT(3, -4.33e-8, 1e-10, "Vc > 0: Vc"),
    COEFFICIENT(4, 1.42e-8, 1e-10, "Vc > 0: 1"),
    COEFFICIENT(5, 9.4e-9, 1e-10, "Vc <= 0: Vc^4"),
    COEFFICIENT(6, 9.35e-8, 1e-10, "Vc <= 0: Vc^3"),
    COEFFICIENT(7, 2.326e-7, 1e-10, "Vc <= 0: Vc^2"),
    COEFFICIENT(8, -2.225e-7, 1e-10, "Vc <= 0: Vc"),
    COEFFICIENT(9, 1.87e-8, 1e-10, "Vc <= 0: 1"),
    IB_CLAIM("both ports, 20 coefficients: largest difference, relative", "B.2; reference A1", "1",
             IB_NEAR(0.0, 1e-9, 0), IB__COEFFICIENTS_ALL, HOLDS, "Fitted again from B.2's data."),
    OF_PUBLISHED("error of the area by the listing's digits at -4.75 V", "B.1, Port_2", "%",
                 IB_AT_MOST(0.5), IB__FIT_END, HOLDS, ""),
    IB_CLAIM("the fits 'include the minimum area offset': port 1 from below over from above",
             "4.2.3.1", "1", IB_NEAR(1.0, 0.05, 0.1), IB__CENTRE_1, FALSE,
             "1.4189e-8 against 4.3779e-9 m^2: plain polyfit knows of no common point."),
    IB_CLAIM("port 2 likewise", "4.2.3.1", "1", IB_NEAR(1.0, 0.05, 0.1), IB__CENTRE_2, FALSE, ""),
    IB_CLAIM("port 1's fit from above over the measured minimum", "4.2.3.1", "1",
             IB_NEAR(1.0, 0.05, 0.1), IB__CENTRE_DATA, FALSE, "2.2e-8 m^2 was measured."),
    IB_CLAIM("'good correlation ... about the valve offset': largest error of port 1's fits",
             "4.2.3.1", "%", IB_AT_MOST(10), IB__FIT_WORST_1, FALSE, "At 0.35 V."),
    IB_CLAIM("largest error of port 2's fits", "4.2.3.1", "%", IB_AT_MOST(10), IB__FIT_WORST_2,
             FALSE, "At 0.55 V."),
    IB_CLAIM("a port opens wider the further its spool: port 2 is least open at", "Figure 24", "V",
             IB_NEAR(0.0, 0.005, 0), IB__FIT_DIP, FALSE, "Its fit falls at first."),
    IB_CLAIM("input pressures of both ports at 17 voltages: largest difference",
             "4.2.7-4.2.11, Figure 23; reference A1", "psi", IB_NEAR(0.0, 1e-8, 0), IB__TRENDS,
             HOLDS, ""),
    IB_CLAIM("a fixed rod comes to the input pressure: port 2 at 0.25 V", "4.2.3; reference A1",
             "psi", IB_NEAR(40.35, 1e-3, 0), IB__TRENDS_STEADY, HOLDS, ""),
    IB_CLAIM("'the region spans approximately +-0.75 V': pressure left to cover beyond, port 2",
             "4.2.3", "%", IB_AT_LEAST(95), IB__TRENDS_REACH, HOLDS,
             "95.9 % of the way from exhaust to supply at 0.75 V."),
    IB_CLAIM("centred voltage at which the rod stands", "reference A1", "V",
             IB_NEAR(0.229230162, 5e-10, 0), IB__BALANCED_VOLTAGE, HOLDS,
             "Below the offset: the mass pulls and the cap's side of the piston is larger."),
    IB_CLAIM("equivalent areas at 30 psig and with switched ports are 'very similar'",
             "4.4.1, Figures 29, 30", "1", IB_NEAR(1.0, 0, 0), IB_NO_ROW, UNKNOWN,
             "Not recomputable without the measurements, of which B.2 prints one supply and one "
             "connection."),
};

// -------------------------------------------------------------------------------------- lost flows

static const ib_Claim lost[] = {
    IB_CLAIM("'many researchers simply ignore it': rms distance from Figure 23", "4.2.3", "psi",
             IB_AT_MOST(5), IB__LOST_NOTHING, FALSE,
             "Ports that are Ps or Pe and nothing between."),
    IB_CLAIM("(1) a constant flow is lost, 'with reasonable accuracy': rms distance", "4.2.3, (1)",
             "psi", IB_AT_MOST(5), IB__LOST + 0, FALSE,
             "5 psi are a tenth of the range. Areas as in B.2, where they were tuned for (4)."),
    IB_CLAIM("(1) the flow that fits best is no more than port 2's least area passes", "4.2.3, (1)",
             "kg/s", IB_AT_MOST(1.8e-8 * 1049.3097525730), IB__LOST_PARAMETER + 0, HOLDS,
             "1.8e-8 m^2, choked at 65 psi."),
    IB_CLAIM("(2) a flow is lost near the offset alone: rms distance", "4.2.3, (2)", "psi",
             IB_AT_MOST(5), IB__LOST + 1, FALSE, "Within 0.75 V."),
    IB_CLAIM("'methods (1) and (2) both modeled the regions close to zero': (2) over (1)", "4.2.3",
             "1", IB_EQUATION(IB__CORRECTED, IB__LOST + 0, 0.5), IB__LOST + 1, HOLDS,
             "Inside of the band they are the same rule."),
    IB_CLAIM("(3) four edges, flows summed: rms distance", "4.2.3, (3)", "psi", IB_AT_MOST(5),
             IB__LOST + 2, FALSE, "'Only worked well for isolated cases'."),
    IB_CLAIM("(3) the lap that fits best is the region's 0.75 V", "4.2.3, (3)", "V",
             IB_NEAR(0.75, 0.05, 0.1), IB__LOST_PARAMETER + 2, FALSE,
             "It trades one port against the other. The slope of the edges cancels."),
    IB_CLAIM("(3) at the offset, edges alike: pressure at a port", "4.2.3, (3)", "psi",
             IB_NEAR(24.184672905, 1, 5), IB__LOST_CENTRE, FALSE,
             "Four alike edges give 52 psi at every lap: this is why no trend was found."),
    IB_CLAIM("(3) the exhaust's edges over the supply's that Figure 23 asks for", "4.2.3, (3)", "1",
             IB_AT_LEAST(2), IB__LOST_RATIO, HOLDS,
             "With other edges for the exhaust it would do."),
    IB_CLAIM("(4) the input pressures are Figure 23's: rms distance", "4.2.3, (4)", "psi",
             IB_NEAR(0.0, 1e-9, 0), IB__LOST + 3, HOLDS, "By construction."),
    IB_CLAIM("runs with a fixed rod end there: (1), difference", "4.2.3, (1)", "psi",
             IB_NEAR(0.0, 1e-3, 0), IB__LOST_RUN + 0, HOLDS, "0.35 V above the offset, 10 s."),
    IB_CLAIM("the same of (2)", "4.2.3, (2)", "psi", IB_NEAR(0.0, 1e-3, 0), IB__LOST_RUN + 1, HOLDS,
             ""),
    IB_CLAIM("the same of (3)", "4.2.3, (3)", "psi", IB_NEAR(0.0, 1e-3, 0), IB__LOST_RUN + 2, HOLDS,
             ""),
    IB_CLAIM("the same of (4)", "4.2.3, (4)", "psi", IB_NEAR(0.0, 1e-3, 0), IB__LOST_RUN + 3, HOLDS,
             ""),
};

static const ib_ClaimGroup groups[] = {
    IB_CLAIM_GROUP("Flow, energy, force", "thesis", air),
    IB_CLAIM_GROUP("Friction", "thesis", friction),
    IB_CLAIM_GROUP("Valve", "thesis", valve),
    IB_CLAIM_GROUP("Flow lost near the offset", "thesis", lost),
};

// ------------------------------------------------------------------------------------------- table

static const char *const headings[] = {"#Vc [V]", "#Figure 23", "#ignored", "#(1)",
                                       "#(2)",    "#(3)",       "#(4)",     NULL};

static bool cell(const ib_Findings *findings, int row, int column, char *text, size_t size)
{
    const ib__LostFlows *flows = &((const ib__CylinderDetails *)findings->details)->lost;
    bool sum = row == IB__LOST_POINTS / 3 + 1;
    if (row > IB__LOST_POINTS / 3 + 1) return false;
    int i = 3 * row; // every 0.15 V
    if (sum && column < 2)
        snprintf(text, size, "%s", column ? "" : "rms");
    else if (sum)
        snprintf(text, size, "%.3f", flows->rms[column - 2]);
    else if (column == 0)
        snprintf(text, size, "%.2f", flows->Vc[i]);
    else
        snprintf(text, size, "%.2f", flows->pressure[column == 1 ? 4 : column - 2][i]);
    return true;
}

static const ib_ClaimTable steady = {
    "Steady pressure at port 2, fixed rod [psi], by the methods of 4.2.3; rms: distance of both "
    "ports from Figure 23",
    headings, cell};

static const char *const cost_headings[] = {"a simulated millisecond", "#us", "#less",
                                            "#less in Table 3", NULL};

static bool cost_cell(const ib_Findings *findings, int row, int column, char *text, size_t size)
{
    const double *cost = ((const ib__CylinderDetails *)findings->details)->cost;
    if (row >= IB__COST_ROWS) return false;
    double part = column == 2 ? 100 * (1 - cost[row] / cost[0]) : ib__cylinder_cost_thesis[row];
    if (column == 0)
        snprintf(text, size, "%s", ib__cylinder_cost_names[row]);
    else if (column == 1)
        snprintf(text, size, "%.2f", 1e6 * cost[row]);
    else if (row == 0 || isnan(part))
        snprintf(text, size, "%s", "");
    else
        snprintf(text, size, "%.1f %%", part);
    return true;
}

static const ib_ClaimTable costs = {
    "Table 3 with our own costs: processor time as measured just now, on which no verdict rests; "
    "the rod moves, four stiff steps a millisecond. Instructions: bench/results.md",
    cost_headings, cost_cell};

static ib_Status compute(ib_Findings *findings, ib_Error *error)
{
    ib_ClaimValue *found = findings->values;
    ib__CylinderDetails *details = ib_arena_array(&findings->arena, 1, sizeof *details);
    if (!details) return ib_error_set(error, IB_FAILED, "out of memory");
    findings->details = details;
    for (int i = 0; i < IB__CYLINDER_TESTS; i++)
        findings->groups[findings->group_count++] = ib__cylinder_tests[i];
    ib__cylinder_claims_times(found);
    ib_Status status = ib__cylinder_claims_air(found, error);
    if (status == IB_OK) status = ib__cylinder_claims_friction(found, error);
    if (status == IB_OK) status = ib__cylinder_claims_valve(found, error);
    if (status == IB_OK) status = ib__cylinder_claims_lost(found, &details->lost, error);
    if (status == IB_OK) status = ib__cylinder_claims_open(found, error);
    if (status == IB_OK) status = ib__cylinder_claims_closed(found, error);
    if (status == IB_OK) status = ib__cylinder_claims_solver(found, error);
    return status == IB_OK ? ib__cylinder_costs(details->cost, error) : status;
}

const ib_ClaimDocument ib_cylinder_claims = {
    .name = "cylinder",
    .title = "A pneumatic cylinder: Daepp's thesis of 2011, chapters 2 and 4, 5.5.3, 5.5.4, 6.6.3, "
             "A, B",
    .forms = {"corrected", "published"},
    .remark = "corrected: equations: corrected, the default. published: what is printed, to the "
              "letter. Measured curves are not in the thesis: a claim about them is 'not "
              "computed', and the models are compared with each other instead. The effect of each "
              "mistake: docs/reference/errata.md#cylinder",
    .errata = ib_cylinder_rig_errata,
    .groups = groups,
    .group_count = IB_CLAIM_COUNT(groups),
    .row_count = IB__CYLINDER_ROWS,
    .compute = compute,
    .tables = (const ib_ClaimTable *const[]){&steady, &costs, NULL},
    .figures = ib__cylinder_claims_figures,
};

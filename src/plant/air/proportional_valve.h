// plant/air/proportional_valve.h: a 5/3 valve whose spool follows a voltage: the openings of its
// ports. The derivation is in docs/plant/proportional_valve.md.
//
// Port 2 feeds the cap side, port 1 the rod side (`swapped`: the other way round). A voltage above
// the valve's centre connects port 2 with the supply and port 1 with the exhaust.
//
//   Symbols: u voltage, 0 .. 10 V; Vc = u - centre; s the spool, in volts of the command that would
//            hold it there; Ps, Pe pressures of supply and exhaust [Pa]; A effective area [m^2],
//            with the discharge coefficient inside
//
// The openings depend on the spool and on Ps and Pe alone, so that they are computed once in a step
// for a held voltage, and the flows (plant/air/orifice.h) many times.
#ifndef IB_PLANT_AIR_PROPORTIONAL_VALVE_H
#define IB_PLANT_AIR_PROPORTIONAL_VALVE_H

#include "base/extreme.h"
#include "base/quick.h"
#include "base/schema.h"
#include "base/status.h"
#include "base/table.h"

#include <math.h>
#include <stdbool.h>

typedef enum ib_ProportionalLaw {
    IB_PROPORTIONAL_EQUIVALENT, ///< measured areas, and one pressure between Ps and Pe [thesis]
    IB_PROPORTIONAL_LINEAR,     ///< area in proportion to |Vc| and an offset; supply or exhaust
    IB_PROPORTIONAL_SPOOL,      ///< four straight edges with under- or overlap, flows summed
    IB_PROPORTIONAL_HOLES,      ///< the same with edges that uncover round holes
} ib_ProportionalLaw;

typedef enum ib_ProportionalCurve {
    IB_CURVE_TANH,
    IB_CURVE_LINEAR,
    IB_CURVE_SWITCH
} ib_ProportionalCurve;
typedef enum ib_ProportionalMap { IB_MAP_POLYNOMIAL, IB_MAP_TABLE } ib_ProportionalMap;

// Rules for the flow that an underlapped valve loses near its centre [thesis 4.2.3, methods 1, 2].
typedef enum ib_LostFlow { IB_LOST_NONE, IB_LOST_CONSTANT, IB_LOST_BAND } ib_LostFlow;

typedef enum ib_SpoolDynamics {
    IB_SPOOL_AT_ONCE,
    IB_SPOOL_FIRST,
    IB_SPOOL_SECOND
} ib_SpoolDynamics;

enum { IB_PORT_1, IB_PORT_2, IB_PORTS };
enum { IB_SIDE_CAP, IB_SIDE_ROD, IB_SIDES };

typedef struct ib_ProportionalConfig {
    int law;       ///< ib_ProportionalLaw
    double centre; ///< voltage at which the flows of both ports are equal [V]
    bool swapped;  ///< port 1 feeds the cap side

    ib_Table areas;    ///< equivalent: Vc -> A of port 1, of port 2; 10 rows or more, one at 0 V
    int map;           ///< interpolation between the rows: ib_ProportionalMap
    int curve;         ///< of the pressure that a port sees: ib_ProportionalCurve
    double cutoffs[2]; ///< of port 2: Vc of the lowest and of the highest pressure [V]; port 1: the
                       ///< mirror image

    double slope;  ///< linear, spool: area for a volt [m^2/V], >= 0
    double offset; ///< linear: area at the centre [m^2], >= 0
    double discharge
        [IB_SIDES]; ///< factor on the areas of all but equivalent: of the port at the rod side
                    ///< and of the one at the cap side
    double lap;     ///< spool, holes: underlap of every edge [V]; negative: overlap
    double full;    ///< spool: travel from the edge's opening to its full area [V], > 0
    int holes;      ///< holes: how many a port's edge uncovers, >= 1
    double hole;    ///< their diameter [m], > 0
    double travel;  ///< way of the spool for a volt [m/V], > 0

    double wide;      ///< of all but equivalent, instead of slope, offset, discharge and the
                      ///< holes' diameter: effective area of a port wide open [m^2]; 0: as they say
    double C, Cv, Kv; ///< the same as in plant/air/valve.h; ib_cylinder_init turns them into `wide`
    double nominal_flow; ///< [m^3/s]

    int lost;         ///< ib_LostFlow; equivalent and linear
    double lost_flow; ///< [kg/s], >= 0
    double lost_band; ///< |Vc| within which the band rule takes it [V], > 0

    int dynamics;     ///< ib_SpoolDynamics
    double frequency; ///< of the spool [Hz], > 0
    double damping;   ///< zeta of a second-order one, > 0
} ib_ProportionalConfig;

typedef struct ib_ProportionalModel {
    int law, map, curve, lost, dynamics;
    int port[IB_SIDES]; ///< which feeds a side: IB_PORT_1 …
    double centre;      ///< [V]
    // Areas of port 1 and 2 for Vc <= 0 and for Vc > 0: c[0] Vc^4 + … + c[4] [m^2].
    double c[IB_PORTS][2][5];
    ib_Table areas;
    double middle, steepness; ///< of the pressure curve of port 2 [V], [1/V]
    double least, most;       ///< of Vc: the spool's places at 0 V and at 10 V
    double play;              ///< from where on a spool that was down is up [V]
    double slope[IB_PORTS], offset[IB_PORTS], full, lap;
    double radius, per_radius, travel,
        hole_area[IB_PORTS]; ///< of a hole; all holes of a port [m^2]
    double lost_flow, lost_band;
    double w, zeta; ///< of the spool [rad/s], [1]
    bool pairs;     ///< a port may be open to supply and exhaust at once
} ib_ProportionalModel;

// Connections of a port. Most laws have one restriction; with `pairs` the second is the exhaust.
typedef struct ib_PortOpening {
    double pressure, area;             ///< of the way that flows are through [Pa], [m^2]
    double other_pressure, other_area; ///< the exhaust's, with `pairs`
    double lost; ///< taken from the flow into the chamber [kg/s]; negative: from that out of it
    double fed;  ///< share of the supply in the first way: 0 exhaust .. 1 supply
} ib_PortOpening;

extern const char *const ib_proportional_laws[],
    *const ib_proportional_curves[], *const ib_proportional_maps[], *const ib_lost_flows[],
                                                                        *const ib_spool_dynamics[];

ib_Status ib_proportional_check(const ib_ProportionalConfig *config, ib_Error *error);
void ib_proportional_init(const ib_ProportionalConfig *config, ib_ProportionalModel *valve);

// Least squares of degree 4 through `count` >= 5 points, highest power first, by reflections.
void ib_polynomial_fit(int count, const double *x, const double *y, double c[5]);

// Number of states of its spool: 0, 1 (place) or 2 (place, rate); place in V of Vc.
int ib_proportional_states(const ib_ProportionalModel *valve);

// ---------------------------------------------------------------------------------------- the laws

// Vc
IB_FORMULA double ib_proportional_command(const ib_ProportionalModel *valve, double voltage)
{
    return voltage - valve->centre;
}

//   first:   s' = w (Vc - s)
//   second:  s" = w^2 (Vc - s) - 2 zeta w s'
IB_FORMULA void ib_proportional_rate(const ib_ProportionalModel *valve, double command,
                                     const double *spool, double *rate)
{
    double w = valve->w;
    if (valve->dynamics == IB_SPOOL_FIRST) rate[0] = w * (command - spool[0]);
    if (valve->dynamics == IB_SPOOL_SECOND) {
        rate[0] = spool[1];
        rate[1] = w * w * (command - spool[0]) - 2 * valve->zeta * w * spool[1];
    }
}

// The spool's states after t, while its command goes from `command` on at `ramp` [V/s]: exactly.
void ib_proportional_follow(const ib_ProportionalModel *valve, double command, double ramp,
                            double t, const double *spool, double *next);

// The side of a spool from its centre. Areas and pressures may jump there, so that the caller keeps
// it as a mode: `up` from IB_SPOOL_REST on, else down, also at rest at 0.
#define IB_SPOOL_REST 1e-9 ///< [V]
IB_FORMULA bool ib_proportional_up(double s)
{
    return s > IB_SPOOL_REST;
}

// Positive as long as the side stays. A port that changes between supply and exhaust does so a
// little later on its way up: a loop that holds its piston there would switch without end.
#define IB_SPOOL_PLAY 1e-4 ///< [V]
IB_FORMULA double ib_proportional_margin(const ib_ProportionalModel *valve, double s, bool up)
{
    return up ? s - 0.5 * IB_SPOOL_REST : valve->play - s;
}

// A spool that swings past the ends of its range opens the ports no further.
IB_FORMULA double ib_proportional_place(const ib_ProportionalModel *valve, double s)
{
    return ib_min(ib_max(s, valve->least), valve->most);
}

// A(Vc) of port 1 or 2 [thesis 4.2.3.1]: two polynomials, which do not meet at Vc = 0. Those of
// appendix B.2 are positive all over the range; a fit through other rows may dip below 0, the area
// is limited to 0.
IB_FORMULA double ib__proportional_polynomial(const ib_ProportionalModel *valve, int port, double s,
                                              bool up)
{
    const double *below = valve->c[port][0], *above = valve->c[port][1];
    double a = below[0], b = above[0];
    for (int i = 1; i < 5; i++) {
        a = a * s + below[i];
        b = b * s + above[i];
    }
    return ib_max(up ? b : a, 0);
}

// The pressure that port 2 sees at s, and port 1 at -s [thesis 4.2.7 to 4.2.11]:
//   tanh:    (Ps + Pe)/2 + (Ps - Pe)/2 tanh(2 pi/(high - low) (s - (high + low)/2))
//   linear:  from Pe at `low` to Ps at `high`
//   switch:  Ps above the centre (`fed`), else Pe
// This is the part of the way from Pe to Ps, 0 .. 1.
IB_FORMULA double ib__proportional_part(const ib_ProportionalModel *valve, double s, bool fed)
{
    double z = valve->steepness * (s - valve->middle);
    double part = valve->curve == IB_CURVE_TANH     ? ib_quick_tanh(z)
                  : valve->curve == IB_CURVE_LINEAR ? ib_min(ib_max(z, -1), 1)
                  : fed                             ? 1
                                                    : -1;
    return 0.5 + 0.5 * part;
}

// The area that an edge has uncovered when the spool is `open` volts past it.
//   spool:  slope open, up to `full`
//   holes:  segments of circles of radius r, uncovered to the depth d = travel open:
//           N (r^2 acos(1 - d/r) - (r - d) sqrt(2 r d - d^2))
double ib__proportional_segment(double depth_per_radius);
IB_FORMULA double ib__proportional_edge(const ib_ProportionalModel *valve, int port, double open)
{
    if (valve->law == IB_PROPORTIONAL_SPOOL)
        return valve->slope[port] * ib_min(ib_max(open, 0), valve->full);
    double depth = ib_min(ib_max(open * valve->travel * valve->per_radius, 0), 2);
    return valve->hole_area[port] * ib__proportional_segment(depth);
}

// Opening of a port with the spool at `s`, on that side of its centre. `port` is the valve's own: 0
// for port 1. The rule of the band fades out over its last tenth.
IB_FORMULA ib_PortOpening ib_proportional_open(const ib_ProportionalModel *valve, int port,
                                               double s, bool up, double supply, double exhaust)
{
    ib_PortOpening o = {exhaust, 0, exhaust, 0, 0, 0};
    double towards = port == IB_PORT_2 ? s : -s;
    bool fed = up == (port == IB_PORT_2);
    if (valve->law == IB_PROPORTIONAL_EQUIVALENT) {
        o.fed = ib__proportional_part(valve, towards, fed);
        o.pressure = exhaust + (supply - exhaust) * o.fed;
        o.area = valve->map == IB_MAP_POLYNOMIAL ? ib__proportional_polynomial(valve, port, s, up)
                                                 : ib_table_linear(&valve->areas, port, s);
    } else if (valve->law == IB_PROPORTIONAL_LINEAR) {
        o.fed = fed;
        o.pressure = fed ? supply : exhaust;
        o.area = valve->offset[port] + valve->slope[port] * fabs(s);
    } else {
        o.fed = 1;
        o.pressure = supply;
        o.area = ib__proportional_edge(valve, port, towards + valve->lap);
        o.other_area = ib__proportional_edge(valve, port, valve->lap - towards);
    }
    if (valve->lost == IB_LOST_NONE) return o;
    double within = ib_min(ib_max(10 - 10 * fabs(s) / valve->lost_band, 0), 1);
    double loses = valve->lost == IB_LOST_BAND ? within : 1;
    o.lost = loses * (fed ? valve->lost_flow : -valve->lost_flow);
    return o;
}

// -------------------------------------------------------------------------------------- parameters

extern const ib_TableDef ib_proportional_areas;
extern const char *const ib_proportional_sizes[]; ///< keys of which a file has one at most
const char *ib_proportional_idle(const ib_ProportionalConfig *config, const char *key);

// All rows of the valve, for a config struct with an ib_ProportionalConfig in `valve`.
#define IB_PROPORTIONAL_ROWS(config, valve)                                                        \
    IB_CHOICE_OF("valve.law", "equivalent", ib_proportional_laws, config, valve.law,               \
                 "how its ports open: measured areas, a straight line, edges, or holes"),          \
        IB_NUMBER_OF("valve.centre", "V", "5.25 V", 0, 10, config, valve.centre,                   \
                     "voltage at which the flows of both ports are equal"),                        \
        IB_ROW("valve.swapped", IB_PARAM_FLAG, "1", "false", 0, 0, NULL, config, valve.swapped,    \
               "port 1 feeds the cap side and port 2 the rod side"),                               \
        IB_ROW("valve.areas", IB_PARAM_TABLE, "1", IB_PROPORTIONAL_THESIS, 0, 1,                   \
               &ib_proportional_areas, config, valve.areas,                                        \
               "effective areas measured: voltage from the centre -> port 1, port 2"),             \
        IB_CHOICE_OF("valve.map", "polynomial", ib_proportional_maps, config, valve.map,           \
                     "how `areas` goes on between its rows: two fits of degree 4, or "             \
                     "straight lines"),                                                            \
        IB_CHOICE_OF("valve.curve", "tanh", ib_proportional_curves, config, valve.curve,           \
                     "how the pressure that a port sees goes from exhaust to supply"),             \
        IB_ROW("valve.cutoffs", IB_PARAM_PAIR, "V", "-0.75 V, 1.25 V", -10, 10, NULL, config,      \
               valve.cutoffs,                                                                      \
               "of port 2: voltages from the centre at which that pressure is all exhaust and "    \
               "all supply; port 1 has the mirror image"),                                         \
        IB_NUMBER_OF("valve.slope", "m^2/V", "2e-6 m^2/V", 0, 1, config, valve.slope,              \
                     "area that a volt opens"),                                                    \
        IB_NUMBER_OF("valve.offset", "m^2", "2e-7 m^2", 0, 1, config, valve.offset,                \
                     "area that is open at the centre"),                                           \
        IB_NUMBER_OF("valve.discharge.rod", "1", "0.12", 0, 1, config,                             \
                     valve.discharge[IB_SIDE_ROD],                                                 \
                     "discharge coefficient of the port at the rod side"),                         \
        IB_NUMBER_OF("valve.discharge.cap", "1", "0.09", 0, 1, config,                             \
                     valve.discharge[IB_SIDE_CAP],                                                 \
                     "discharge coefficient of the port at the cap side"),                         \
        IB_NUMBER_OF("valve.lap", "V", "0.25 V", -10, 10, config, valve.lap,                       \
                     "underlap of every edge, in volts of the spool's travel; negative: overlap"), \
        IB_NUMBER_OF("valve.full", "V", "5 V", 1e-3, 100, config, valve.full,                      \
                     "travel from where a straight edge opens to its full area"),                  \
        IB_ROW("valve.holes", IB_PARAM_COUNT, "1", "5", 1, 100, NULL, config, valve.holes,         \
               "round holes that an edge uncovers"),                                               \
        IB_NUMBER_OF("valve.hole", "m", "1.5 mm", 1e-5, 1, config, valve.hole,                     \
                     "diameter of a hole"),                                                        \
        IB_NUMBER_OF("valve.travel", "m/V", "0.3 mm/V", 1e-7, 1, config, valve.travel,             \
                     "way of the spool for a volt"),                                               \
        IB_ROW("valve.area", IB_PARAM_NUMBER, "m^2", "0 m^2", 0, 1, ib_proportional_sizes, config, \
               valve.wide,                                                                         \
               "effective area of a port wide open, instead of slope, offset, discharge and "      \
               "hole; 0: not given"),                                                              \
        IB_ROW("valve.C", IB_PARAM_NUMBER, "m^3/(s*Pa)", "0 dm^3/(s*bar)", 0, 1e-3,                \
               ib_proportional_sizes, config, valve.C,                                             \
               "instead of area: sonic conductance of a port wide open (ISO 6358)"),               \
        IB_ROW("valve.Cv", IB_PARAM_NUMBER, "1", "0", 0, 1e4, ib_proportional_sizes, config,       \
               valve.Cv, "instead of area: water in US gallons per minute at 1 psi"),              \
        IB_ROW("valve.Kv", IB_PARAM_NUMBER, "1", "0", 0, 1e4, ib_proportional_sizes, config,       \
               valve.Kv, "instead of area: water in cubic metres per hour at 1 bar"),              \
        IB_ROW("valve.nominal_flow", IB_PARAM_NUMBER, "m^3/s", "0 L/min", 0, 1e3,                  \
               ib_proportional_sizes, config, valve.nominal_flow,                                  \
               "instead of area: air (DIN 1343) that passes from 6 bar to 5 bar, gauge"),          \
        IB_CHOICE_OF("valve.lost.rule", "none", ib_lost_flows, config, valve.lost,                 \
                     "rule for the flow lost to underlap: none, always, or near the "              \
                     "centre"),                                                                    \
        IB_NUMBER_OF("valve.lost.flow", "kg/s", "2e-5 kg/s", 0, 1, config, valve.lost_flow,        \
                     "flow that is lost"),                                                         \
        IB_NUMBER_OF("valve.lost.band", "V", "0.75 V", 1e-3, 10, config, valve.lost_band,          \
                     "voltage from the centre within which it is lost"),                           \
        IB_CHOICE_OF("valve.spool.dynamics", "none", ib_spool_dynamics, config, valve.dynamics,    \
                     "how the spool follows its voltage: at once, or with a lag of "               \
                     "first or second order"),                                                     \
        IB_NUMBER_OF("valve.spool.frequency", "Hz", "100 Hz", 0.01, 1e5, config, valve.frequency,  \
                     "frequency of the spool's own motion"),                                       \
        IB_NUMBER_OF("valve.spool.damping", "1", "1", 1e-3, 100, config, valve.damping,            \
                     "damping ratio of a spool of second order")

// Effective areas of appendix B.2: c_d |2e-6 m^2/V Vc|, at the centre c_d 2e-7 m^2.
#define IB_PROPORTIONAL_THESIS                                                                     \
    "-4.75 V 7.6e-7 m^2 1.0925e-6 m^2, -3.75 V 7.5e-7 m^2 1.05e-6 m^2, "                           \
    "-2.75 V 7.15e-7 m^2 9.9e-7 m^2, -1.75 V 5.25e-7 m^2 7e-7 m^2, "                               \
    "-1.25 V 3.75e-7 m^2 5e-7 m^2, -0.75 V 2.25e-7 m^2 2.85e-7 m^2, "                              \
    "-0.55 V 1.65e-7 m^2 1.98e-7 m^2, -0.35 V 8.4e-8 m^2 1.19e-7 m^2, "                            \
    "-0.15 V 3.9e-8 m^2 5.7e-8 m^2, 0 V 2.2e-8 m^2 1.8e-8 m^2, "                                   \
    "0.15 V 2.1e-8 m^2 1.8e-8 m^2, 0.35 V 4.2e-8 m^2 3.5e-8 m^2, "                                 \
    "0.55 V 1.1e-7 m^2 6.6e-8 m^2, 0.75 V 1.8e-7 m^2 1.35e-7 m^2, "                                \
    "1.25 V 4.125e-7 m^2 3.125e-7 m^2, 1.75 V 6.125e-7 m^2 4.725e-7 m^2, "                         \
    "2.75 V 8.8e-7 m^2 6.6e-7 m^2, 3.75 V 1.05e-6 m^2 6.75e-7 m^2, "                               \
    "4.75 V 1.045e-6 m^2 7.125e-7 m^2"

#endif

#include "base/unit_table.h"

#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

// ------------------------------------------------------------------------------------------- units

// Exponents of length, mass, time, current, temperature, angle, amount of substance.
#define D(...)                                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define NONE             D(0, 0, 0, 0, 0, 0, 0)
#define LENGTH           D(1, 0, 0, 0, 0, 0, 0)
#define MASS             D(0, 1, 0, 0, 0, 0, 0)
#define TIME             D(0, 0, 1, 0, 0, 0, 0)
#define CURRENT          D(0, 0, 0, 1, 0, 0, 0)
#define TEMPERATURE      D(0, 0, 0, 0, 1, 0, 0)
#define ANGLE            D(0, 0, 0, 0, 0, 1, 0)
#define AMOUNT           D(0, 0, 0, 0, 0, 0, 1)
#define FREQUENCY        D(0, 0, -1, 0, 0, 0, 0)
#define SPEED            D(1, 0, -1, 0, 0, 0, 0)
#define ANGULAR_VELOCITY D(0, 0, -1, 0, 0, 1, 0)
#define FORCE            D(1, 1, -2, 0, 0, 0, 0)
#define PRESSURE         D(-1, 1, -2, 0, 0, 0, 0)
#define ENERGY           D(2, 1, -2, 0, 0, 0, 0)
#define POWER            D(2, 1, -3, 0, 0, 0, 0)
#define CHARGE           D(0, 0, 1, 1, 0, 0, 0)
#define VOLTAGE          D(2, 1, -3, -1, 0, 0, 0)
#define RESISTANCE       D(2, 1, -3, -2, 0, 0, 0)
#define CAPACITANCE      D(-2, -1, 4, 2, 0, 0, 0)
#define INDUCTANCE       D(2, 1, -2, -2, 0, 0, 0)
#define VOLUME           D(3, 0, 0, 0, 0, 0, 0)
#define VOLUME_FLOW      D(3, 0, -1, 0, 0, 0, 0)

// factor = numerator / (divisor * 10^digits): whole numbers if the definition has them.
#define UNIT_AT(name, si, dimension, use, numerator, divisor, digits, offset, sentence)            \
    {                                                                                              \
        name, si, (numerator) / ((divisor)*1e##digits), offset, sentence, use,                     \
            {numerator, divisor, -digits}, dimension                                               \
    }
#define UNIT(name, si, dimension, use, numerator, divisor, digits, sentence)                       \
    {                                                                                              \
        name, si, (numerator) / ((divisor)*1e##digits), 0, sentence, use,                          \
            {numerator, divisor, -digits}, dimension                                               \
    }

#define PLAIN      IB_UNIT_PLAIN
#define PREFIXED   IB_UNIT_PREFIXED
#define DECIMETRIC IB_UNIT_DECIMETRIC

// International yard and pound (1959): 1 yd = 0.9144 m, 1 lb = 0.45359237 kg. Standard gravity
// 9.80665 m/s^2 and standard atmosphere 101325 Pa (CGPM 1901, 1954), so 1 lbf = 4.4482216152605 N.
// Mercury of 13595.1 kg/m^3. A slug is 1 lbf s^2/ft, a horsepower 550 ft lbf/s.
static const ib_UnitInfo units[] = {
    UNIT("m", "m", LENGTH, DECIMETRIC, 1, 1, 0, "metre"),
    UNIT("in", "m", LENGTH, PLAIN, 254, 1, 4, "inch"),
    UNIT("ft", "m", LENGTH, PLAIN, 3048, 1, 4, "foot"),
    UNIT("yd", "m", LENGTH, PLAIN, 9144, 1, 4, "yard"),
    UNIT("mi", "m", LENGTH, PLAIN, 1609344, 1, 3, "mile"),
    UNIT("L", "m^3", VOLUME, DECIMETRIC, 1, 1, 3, "litre"),

    UNIT("g", "kg", MASS, PREFIXED, 1, 1, 3, "gram (not the acceleration)"),
    UNIT("t", "kg", MASS, PLAIN, 1000, 1, 0, "metric ton"),
    UNIT("lb", "kg", MASS, PLAIN, 45359237, 1, 8, "pound (a mass; the force is lbf)"),
    UNIT("oz", "kg", MASS, PLAIN, 45359237, 16, 8, "ounce (a mass; the force is ozf)"),
    UNIT("slug", "kg", MASS, PLAIN, 44482216152605, 3048, 9, "slug, 1 lbf*s^2/ft"),

    UNIT("s", "s", TIME, PREFIXED, 1, 1, 0, "second"),
    UNIT("min", "s", TIME, PLAIN, 60, 1, 0, "minute"),
    UNIT("h", "s", TIME, PLAIN, 3600, 1, 0, "hour"),
    UNIT("Hz", "1/s", FREQUENCY, PREFIXED, 1, 1, 0, "cycles per second (no angle)"),

    UNIT("rad", "rad", ANGLE, PREFIXED, 1, 1, 0, "radian"),
    UNIT("deg", "rad", ANGLE, PLAIN, PI, 180, 0, "degree"),
    UNIT("rev", "rad", ANGLE, PLAIN, 2 * PI, 1, 0, "revolution"),
    UNIT("grad", "rad", ANGLE, PLAIN, PI, 200, 0, "gradian, 400 to a revolution"),
    UNIT("rpm", "rad/s", ANGULAR_VELOCITY, PLAIN, PI, 30, 0, "revolutions per minute"),
    UNIT("mph", "m/s", SPEED, PLAIN, 44704, 1, 5, "miles per hour"),
    UNIT("cfm", "m^3/s", VOLUME_FLOW, PLAIN, 28316846592, 60, 12, "cubic feet per minute"),

    UNIT("N", "N", FORCE, DECIMETRIC, 1, 1, 0, "newton"),
    UNIT("lbf", "N", FORCE, PLAIN, 44482216152605, 1, 13, "pound-force"),
    UNIT("ozf", "N", FORCE, PLAIN, 44482216152605, 16, 13, "ounce-force"),
    UNIT("kgf", "N", FORCE, PLAIN, 980665, 1, 5, "kilogram-force"),

    UNIT("Nm", "N*m", ENERGY, PREFIXED, 1, 1, 0, "newton metre, the same as N*m"),
    UNIT("lbf-in", "N*m", ENERGY, PLAIN, 1129848290276167, 1, 16, "pound-force inch"),
    UNIT("in-lbf", "N*m", ENERGY, PLAIN, 1129848290276167, 1, 16, "inch pound-force"),
    UNIT("lb-in", "N*m", ENERGY, PLAIN, 1129848290276167, 1, 16, "pound-force inch"),
    UNIT("in-lb", "N*m", ENERGY, PLAIN, 1129848290276167, 1, 16, "inch pound-force"),
    UNIT("lbf-ft", "N*m", ENERGY, PLAIN, 3389544870828501, 0.25, 16, "pound-force foot"),
    UNIT("ft-lbf", "N*m", ENERGY, PLAIN, 3389544870828501, 0.25, 16, "foot pound-force"),
    UNIT("lb-ft", "N*m", ENERGY, PLAIN, 3389544870828501, 0.25, 16, "pound-force foot"),
    UNIT("ft-lb", "N*m", ENERGY, PLAIN, 3389544870828501, 0.25, 16, "foot pound-force"),
    UNIT("oz-in", "N*m", ENERGY, PLAIN, 1129848290276167, 16, 16, "ounce-force inch"),
    UNIT("ozf-in", "N*m", ENERGY, PLAIN, 1129848290276167, 16, 16, "ounce-force inch"),
    UNIT("in-oz", "N*m", ENERGY, PLAIN, 1129848290276167, 16, 16, "inch ounce-force"),
    UNIT("kgf-cm", "N*m", ENERGY, PLAIN, 980665, 1, 7, "kilogram-force centimetre"),

    UNIT("Pa", "Pa", PRESSURE, PREFIXED, 1, 1, 0, "pascal, absolute"),
    UNIT("hPa", "Pa", PRESSURE, PLAIN, 100, 1, 0, "hectopascal, absolute"),
    UNIT("bar", "Pa", PRESSURE, PREFIXED, 100000, 1, 0, "bar, absolute"),
    UNIT("atm", "Pa", PRESSURE, PLAIN, 101325, 1, 0, "standard atmosphere, absolute"),
    UNIT("inHg", "Pa", PRESSURE, PLAIN, 3386388640341, 1, 9, "inch of mercury, absolute"),
    UNIT("mmHg", "Pa", PRESSURE, PLAIN, 133322387415, 1, 9, "millimetre of mercury, absolute"),
    UNIT("psia", "Pa", PRESSURE, PLAIN, 44482216152605, 64516, 5, "lbf/in^2, absolute"),
    UNIT_AT("psig", "Pa", PRESSURE, PLAIN, 44482216152605, 64516, 5, 101325,
            "lbf/in^2 above one standard atmosphere"),
    UNIT("psi", "Pa", PRESSURE, IB_UNIT_UNDECIDED, 44482216152605, 64516, 5,
         "lbf/in^2, for differences and in compounds only"),
    UNIT_AT("barg", "Pa", PRESSURE, PLAIN, 100000, 1, 0, 101325,
            "bar above one standard atmosphere"),
    UNIT_AT("kPag", "Pa", PRESSURE, PLAIN, 1000, 1, 0, 101325,
            "kilopascal above one standard atmosphere"),

    UNIT("K", "K", TEMPERATURE, PREFIXED, 1, 1, 0, "kelvin"),
    UNIT_AT("degC", "K", TEMPERATURE, PLAIN, 1, 1, 0, 273.15, "degree Celsius"),
    UNIT_AT("degF", "K", TEMPERATURE, PLAIN, 5, 9, 0, 459.67 * 5 / 9, "degree Fahrenheit"),

    UNIT("J", "J", ENERGY, PREFIXED, 1, 1, 0, "joule"),
    UNIT("Wh", "J", ENERGY, PREFIXED, 3600, 1, 0, "watt hour"),
    UNIT("W", "W", POWER, PREFIXED, 1, 1, 0, "watt"),
    UNIT("hp", "W", POWER, PLAIN, 745.69987158227022, 1, 0, "horsepower, 550 ft*lbf/s"),

    UNIT("mol", "mol", AMOUNT, PREFIXED, 1, 1, 0, "mole, of air 29 g"),
    UNIT("A", "A", CURRENT, PREFIXED, 1, 1, 0, "ampere"),
    UNIT("V", "V", VOLTAGE, PREFIXED, 1, 1, 0, "volt"),
    UNIT("ohm", "ohm", RESISTANCE, PREFIXED, 1, 1, 0, "ohm"),
    UNIT("C", "A*s", CHARGE, PREFIXED, 1, 1, 0, "coulomb (not Celsius)"),
    UNIT("Ah", "A*s", CHARGE, PREFIXED, 3600, 1, 0, "ampere hour"),
    UNIT("F", "F", CAPACITANCE, PREFIXED, 1, 1, 0, "farad (not Fahrenheit)"),
    UNIT("H", "H", INDUCTANCE, PREFIXED, 1, 1, 0, "henry"),

    UNIT("%", "1", NONE, PLAIN, 1, 1, 2, "hundredth"),
};

const ib_UnitPrefix ib__unit_prefixes[] = {
    {"p", -12, PREFIXED},  {"n", -9, PREFIXED},   {"u", -6, PREFIXED}, {"m", -3, PREFIXED},
    {"c", -2, DECIMETRIC}, {"d", -1, DECIMETRIC}, {"k", 3, PREFIXED},  {"M", 6, PREFIXED},
    {"G", 9, PREFIXED},    {NULL, 0, PLAIN},
};

const ib_UnitInfo *ib_units_all(int *count)
{
    *count = (int)(sizeof units / sizeof units[0]);
    return units;
}

static const ib_UnitInfo *find_exact(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (units[i].name[0] == name[0] && strcmp(units[i].name, name) == 0) return &units[i];
    return NULL;
}

bool ib__unit_allows(const ib_UnitInfo *unit, const ib_UnitPrefix *prefix)
{
    return unit->use == DECIMETRIC || (unit->use == PREFIXED && prefix->use == PREFIXED);
}

bool ib__unit_find(const char *name, ib_UnitTerm *term)
{
    // The bare name first: "min" is the minute, not a milli-inch.
    *term = (ib_UnitTerm){find_exact(name), 0, 1};
    if (term->unit) return true;
    for (const ib_UnitPrefix *prefix = ib__unit_prefixes; prefix->name; prefix++) {
        if (name[0] != prefix->name[0]) continue;
        const ib_UnitInfo *unit = find_exact(name + 1);
        if (!unit || !ib__unit_allows(unit, prefix)) return false;
        *term = (ib_UnitTerm){unit, prefix->power, 1};
        return true;
    }
    return false;
}

// -------------------------------------------------------------------------------------- dimensions

static const ib_DimensionInfo dimensions[] = {
    {NONE, "a pure number", "0.5"},
    {LENGTH, "a length", "0.15 m"},
    {MASS, "a mass", "2.7 kg"},
    {TIME, "a time", "2.4 s"},
    {CURRENT, "an electric current", "40 A"},
    {TEMPERATURE, "a temperature", "20 degC"},
    {ANGLE, "an angle", "30 deg"},
    {AMOUNT, "an amount of substance", "0.4 mol"},
    {FREQUENCY, "a frequency", "200 Hz"},
    {SPEED, "a speed", "0.9 m/s"},
    {ANGULAR_VELOCITY, "an angular velocity", "5310 rpm"},
    {FORCE, "a force", "2.7 N"},
    {PRESSURE, "a pressure", "50 psig"},
    {ENERGY, "a torque or an energy", "0.5 N*m"},
    {POWER, "a power", "180 W"},
    {CHARGE, "an electric charge", "18 Ah"},
    {VOLTAGE, "a voltage", "12 V"},
    {RESISTANCE, "a resistance", "15 mohm"},
    {CAPACITANCE, "a capacitance", "10 uF"},
    {INDUCTANCE, "an inductance", "90 uH"},
    {VOLUME, "a volume", "0.574 L"},
    {VOLUME_FLOW, "a volume flow", "0.88 cfm"},
    {D(2, 0, 0, 0, 0, 0, 0), "an area", "5 cm^2"},
    {D(-1, 0, 0, 0, 0, 0, 0), "a value per length", "2 1/m"},
    {D(1, 0, -2, 0, 0, 0, 0), "an acceleration", "9.81 m/s^2"},
    {D(0, 0, -2, 0, 0, 1, 0), "an angular acceleration", "3 rad/s^2"},
    {D(0, 1, -1, 0, 0, 0, 0), "a mass flow", "2e-5 kg/s", "kg/s"},
    {D(0, 1, -1, 0, 0, 0, 0), "a damping", "2 N*s/m", "N*s/m"},
    {D(0, 1, -1, 0, 0, 0, 0), "a mass flow or a damping", "2 N*s/m"},
    {D(0, 1, -2, 0, 0, 0, 0), "a stiffness", "300 N/m"},
    {D(1, 1, -1, 0, 0, 0, 0), "a momentum", "2 N*s"},
    {D(2, 1, 0, 0, 0, 0, 0), "a moment of inertia", "0.5 kg*m^2"},
    {D(-3, 1, 0, 0, 0, 0, 0), "a density", "1.2 kg/m^3"},
    {D(2, 1, -2, 0, 0, -1, 0), "a stiffness about an axis", "3 N*m/rad"},
    {D(2, 1, -1, 0, 0, -1, 0), "a damping about an axis", "0.01 N*m*s/rad"},
    {D(2, 1, -2, -1, 0, 0, 0), "a torque per current", "0.018 N*m/A"},
    {D(2, 1, -2, -1, 0, -1, 0), "a voltage per angular velocity", "0.022 V*s/rad"},
    {D(-2, -1, 2, 1, 0, 1, 0), "an angular velocity per voltage", "437 rpm/V"},
    {D(2, 1, -2, 0, -1, 0, 0), "a heat capacity", "120 J/K"},
    {D(-2, -1, 3, 0, 1, 0, 0), "a thermal resistance", "1.5 K/W"},
    {D(-1, 1, -3, 0, 0, 0, 0), "a pressure rate", "3 psi/s"},
};

const ib_DimensionInfo *ib__dimension_find(ib_Dimension dimension, const char *unit)
{
    for (size_t i = 0; i < sizeof dimensions / sizeof dimensions[0]; i++) {
        const ib_DimensionInfo *info = &dimensions[i];
        bool meant = !info->unit || (unit && strcmp(info->unit, unit) == 0);
        if (meant && ib_dimension_equal(info->dimension, dimension)) return info;
    }
    return NULL;
}

bool ib_dimension_equal(ib_Dimension a, ib_Dimension b)
{
    return a.length == b.length && a.mass == b.mass && a.time == b.time && a.current == b.current &&
           a.temperature == b.temperature && a.angle == b.angle && a.amount == b.amount;
}

bool ib__dimension_add(ib_Dimension *a, ib_Dimension b, int count)
{
    enum { LARGEST = 99 };
    int8_t *to[] = {&a->length,      &a->mass,  &a->time,  &a->current,
                    &a->temperature, &a->angle, &a->amount};
    int from[] = {b.length, b.mass, b.time, b.current, b.temperature, b.angle, b.amount};
    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        int sum = *to[i] + count * from[i];
        if (sum > LARGEST || sum < -LARGEST) return false;
        *to[i] = (int8_t)sum;
    }
    return true;
}

// "kg*m^2/s^3": the numerator first, joined by *, then each factor of the denominator behind
// a slash.
void ib_dimension_describe(ib_Dimension dimension, const char *of, char *text, size_t size)
{
    const ib_DimensionInfo *info = ib__dimension_find(dimension, of);
    if (info) {
        snprintf(text, size, "%s", info->name);
        return;
    }
    static const char *const names[] = {"kg", "m", "s", "A", "K", "rad", "mol"};
    int exponents[] = {dimension.mass,        dimension.length, dimension.time,  dimension.current,
                       dimension.temperature, dimension.angle,  dimension.amount};
    char unit[7 * 9 + 2] = "";
    size_t used = 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < 7; i++) {
            int exponent = sign * exponents[i];
            if (exponent <= 0) continue;
            const char *joint = sign < 0 ? (used ? "/" : "1/") : (used ? "*" : "");
            used += (size_t)snprintf(unit + used, sizeof unit - used, "%s%s", joint, names[i]);
            if (exponent > 1)
                used += (size_t)snprintf(unit + used, sizeof unit - used, "^%d", exponent);
        }
    }
    snprintf(text, size, "a value in %s", unit);
}

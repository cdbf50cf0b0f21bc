// base/unit_hints.c: the unit that a person most likely meant, from the one written.
#include "base/unit_table.h"
#include "base/word.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// Ambiguous units.
static const char *const refused[][2] = {
    {"gal", "is ambiguous: a US gallon is 3.785411784 L, an imperial one 4.54609 L, a galileo 0.01 "
            "m/s^2"},
    {"gpm", "is ambiguous: a US gallon is 3.785411784 L, an imperial one 4.54609 L; write L/min"},
    {"ton", "is ambiguous: write t (1000 kg), or 2000 lb or 2240 lb in lb"},
    {"mil", "is ambiguous: write 0.001 in, or an angle in mrad"},
    {"cal", "is ambiguous: write J (4.184 J or 4.1868 J to the calorie)"},
    {"BTU", "is ambiguous: write J (about 1055 J)"},
    {"scfm", "depends on the standard conditions meant: write cfm of air as it is, or kg/s"},
    {"slpm", "depends on the standard conditions meant: write L/min of air as it is, or kg/s"},
    {"cc", "is written cm^3 or mL"},
    {"rps", "is written rev/s (angle) or Hz (cycles)"},
    {"cps", "is written Hz"},
    {"dB", "is no unit: a key that is in dB takes a plain number, such as 40"},
};

// Words for units, and their spelling here.
static const char *const synonyms[][2] = {
    {"meter", "m"},      {"metre", "m"},    {"meters", "m"},        {"metres", "m"},
    {"inch", "in"},      {"inches", "in"},  {"foot", "ft"},         {"feet", "ft"},
    {"yard", "yd"},      {"mile", "mi"},    {"miles", "mi"},        {"liter", "L"},
    {"litre", "L"},      {"lpm", "L/min"},  {"Ns", "N*s"},          {"Vs", "V*s"},
    {"As", "A*s"},       {"gram", "g"},     {"grams", "g"},         {"lbs", "lb"},
    {"lbm", "lb"},       {"pound", "lb"},   {"pounds", "lb"},       {"ounce", "oz"},
    {"sec", "s"},        {"secs", "s"},     {"second", "s"},        {"seconds", "s"},
    {"msec", "ms"},      {"usec", "us"},    {"mins", "min"},        {"minute", "min"},
    {"minutes", "min"},  {"hr", "h"},       {"hrs", "h"},           {"hour", "h"},
    {"hours", "h"},      {"degree", "deg"}, {"degrees", "deg"},     {"radian", "rad"},
    {"radians", "rad"},  {"turn", "rev"},   {"turns", "rev"},       {"revs", "rev"},
    {"fps", "ft/s"},     {"kph", "km/h"},   {"kmh", "km/h"},        {"mps", "m/s"},
    {"newton", "N"},     {"newtons", "N"},  {"kg-cm", "kgf-cm"},    {"kp", "kgf"},
    {"pascal", "Pa"},    {"percent", "%"},  {"amp", "A"},           {"amps", "A"},
    {"volt", "V"},       {"volts", "V"},    {"watt", "W"},          {"watts", "W"},
    {"joule", "J"},      {"ohms", "ohm"},   {"hertz", "Hz"},        {"celsius", "degC"},
    {"Celsius", "degC"}, {"kelvin", "K"},   {"fahrenheit", "degF"}, {"Fahrenheit", "degF"},
};

// A unit that is often written for another: the hint appears if the swap makes the dimension right.
typedef struct Confusion {
    const char *name;   ///< written
    const char *prefix; ///< only behind this prefix; NULL: any
    const char *meant;  ///< a unit of the intended quantity
    const char *hint;
} Confusion;

static const Confusion confusions[] = {
    {"m", "", "s", "m is metre; write min for minutes"},
    {"m", "n", "N*m", "nm is nanometre; write N*m for a torque"},
    {"min", "", "m", "min is minute; write m for metres or in for inches"},
    {"g", "", "m/s^2", "g is gram; write 9.80665 m/s^2 for one standard gravity"},
    {"g", NULL, "N", "g and kg are masses; write kgf or N for a force"},
    {"lb", NULL, "lbf", "lb is a mass; write lbf for a force"},
    {"oz", NULL, "ozf", "oz is a mass; write ozf for a force"},
    {"lbf", NULL, "lb", "lbf is a force; write lb for a mass"},
    {"ozf", NULL, "oz", "ozf is a force; write oz for a mass"},
    {"kgf", NULL, "kg", "kgf is a force; write kg for a mass"},
    {"F", NULL, "K", "F is farad; write degF for Fahrenheit, K in a compound"},
    {"C", NULL, "K", "C is coulomb; write degC for Celsius, K in a compound"},
    {"deg", NULL, "K", "deg is an angle; write degC, degF or K"},
    {"H", NULL, "s", "H is henry; write h for hours"},
    {"h", NULL, "H", "h is hour; write H for henry"},
    {"K", NULL, "ohm", "K is kelvin; write kohm"},
    {"Ah", NULL, "J", "Ah is a charge; write Wh for an energy"},
    {"Wh", NULL, "A*s", "Wh is an energy; write Ah for a charge"},
    {"Hz", NULL, "rad/s", "Hz counts cycles, not angle; write rpm, rev/s or rad/s"},
    {"rpm", NULL, "Hz", "rpm is an angle per time; write Hz for cycles per second"},
    {"rev", NULL, "1", "rev is an angle; write Hz for cycles per second"},
};

// ----------------------------------------------------------------------------------- unknown units

enum { PREFIXES = 10 }; // 9, and none

// Name number `index` of all names, with and without prefixes; false: no such pair.
static bool name_at(int index, char *name)
{
    int count;
    const ib_UnitInfo *unit = &ib_units_all(&count)[index / PREFIXES];
    const ib_UnitPrefix *prefix = &ib__unit_prefixes[(index + PREFIXES - 1) % PREFIXES];
    if (prefix->name && !ib__unit_allows(unit, prefix)) return false;
    snprintf(name, IB_UNIT_NAME, "%s%s", prefix->name ? prefix->name : "", unit->name);
    return true;
}

static int name_count(void)
{
    int count;
    ib_units_all(&count);
    return count * PREFIXES;
}

// "KG" -> ": did you mean 'kg'?", "NM" -> ": did you mean 'nm' or 'Nm'?"
static bool hint_case(const char *name, char *hint, size_t size)
{
    char known[IB_UNIT_NAME];
    size_t used = 0;
    hint[0] = '\0';
    for (int i = 0; i < name_count() && used < size; i++) {
        if (!name_at(i, known) || strcasecmp(known, name) != 0) continue;
        used += (size_t)snprintf(hint + used, size - used, "%s'%s'",
                                 used ? " or " : " (upper and lower case matter): did you mean ",
                                 known);
    }
    if (used && used < size) snprintf(hint + used, size - used, "?");
    return used > 0;
}

// "N-m", "kgm" -> "N*m", "kg*m"; "m2" -> "m^2". Two of a kind ("kgg") are a slip, not a product.
static bool hint_split(const char *name, char *hint, size_t size)
{
    char first[IB_UNIT_NAME];
    ib_UnitTerm left, right;
    for (size_t i = strlen(name) - 1; i > 0; i--) {
        snprintf(first, sizeof first, "%.*s", (int)i, name);
        if (!ib__unit_find(first, &left)) continue;
        const char *second = name[i] == '-' ? name + i + 1 : name + i;
        bool power = second[0] >= '1' && second[0] <= '9' && second[1] == '\0';
        if (!power && !ib__unit_find(second, &right)) continue;
        if (!power && ib_dimension_equal(left.unit->dimension, right.unit->dimension)) continue;
        snprintf(hint, size, ": write '%s%s%s'", first, power ? "^" : "*", second);
        return true;
    }
    return false;
}

// Units are short: one slip in up to three letters, two in more.
static bool hint_nearest(const char *name, char *hint, size_t size)
{
    size_t length = strlen(name);
    int best = length < 2 ? 0 : length <= 3 ? 1 : 2;
    char known[IB_UNIT_NAME];
    bool found = false;
    for (int i = 0; i < name_count(); i++) {
        if (!name_at(i, known)) continue;
        int distance = ib_word_distance(name, known);
        if (distance > best || (found && distance == best)) continue;
        best = distance;
        found = true;
        snprintf(hint, size, ": did you mean '%s'?", known);
    }
    return found;
}

void ib__hint_unknown(const char *name, char *hint, size_t size)
{
    for (const char *at = name; *at; at++) {
        if ((unsigned char)*at < 0x80) continue;
        snprintf(hint, size, ": write plain letters: u for micro, ohm, deg, degC, * and ^2");
        return;
    }
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++) {
        if (strcmp(synonyms[i][0], name) != 0) continue;
        snprintf(hint, size, ": write '%s'", synonyms[i][1]);
        return;
    }
    if (hint_case(name, hint, size) || hint_split(name, hint, size) ||
        hint_nearest(name, hint, size))
        return;
    hint[0] = '\0';
}

const char *ib__hint_refused(const char *name)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(refused[i][0], name) == 0) return refused[i][1];
    return NULL;
}

const char *ib__hint_offset(const char *name)
{
    if (strcmp(name, "degC") == 0) return "K";
    if (strcmp(name, "degF") == 0) return "K (1 degF is 5/9 K)";
    if (strcmp(name, "psig") == 0) return "psi";
    return strcmp(name, "barg") == 0 ? "bar" : "kPa";
}

// -------------------------------------------------------------------------------- wrong dimensions

static bool prefix_matches(const char *prefix, int power)
{
    if (!prefix) return true;
    return strcmp(prefix, "n") == 0 ? power == -9 : power == 0;
}

// True if replacing this term by the meaning of the confusion gives `wanted`.
static bool explains(const Confusion *confusion, const ib_UnitExpression *given,
                     const ib_UnitTerm *term, ib_Dimension wanted)
{
    if (strcmp(term->unit->name, confusion->name) != 0) return false;
    if (!prefix_matches(confusion->prefix, term->prefix)) return false;
    ib_Dimension meant, swapped = given->dimension;
    if (ib_units_dimension(confusion->meant, &meant, NULL)) return false;
    return ib__dimension_add(&swapped, term->unit->dimension, -term->exponent) &&
           ib__dimension_add(&swapped, meant, term->exponent) &&
           ib_dimension_equal(swapped, wanted);
}

void ib__hint_mismatch(const ib_UnitExpression *given, ib_Dimension wanted, char *hint, size_t size)
{
    for (size_t i = 0; i < sizeof confusions / sizeof confusions[0]; i++) {
        for (int k = 0; k < given->count; k++) {
            if (!explains(&confusions[i], given, &given->terms[k], wanted)) continue;
            snprintf(hint, size, ": %s", confusions[i].hint);
            return;
        }
    }
    ib_Dimension angleless = given->dimension;
    angleless.angle = wanted.angle;
    if (ib_dimension_equal(angleless, wanted))
        snprintf(hint, size,
                 ": angle is a dimension of its own; they differ by rad, so rad/s is not Hz and "
                 "N*m/rad is not N*m");
    else
        hint[0] = '\0';
}

// world/mjcf_limits.c: limits of an MJCF text for MuJoCo 2.2.2, whose compiler is not made for
// hostile files. It fills some arrays before it checks their sizes: the 500 numbers of a <numeric>
// stand on its stack for any `size`, and it reads whole numbers by `%d`, also from "60000e-5".
// Sizes that take memory or time have bounds here.
#include "base/quote.h"
#include "world/mjcf.h"
#include "world/mjcf_inside.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_NUMBER 1e20
enum {
    MOST_NUMERIC = 500,       ///< numbers of a <numeric>
    MOST_HEIGHTS = 512 * 512, ///< of all height fields together
    MOST_TRIALS = 100000,     ///< steps by which MuJoCo finds the ranges of lengths
};

// ------------------------------------------------------------------------------------------ counts

// The limits of elements by name in the whole file.
static const struct {
    const char *element;
    int most;
} counts[] = {
    {"body", 500},     {"joint", 500},      {"freejoint", 50},    {"geom", 1000},
    {"site", 1000},    {"motor", 300},      {"position", 300},    {"velocity", 300},
    {"general", 300},  {"muscle", 50},      {"intvelocity", 300}, {"damper", 300},
    {"cylinder", 300}, {"adhesion", 300},   {"mesh", 50},         {"hfield", 4},
    {"key", 100},      {"spatial", 200},    {"fixed", 200},       {"connect", 200},
    {"weld", 200},     {"pair", 1000},      {"exclude", 1000},    {"camera", 100},
    {"light", 100},    {"default", 200},    {"material", 500},    {"texture", 500},
    {"pulley", 1000},  {"rangefinder", 50},
};

// The limits of elements of any name in a section.
static const struct {
    const char *section;
    int most;
} sections[] = {{"actuator", 500}, {"equality", 500}, {"sensor", 1000}, {"custom", 500}};

enum { COUNTS = sizeof counts / sizeof counts[0], SECTIONS = sizeof sections / sizeof sections[0] };

typedef struct Counters {
    int found[COUNTS], within[SECTIONS];
    int velocities; ///< degrees of freedom of all joints
    int untyped;    ///< those of a joint without a type, by the defaults
    double heights; ///< of all height fields
} Counters;

// ---------------------------------------------------------------------------------------- refusals

// Attributes that scale MuJoCo's memory or loops. `whole`: MuJoCo reads a whole number. No element:
// those of any.
static const struct {
    const char *element, *attribute;
    double least, most;
    bool whole;
} ranges[] = {
    {"size", "njmax", -1, 2000, true},
    {"size", "nconmax", -1, 1000, true},
    {"size", "nstack", -1, 3e7, true},
    {"size", "nuserdata", 0, 1000, true},
    {"size", "nkey", 0, 100, true},
    {"size", "nuser_body", -1, 50, true},
    {"size", "nuser_jnt", -1, 50, true},
    {"size", "nuser_geom", -1, 50, true},
    {"size", "nuser_site", -1, 50, true},
    {"size", "nuser_cam", -1, 50, true},
    {"size", "nuser_tendon", -1, 50, true},
    {"size", "nuser_actuator", -1, 50, true},
    {"size", "nuser_sensor", -1, 50, true},
    {"option", "timestep", IB__MJCF_SHORTEST, IB__MJCF_LONGEST, false},
    {"option", "iterations", 1, 1000, true},
    {"option", "noslip_iterations", 0, 1000, true},
    {"option", "mpr_iterations", 1, 1000, true},
    {"hfield", "nrow", 2, 512, true},
    {"hfield", "ncol", 2, 512, true},
    {"numeric", "size", 1, MOST_NUMERIC, true},
    {"lengthrange", "inttotal", 0, 20, false},
    {"lengthrange", "inteval", 0, 20, false},
    {"lengthrange", "timestep", 1e-3, 1, false},
    {"user", "dim", 0, 100, true},
    {"pulley", "divisor", 1e-6, 1e6, false},
    {NULL, "condim", 1, 6, true},
    {NULL, "contype", INT_MIN, INT_MAX, true},
    {NULL, "conaffinity", INT_MIN, INT_MAX, true},
    {NULL, "priority", INT_MIN, INT_MAX, true},
    {NULL, "group", INT_MIN, INT_MAX, true},
};

// Elements that are refused, and why.
static const struct {
    const char *element, *why;
} refused[] = {
    {"include", "other files are not read: put what it names in its place"},
    {"composite", "is not read: write its bodies out"},
    {"skin", "is not read: a skin is only looked at, leave it out"},
    {"plugin", "is not read: plug-ins of MuJoCo are not loaded"},
    {"extension", "is not read: plug-ins of MuJoCo are not loaded"},
};

// ----------------------------------------------------------------------------------------- numbers

bool ib__mjcf_next(const char **at, char word[IB_NUMBER_TEXT])
{
    *at += strspn(*at, IB_SPACES);
    size_t length = strcspn(*at, IB_SPACES), kept = length;
    if (length == 0) return false;
    if (kept > IB_NUMBER_TEXT - 1) kept = IB_NUMBER_TEXT - 1;
    memcpy(word, *at, kept);
    word[kept] = '\0';
    if (kept < length) word[0] = '?'; // the rest may look like a number
    *at += length;
    return true;
}

bool ib__mjcf_whole(const char *text, int *value)
{
    const char *from = text + strspn(text, IB_SPACES);
    size_t sign = *from == '-' || *from == '+', digits = strspn(from + sign, "0123456789");
    const char *behind = from + sign + digits;
    if (digits == 0 || digits > 10 || behind[strspn(behind, IB_SPACES)] != '\0') return false;
    long long whole = strtoll(from, NULL, 10);
    if (whole < INT_MIN || whole > INT_MAX) return false;
    *value = (int)whole;
    return true;
}

static bool is_word_of_no_number(const char *word)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    if (word[0] == '-' || word[0] == '+') word++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(word, words[i]) == 0) return true;
    return word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
}

// Numbers are plain and not too large. MuJoCo refuses other words in the place of numbers.
static ib_Status check_numbers(const ib_XmlAttribute *attribute, ib_Error *error)
{
    const char *at = attribute->value;
    char word[IB_NUMBER_TEXT];
    while (ib__mjcf_next(&at, word)) {
        double value = 0;
        bool number = ib_number_read(word, &value, NULL) == IB_OK;
        bool wild = number ? !(fabs(value) <= MOST_NUMBER) : is_word_of_no_number(word);
        if (wild)
            return ib_xml_refuse_value(attribute, error,
                                       "%s: expected plain numbers of at most %g, got '%s'",
                                       attribute->name, MOST_NUMBER, ib_quote(word).text);
    }
    return IB_OK;
}

static ib_Status check_range(const ib_Xml *element, const ib_XmlAttribute *attribute,
                             ib_Error *error)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        double value = 0;
        int whole = 0;
        if (ranges[i].element && strcmp(ranges[i].element, element->name) != 0) continue;
        if (strcmp(ranges[i].attribute, attribute->name) != 0) continue;
        if (ranges[i].whole) {
            if (!ib__mjcf_whole(attribute->value, &whole))
                return ib_xml_refuse_value(attribute, error,
                                           "%s: expected a whole number in plain digits, got '%s'",
                                           attribute->name, ib_quote(attribute->value).text);
            value = whole;
        } else {
            ib_Status status = ib_xml_numbers(attribute, 1, &value, error);
            if (status != IB_OK) return status;
        }
        if (value >= ranges[i].least && value <= ranges[i].most) return IB_OK;
        return ib_xml_refuse_value(attribute, error, "%s: expected %g to %g, got %g",
                                   attribute->name, ranges[i].least, ranges[i].most, value);
    }
    return IB_OK;
}

static ib_Status check_attribute(const ib_Xml *element, const ib_XmlAttribute *attribute,
                                 ib_Error *error)
{
    const char *name = attribute->name, *value = attribute->value;
    // Textures never reach MuJoCo (world/mjcf.c), nor do their files.
    if (strncmp(name, "file", 4) == 0 && strcmp(element->name, "texture") != 0)
        return ib_xml_refuse_value(attribute, error,
                                   "%s of %s: other files are not read; expected boxes, spheres, "
                                   "capsules and cylinders, or a mesh with its vertices here",
                                   name, element->name);
    if (strcmp(name, "plugin") == 0)
        return ib_xml_refuse_value(attribute, error, "plug-ins of MuJoCo are not loaded");
    if (strcmp(name, "usethread") == 0 && strcmp(value, "false") != 0)
        return ib_xml_refuse_value(attribute, error, "usethread: expected false, or none");
    if (strcmp(name, "name") == 0) return IB_OK;
    ib_Status status = check_numbers(attribute, error);
    return status == IB_OK ? check_range(element, attribute, error) : status;
}

// -------------------------------------------------------------------------------------------- sums

static double number_of(const ib_Xml *element, const char *name, double fallback)
{
    const ib_XmlAttribute *attribute = ib_xml_attribute(element, name);
    double value = fallback;
    return attribute && ib_xml_numbers(attribute, 1, &value, NULL) == IB_OK ? value : fallback;
}

static bool is(const ib_Xml *element, const char *name)
{
    return element && strcmp(element->name, name) == 0;
}

static bool says(const ib_Xml *element, const char *name, const char *value)
{
    const ib_XmlAttribute *attribute = ib_xml_attribute(element, name);
    return attribute && strcmp(attribute->value, value) == 0;
}

// Velocities of a joint with this type; without one it has that of a default.
static int velocities_of(const ib_Xml *joint, int untyped)
{
    if (says(joint, "type", "free")) return 6;
    if (says(joint, "type", "ball")) return 3;
    return ib_xml_attribute(joint, "type") ? 1 : untyped;
}

// Adds up the sizes of an element, and refuses excess.
static ib_Status add_up(const ib_Xml *element, Counters *all, ib_Error *error)
{
    if (is(element, "joint") && is(element->parent, "body"))
        all->velocities += velocities_of(element, all->untyped);
    if (is(element, "freejoint")) all->velocities += 6;
    if (all->velocities > IB_MJCF_VELOCITIES)
        return ib_xml_refuse(element, error, "more than %d degrees of freedom", IB_MJCF_VELOCITIES);

    if (is(element, "hfield"))
        all->heights += number_of(element, "nrow", 0) * number_of(element, "ncol", 0);
    if (all->heights > MOST_HEIGHTS)
        return ib_xml_refuse(element, error,
                             "height fields of %.0f points together: expected at most %d",
                             all->heights, MOST_HEIGHTS);
    return IB_OK;
}

// MuJoCo simulates for `inttotal` seconds in both directions to find the range of a muscle's
// length, or of each actuator on request.
static ib_Status check_trials(const ib_Xml *root, ib_Error *error)
{
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e)) {
        if (!is(e, "lengthrange") || says(e, "mode", "none")) continue;
        double total = number_of(e, "inttotal", 10), step = number_of(e, "timestep", 0.01);
        int actuators = 0;
        for (const ib_Xml *a = root; a; a = ib_xml_walk(a))
            actuators += is(a->parent, "actuator") &&
                         (says(e, "mode", "all") || is(a, "muscle") || is(a, "general"));
        double trials = 2 * actuators * total / step;
        if (trials > MOST_TRIALS)
            return ib_xml_refuse(e, error,
                                 "lengthrange: %.3g steps to find the ranges of %d actuators: "
                                 "expected at most %d; a longer timestep, less inttotal or mode "
                                 "none with a lengthrange of each actuator may help",
                                 trials, actuators, MOST_TRIALS);
    }
    return IB_OK;
}

static ib_Status check_numeric(const ib_Xml *element, ib_Error *error)
{
    const ib_XmlAttribute *data = ib_xml_attribute(element, "data");
    const char *at = data ? data->value : "";
    char word[IB_NUMBER_TEXT];
    int found = 0;
    while (ib__mjcf_next(&at, word)) found++;
    if (found <= MOST_NUMERIC) return IB_OK;
    return ib_xml_refuse_value(data, error, "data: %d numbers, expected at most %d", found,
                               MOST_NUMERIC);
}

// ------------------------------------------------------------------------------------------- check

static ib_Status count_element(const ib_Xml *element, Counters *all, ib_Error *error)
{
    for (int i = 0; i < COUNTS; i++)
        if (is(element, counts[i].element) && ++all->found[i] > counts[i].most)
            return ib_xml_refuse(element, error, "more than %d elements <%s>", counts[i].most,
                                 element->name);
    for (int i = 0; i < SECTIONS; i++)
        if (is(element->parent, sections[i].section) && ++all->within[i] > sections[i].most)
            return ib_xml_refuse(element, error, "more than %d elements in <%s>", sections[i].most,
                                 sections[i].section);
    return add_up(element, all, error);
}

static ib_Status check_element(const ib_Xml *element, Counters *all, ib_Error *error)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (is(element, refused[i].element))
            return ib_xml_refuse(element, error, "%s: %s", element->name, refused[i].why);
    if (element->text[0])
        return ib_xml_refuse(element, error,
                             "text in <%s>: expected elements and comments, got "
                             "'%s'",
                             ib_quote(element->name).text, ib_quote(element->text).text);
    for (const ib_XmlAttribute *a = element->attributes; a; a = a->next) {
        ib_Status status = check_attribute(element, a, error);
        if (status != IB_OK) return status;
    }
    ib_Status status = count_element(element, all, error);
    if (status == IB_OK && is(element, "numeric")) status = check_numeric(element, error);
    return status;
}

// True if all geoms of this mesh have no contact, by themselves or perhaps by a default: MuJoCo
// then needs no hull.
static bool is_only_seen(const ib_Xml *root, const ib_Xml *mesh)
{
    const ib_XmlAttribute *name = ib_xml_attribute(mesh, "name");
    bool by_default = false;
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e))
        by_default |= is(e->parent, "default") && is(e, "geom") && says(e, "contype", "0") &&
                      says(e, "conaffinity", "0");
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e)) {
        if (!is(e, "geom") || !name || !says(e, "mesh", name->value)) continue;
        bool own = ib_xml_attribute(e, "contype") || ib_xml_attribute(e, "conaffinity");
        if (own ? !says(e, "contype", "0") || !says(e, "conaffinity", "0") : !by_default)
            return false;
    }
    return true;
}

ib_Status ib_mjcf_check(const ib_Xml *root, ib_Error *error)
{
    Counters all = {.untyped = 1};
    if (!is(root, "mujoco"))
        return ib_xml_refuse(root, error, "expected <mujoco> of MJCF or <robot> of URDF, got <%s>",
                             ib_quote(root->name).text);
    if (!ib_xml_child(root, "worldbody"))
        return ib_xml_refuse(root, error, "expected a <worldbody> in <mujoco>");
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e)) {
        int own = is(e, "joint") && is(e->parent, "default") ? velocities_of(e, 1) : 1;
        if (own > all.untyped) all.untyped = own;
    }
    for (const ib_Xml *element = root; element; element = ib_xml_walk(element)) {
        ib_Status status = check_element(element, &all, error);
        if (status != IB_OK) return status;
    }
    for (const ib_Xml *element = root; element; element = ib_xml_walk(element)) {
        if (!is(element, "mesh")) continue;
        ib_Status status = ib__mjcf_check_mesh(element, is_only_seen(root, element), error);
        if (status != IB_OK) return status;
    }
    return check_trials(root, error);
}

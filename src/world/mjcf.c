#include "world/mjcf.h"

#include "base/number.h"
#include "base/quote.h"
#include "world/mujoco_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_NUMBER 1e20
#define MOST_MEMORY ((size_t)256 << 20) ///< of one simulation [bytes]
#define SHORTEST    1e-5                ///< step [s]
#define LONGEST     0.1

// ------------------------------------------------------------------------------------------ limits

// How many elements of a name there may be in all.
static const struct {
    const char *element;
    int most;
} counts[] = {
    {"body", 500},   {"joint", 500},    {"freejoint", 50}, {"geom", 1000},   {"site", 1000},
    {"motor", 300},  {"position", 300}, {"velocity", 300}, {"general", 300}, {"muscle", 50},
    {"mesh", 50},    {"texture", 20},   {"hfield", 4},     {"key", 100},     {"spatial", 200},
    {"fixed", 200},  {"connect", 200},  {"weld", 200},     {"pair", 1000},   {"exclude", 1000},
    {"camera", 100}, {"light", 100},
};

// What MuJoCo would allocate or repeat as often as an attribute says.
static const struct {
    const char *element, *attribute;
    double least, most;
} ranges[] = {
    {"size", "njmax", -1, 2000},
    {"size", "nconmax", -1, 1000},
    {"size", "nstack", -1, 3e7},
    {"size", "nuserdata", 0, 1000},
    {"size", "nkey", 0, 100},
    {"size", "nuser_body", -1, 50},
    {"size", "nuser_jnt", -1, 50},
    {"size", "nuser_geom", -1, 50},
    {"size", "nuser_site", -1, 50},
    {"size", "nuser_cam", -1, 50},
    {"size", "nuser_tendon", -1, 50},
    {"size", "nuser_actuator", -1, 50},
    {"size", "nuser_sensor", -1, 50},
    {"option", "timestep", SHORTEST, LONGEST},
    {"option", "iterations", 1, 1000},
    {"option", "noslip_iterations", 0, 1000},
    {"option", "mpr_iterations", 1, 1000},
    {"texture", "width", 0, 1024},
    {"texture", "height", 0, 1024},
    {"hfield", "nrow", 0, 512},
    {"hfield", "ncol", 0, 512},
    {"numeric", "size", 0, 500},
    {"lengthrange", "inttotal", 0, 20},
    {"lengthrange", "timestep", 1e-3, 1},
    {"lengthrange", "interval", 0, 20},
    {"user", "dim", 0, 100},
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

static bool is_word_of_no_number(const char *word, size_t length)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    if (length > 0 && (word[0] == '-' || word[0] == '+')) {
        word++;
        length--;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (length == strlen(words[i]) && strncasecmp(word, words[i], length) == 0) return true;
    return length > 1 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
}

// Numbers are plain and not too large. Where something else should be one, MuJoCo refuses it.
static ib_Status check_numbers(const ib_XmlAttribute *attribute, ib_Error *error)
{
    const char *at = attribute->value + strspn(attribute->value, IB_SPACES);
    while (*at) {
        char word[IB_NUMBER_TEXT];
        double value = 0;
        size_t length = strcspn(at, IB_SPACES);
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
                 at);
        bool number = length < sizeof word && ib_number_read(word, &value, NULL) == IB_OK;
        bool wild = number ? !(fabs(value) <= MOST_NUMBER) : is_word_of_no_number(at, length);
        if (wild)
            return ib_xml_refuse_value(attribute, error,
                                       "%s: expected plain numbers of at most %g, got '%s'",
                                       attribute->name, MOST_NUMBER, ib_quote(word).text);
        at += length;
        at += strspn(at, IB_SPACES);
    }
    return IB_OK;
}

static ib_Status check_range(const ib_Xml *element, const ib_XmlAttribute *attribute,
                             ib_Error *error)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        double value = 0;
        if (strcmp(ranges[i].element, element->name) != 0) continue;
        if (strcmp(ranges[i].attribute, attribute->name) != 0) continue;
        ib_Status status = ib_xml_numbers(attribute, 1, &value, error);
        if (status != IB_OK) return status;
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
    if (strncmp(name, "file", 4) == 0)
        return ib_xml_refuse_value(attribute, error,
                                   "%s of %s: other files are not read; expected boxes, spheres, "
                                   "capsules and cylinders, or a mesh with its vertices here",
                                   name, element->name);
    if (strcmp(name, "plugin") == 0)
        return ib_xml_refuse_value(attribute, error, "plug-ins of MuJoCo are not loaded");
    if (strcmp(name, "usethread") == 0 && strcmp(value, "false") != 0)
        return ib_xml_refuse_value(attribute, error, "usethread: expected false, or none");
    if (strcmp(name, "integrator") == 0 && strcmp(value, "Euler") != 0)
        return ib_xml_refuse_value(attribute, error,
                                   "integrator: expected Euler, or none; got '%s'",
                                   ib_quote(value).text);
    if (strcmp(name, "name") == 0) return IB_OK;
    ib_Status status = check_numbers(attribute, error);
    return status == IB_OK ? check_range(element, attribute, error) : status;
}

static ib_Status check_element(const ib_Xml *element, int *found, ib_Error *error)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(refused[i].element, element->name) == 0)
            return ib_xml_refuse(element, error, "%s: %s", element->name, refused[i].why);
    if (element->text[0])
        return ib_xml_refuse(element, error,
                             "text in <%s>: expected elements and comments, got "
                             "'%s'",
                             ib_quote(element->name).text, ib_quote(element->text).text);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (strcmp(counts[i].element, element->name) == 0 && ++found[i] > counts[i].most)
            return ib_xml_refuse(element, error, "more than %d elements <%s>", counts[i].most,
                                 element->name);
    for (const ib_XmlAttribute *a = element->attributes; a; a = a->next) {
        ib_Status status = check_attribute(element, a, error);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

ib_Status ib_mjcf_check(const ib_Xml *root, ib_Error *error)
{
    int found[sizeof counts / sizeof counts[0]] = {0};
    if (strcmp(root->name, "mujoco") != 0)
        return ib_xml_refuse(root, error, "expected <mujoco> of MJCF or <robot> of URDF, got <%s>",
                             ib_quote(root->name).text);
    if (!ib_xml_child(root, "worldbody"))
        return ib_xml_refuse(root, error, "expected a <worldbody> in <mujoco>");
    for (const ib_Xml *element = root; element; element = ib_xml_walk(element)) {
        ib_Status status = check_element(element, found, error);
        if (status != IB_OK) return status;
    }
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- refusals

static bool has_name(const ib_Xml *element, const char *name, size_t length)
{
    const ib_XmlAttribute *own = ib_xml_attribute(element, "name");
    return own && strlen(own->value) == length && strncmp(own->value, name, length) == 0;
}

// What MuJoCo's messages call a thing, and where such things stand: elements of a section, or, of
// no section, elements of bodies. The first word that a message has says what it is about.
static const struct {
    const char *word, *section, *elements[2];
} nouns[] = {
    {"tendon", "tendon", {NULL}},
    {"constraint", "equality", {NULL}},
    {"actuator", "actuator", {NULL}},
    {"sensor", "sensor", {NULL}},
    {"light", NULL, {"light"}},
    {"camera", NULL, {"camera"}},
    {"site", NULL, {"site"}},
    {"geom", NULL, {"geom"}},
    {"joint", NULL, {"joint", "freejoint"}},
    {"object", NULL, {"geom"}},
    {"object", NULL, {"site"}},
    {"bod", NULL, {"body", "worldbody"}},
};

static bool is_one(const ib_Xml *element, const char *const elements[2])
{
    for (int i = 0; i < 2; i++)
        if (elements[i] && strcmp(element->name, elements[i]) == 0) return true;
    return false;
}

// The thing that MuJoCo counts as `*left`: those of a body before those of the bodies in it.
static const ib_Xml *count_to(const ib_Xml *body, const char *const elements[2], int *left)
{
    if (is_one(body, elements) && (*left)-- == 0) return body;
    for (const ib_Xml *e = body->first; e; e = e->next)
        if (strcmp(e->name, "body") != 0 && is_one(e, elements) && (*left)-- == 0) return e;
    for (const ib_Xml *e = ib_xml_child(body, "body"); e; e = ib_xml_next(e, "body")) {
        const ib_Xml *found = count_to(e, elements, left);
        if (found) return found;
    }
    return NULL;
}

static const ib_Xml *count_in(const ib_Xml *root, const char *section, int left)
{
    for (const ib_Xml *s = ib_xml_child(root, section); s; s = ib_xml_next(s, section))
        for (const ib_Xml *e = s->first; e; e = e->next)
            if (left-- == 0) return e;
    return NULL;
}

// Is the word in the text, other than in a name between quotes?
static bool says(const char *text, const char *word)
{
    bool quoted = false;
    for (; *text; text++) {
        if (*text == '\'') quoted = !quoted;
        if (!quoted && strncmp(text, word, strlen(word)) == 0) return true;
    }
    return false;
}

// A thing without a name: by what it is and its number among those, if it stands on that line.
static const ib_Xml *find_nameless(const ib_Xml *root, const char *said, const char *object,
                                   int line)
{
    char sentence[IB_ERROR_TEXT];
    const char *id = strstr(object, "id = ");
    snprintf(sentence, sizeof sentence, "%.*s", (int)(object - said), said);
    for (size_t i = 0; id && i < sizeof nouns / sizeof nouns[0]; i++) {
        if (!says(sentence, nouns[i].word)) continue;
        int left = atoi(id + 5);
        const ib_Xml *found =
            nouns[i].section ? count_in(root, nouns[i].section, left)
                             : count_to(ib_xml_child(root, "worldbody"), nouns[i].elements, &left);
        if (found && found->line == line && !ib_xml_attribute(found, "name")) return found;
    }
    return NULL;
}

// MuJoCo says "… Element 'joint', line 2" or "… Object name = arm, id = 1, line = 2, column = -1".
// Of a URDF the line is one of the text that we made, and the name one of the file's.
static const ib_Xml *find_culprit(const ib_Xml *root, const char *said, bool urdf)
{
    const char *object = strstr(said, "Object name = "), *element = strstr(said, "Element '");
    const char *line = strstr(said, ", line ");
    const char *word = object ? object + 14 : element ? element + 9 : "";
    size_t length = strcspn(word, object ? "," : "'");
    int number = line ? atoi(line + 7 + strspn(line + 7, "= ")) : 0;
    const ib_Xml *on_line = NULL;
    if (object && length == 0 && !urdf) on_line = find_nameless(root, said, object, number);
    if (on_line) return on_line;
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e)) {
        if (urdf ? e == root : e->line != number) continue;
        if (object && length > 0 && has_name(e, word, length)) return e;
        if (element && !urdf && strlen(e->name) == length && !strncmp(e->name, word, length))
            return e;
        if (!on_line) on_line = e;
    }
    return urdf || !on_line ? root : on_line;
}

static ib_Status place_refusal(const ib_Xml *root, bool urdf, ib_Status status, ib_Error *error)
{
    if (status != IB_BAD_INPUT || !error) return status;
    char said[IB_ERROR_TEXT];
    snprintf(said, sizeof said, "%s", error->text);
    const ib_Xml *culprit = find_culprit(root, said, urdf);
    char *cut = strstr(said, " Object name = ");
    if (!cut) cut = strstr(said, " Element '");
    if (cut) *cut = '\0';
    for (size_t length = strlen(said); length > 0 && said[length - 1] == ' ';)
        said[--length] = '\0';
    const ib_XmlAttribute *name = ib_xml_attribute(culprit, "name");
    return ib_xml_refuse(culprit, error, "<%s%s%s%s>: %.600s", ib_quote(culprit->name).text,
                         name ? " name='" : "", name ? ib_quote(name->value).text : "",
                         name ? "'" : "", said);
}

// -------------------------------------------------------------------------------------------- load

// `text` with `piece` put before byte `at`.
static const char *insert(const char *text, size_t length, size_t at, const char *piece,
                          ib_Arena *arena)
{
    size_t more = strlen(piece);
    char *whole = ib_arena_alloc(arena, length + more + 1);
    if (!whole) return NULL;
    memcpy(whole, text, at);
    memcpy(whole + at, piece, more);
    memcpy(whole + at + more, text + at, length - at);
    return whole;
}

static ib_Status check_size(const ib_Xml *root, const ib_Mujoco *model, ib_Error *error)
{
    ib_MujocoSizes sizes = ib_mujoco_sizes(model);
    size_t bytes = ib_mujoco_memory(model);
    if (sizes.velocities > IB_MJCF_VELOCITIES)
        return ib_xml_refuse(root, error, "%d degrees of freedom: expected at most %d",
                             sizes.velocities, IB_MJCF_VELOCITIES);
    if (sizes.velocities == 0)
        return ib_xml_refuse(root, error, "nothing in it can move: expected a joint");
    if (bytes > MOST_MEMORY)
        return ib_xml_refuse(root, error,
                             "a simulation of it needs %zu MiB: expected at most %zu; less njmax, "
                             "nconmax or nstack may help",
                             bytes >> 20, MOST_MEMORY >> 20);
    double step = ib_mujoco_timestep(model);
    if (!(step >= SHORTEST && step <= LONGEST))
        return ib_xml_refuse(root, error, "timestep: expected %g to %g s, got %g", SHORTEST,
                             LONGEST, step);
    return IB_OK;
}

ib_Status ib_mjcf_load(const char *text, size_t length, ib_UrdfBase base, ib_Arena *arena,
                       ib_MjcfFile *file, ib_Error *error)
{
    const ib_Xml *root;
    ib_Status status = ib_xml_read(text, length, arena, &root, error);
    if (status != IB_OK) return status;
    *file = (ib_MjcfFile){.urdf = strcmp(root->name, "robot") == 0, .left_out = ""};
    if (file->urdf) {
        status = ib_urdf_convert(root, base, arena, &file->mjcf, &file->left_out, error);
    } else {
        status = ib_mjcf_check(root, error);
        // Threads would report their failures where nobody waits for them.
        if (status == IB_OK)
            file->mjcf = insert(text, length, root->end, "<compiler usethread=\"false\"/>", arena);
        if (status == IB_OK && !file->mjcf)
            return ib_error_set(error, IB_FAILED, "out of memory for a model");
    }
    if (status != IB_OK) return status;
    status =
        ib_mujoco_compile("MuJoCo", file->mjcf, strlen(file->mjcf), arena, &file->model, error);
    if (status != IB_OK) return place_refusal(root, file->urdf, status, error);
    return check_size(root, file->model, error);
}

// --------------------------------------------------------------------------------------- keyframes

static void write_numbers(FILE *out, const char *name, const double *numbers, int count)
{
    if (count == 0 || !numbers) return;
    fprintf(out, " %s=\"", name);
    for (int i = 0; i < count; i++) fprintf(out, "%s%.17g", i ? " " : "", numbers[i]);
    fprintf(out, "\"");
}

const char *ib_mjcf_from(const char *mjcf, const ib_MujocoSizes *sizes, const double *state,
                         const double *controls, ib_Arena *arena)
{
    const ib_Xml *root;
    char *key = NULL;
    size_t length = 0;
    if (ib_xml_read(mjcf, strlen(mjcf), arena, &root, NULL) != IB_OK) return NULL;
    FILE *out = open_memstream(&key, &length);
    if (!out) return NULL;
    fprintf(out, "\n<keyframe><key");
    write_numbers(out, "qpos", state, sizes->positions);
    write_numbers(out, "qvel", state + sizes->positions, sizes->velocities);
    write_numbers(out, "act", state + sizes->positions + sizes->velocities, sizes->activations);
    write_numbers(out, "ctrl", controls, sizes->controls);
    fprintf(out, "/></keyframe>");
    bool whole = !ferror(out);
    whole &= fclose(out) == 0;
    const char *text = whole && key ? insert(mjcf, strlen(mjcf), root->inside, key, arena) : NULL;
    free(key);
    return text;
}

#include "world/mjcf.h"

#include "base/quote.h"
#include "world/mjcf_inside.h"
#include "world/mujoco_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MEMORY ((size_t)256 << 20) ///< of one simulation [bytes]

// ---------------------------------------------------------------------------------------- refusals

static bool has_name(const ib_Xml *element, const char *name, size_t length)
{
    const ib_XmlAttribute *own = ib_xml_attribute(element, "name");
    return own && strlen(own->value) == length && strncmp(own->value, name, length) == 0;
}

// Words of MuJoCo's messages and the elements they mean: elements of a section, or, without a
// section, of bodies. The first known word in a message decides.
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

// True if the word is in the text outside of quoted names.
static bool says(const char *text, const char *word)
{
    bool quoted = false;
    for (; *text; text++) {
        if (*text == '\'') quoted = !quoted;
        if (!quoted && strncmp(text, word, strlen(word)) == 0) return true;
    }
    return false;
}

// An element without a name: by its kind and its number of that kind, if it stands on that line.
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

// True if the element has the attribute that a message names, "attribute 'polycoef' has too much
// data", or if it names none.
static bool has_said(const ib_Xml *element, const char *said)
{
    const char *names = strstr(said, "attribute '");
    char name[IB_XML_NAME];
    if (!names) return true;
    names += strlen("attribute '");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(names, "'"), names);
    return ib_xml_attribute(element, name) != NULL;
}

// MuJoCo says "… Element 'joint', line 2" or "… Object name = arm, id = 1, line = 2, column = -1".
// For a URDF the line is one of the converted text, the name one of the file.
static const ib_Xml *find_culprit(const ib_Xml *root, const char *said, bool urdf)
{
    const char *object = strstr(said, "Object name = "), *element = strstr(said, "Element '");
    const char *line = strstr(said, ", line ");
    const char *word = object ? object + 14 : element ? element + 9 : "";
    size_t length = strcspn(word, object ? "," : "'");
    int number = line ? atoi(line + 7 + strspn(line + 7, "= ")) : 0;
    const ib_Xml *on_line = NULL, *alike = NULL;
    if (object && length == 0 && !urdf) on_line = find_nameless(root, said, object, number);
    if (on_line) return on_line;
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e)) {
        if (urdf ? e == root : e->line != number) continue;
        if (object && length > 0 && has_name(e, word, length)) return e;
        bool called = element && strlen(e->name) == length && !strncmp(e->name, word, length);
        if (called && !urdf && has_said(e, said)) return e;
        if (called && !alike) alike = e;
        if (!on_line) on_line = e;
    }
    if (alike) on_line = alike;
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

static void blank(char *text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (text[i] != '\n') text[i] = ' ';
}

// Blanks textures, places kept: they are only for display, and MuJoCo paints them for seconds into
// hundreds of megabytes.
static void leave_out_textures(const ib_Xml *root, char *text)
{
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e)) {
        if (strcmp(e->name, "texture") == 0) blank(text, e->at, e->after);
        const ib_XmlAttribute *own = ib_xml_attribute(e, "texture");
        if (own && strcmp(e->name, "material") == 0) blank(text, own->at, own->after);
    }
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
    if (!(step >= IB__MJCF_SHORTEST && step <= IB__MJCF_LONGEST))
        return ib_xml_refuse(root, error, "timestep: expected %g to %g s, got %g",
                             IB__MJCF_SHORTEST, IB__MJCF_LONGEST, step);
    return IB_OK;
}

// The text of an MJCF file with one more <compiler>, for messages and for MuJoCo.
static const char *prepare(const ib_Xml *root, const char *text, size_t length,
                           const char *compiler, ib_Arena *arena, ib_MjcfFile *file)
{
    file->mjcf = insert(text, length, root->end, compiler, arena);
    char *bare = file->mjcf ? ib_arena_text(arena, file->mjcf) : NULL;
    if (bare) leave_out_textures(root, bare);
    return bare;
}

// The line of a range that an element has of its own, or else by a default.
static int line_of_range(const ib_Xml *root, const ib_Xml *element, const char *name)
{
    const ib_XmlAttribute *own = ib_xml_attribute(element, name);
    for (const ib_Xml *e = root; e && !own; e = ib_xml_walk(e))
        if (e->parent && strcmp(e->parent->name, "default") == 0) own = ib_xml_attribute(e, name);
    return own ? own->line : element->line;
}

// MuJoCo 2.2.2 refuses a range where the file does not say whether it limits. Earlier versions took
// no notice of it; from 3.0 on it limits, and so it does here, with a sentence.
static ib_Status assume_limits(const ib_Xml *root, ib_Arena *arena, ib_MjcfFile *file,
                               const ib_Error *error)
{
    const char *range = strstr(error->text, "has `");
    char name[IB_XML_NAME];
    if (!range || !strstr(error->text, "autolimits")) return IB_BAD_INPUT;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(range + 5, "`"), range + 5);
    file->assumed = ib_arena_format(
        arena,
        "line %d: a %s without a word on whether it limits: it does, as from MuJoCo 3.0 on; "
        "<compiler autolimits=\"true\"/> says so",
        line_of_range(root, find_culprit(root, error->text, false), name), name);
    return file->assumed ? IB_OK : IB_FAILED;
}

static ib_Status compile_mjcf(const ib_Xml *root, const char *text, size_t length, ib_Arena *arena,
                              ib_MjcfFile *file, ib_Error *error)
{
    // Threads would report their failures without a handler.
    static const char *const compilers[] = {"<compiler usethread=\"false\"/>",
                                            "<compiler usethread=\"false\" autolimits=\"true\"/>"};
    ib_Error said = {0};
    ib_Status status = ib_mjcf_check(root, error);
    if (status != IB_OK) return status;
    bool decided = false;
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e))
        decided |= ib_xml_attribute(e, "autolimits") != NULL;
    for (int i = 0; i < 2; i++) {
        const char *bare = prepare(root, text, length, compilers[i], arena, file);
        if (!bare) return ib_error_set(error, IB_FAILED, "out of memory for a model");
        status = ib_mujoco_compile("MuJoCo", bare, strlen(bare), arena, &file->model, &said);
        if (status != IB_BAD_INPUT || decided || i == 1) break;
        if (assume_limits(root, arena, file, &said) != IB_OK) break;
    }
    if (status != IB_OK && error) *error = said;
    return place_refusal(root, false, status, error);
}

ib_Status ib_mjcf_load(const char *text, size_t length, ib_UrdfBase base, ib_Arena *arena,
                       ib_MjcfFile *file, ib_Error *error)
{
    const ib_Xml *root;
    ib_Status status = ib_xml_read(text, length, arena, &root, error);
    if (status != IB_OK) return status;
    *file = (ib_MjcfFile){.urdf = strcmp(root->name, "robot") == 0, .left_out = "", .assumed = ""};
    if (file->urdf) {
        status = ib_urdf_convert(root, base, arena, &file->mjcf, &file->left_out, error);
        if (status != IB_OK) return status;
        status =
            ib_mujoco_compile("MuJoCo", file->mjcf, strlen(file->mjcf), arena, &file->model, error);
        status = place_refusal(root, true, status, error);
    } else {
        status = compile_mjcf(root, text, length, arena, file, error);
    }
    return status == IB_OK ? check_size(root, file->model, error) : status;
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

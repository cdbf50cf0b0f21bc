// file/reader.c: a file as a whole: its tree, its overrides, its title, the files it names.
#include "file/reader.h"

#include "base/quote.h"
#include "base/units.h"
#include "base/utf8.h"
#include "file/contents.h"
#include "file/yaml.h"

#include <string.h>

// Parses a text. The cache keeps trees without mistakes only: mistakes are reported every time.
static ib_Node *parse(ib_Reader *reader, const char *file, const char *part, const char *text,
                      size_t length)
{
    int before = ib_diagnostics_seen(reader->diagnostics);
    ib_Node *root = ib_yaml_read(file, text, length, reader->arena, reader->diagnostics);
    if (root && ib_diagnostics_seen(reader->diagnostics) == before)
        ib_tree_cache_put(reader->trees, file, part, root);
    return root;
}

ib_Node *ib_read_yaml_file(ib_Reader *reader, const char *path, ib_Error *error)
{
    size_t length;
    error->status = IB_OK;
    ib_Node *root = ib_tree_cache_take(reader->trees, path, "", reader->arena);
    if (root) return root;
    const char *text = ib_contents_load(path, reader->arena, &length, error);
    return text ? parse(reader, path, "", text, length) : NULL;
}

ib_Node *ib_read_tree(ib_Reader *reader, const char *text, size_t length)
{
    ib_Error error;
    if (text) return ib_yaml_read(reader->file, text, length, reader->arena, reader->diagnostics);
    ib_Node *root = ib_read_yaml_file(reader, reader->file, &error);
    if (!root && error.status != IB_OK)
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1}, "%s", error.text);
    return root;
}

// --------------------------------------------------------------------------------------- overrides

bool ib_override_covers(const char *path, const char *inner)
{
    size_t length = strlen(path);
    return strncmp(path, inner, length) == 0 && (inner[length] == '\0' || inner[length] == '.');
}

bool ib_override_split(char *text, ib_Override *override)
{
    char *sign = strchr(text, '=');
    if (!sign || sign == text) return false;
    *sign = '\0';
    *override = (ib_Override){.path = text, .yaml = sign + 1};
    return true;
}

// True for nothing but white space, or a comment.
static bool is_blank(const char *yaml)
{
    yaml += strspn(yaml, IB_SPACES);
    return *yaml == '\0' || *yaml == '#';
}

void ib_apply_overrides(ib_Reader *reader, ib_Node *root, const ib_Override *overrides, int count)
{
    for (int i = 0; i < count; i++) {
        const ib_Override *override = &overrides[i];
        const char *option = override->option ? override->option : "--set";
        const char *file = ib_arena_format(reader->arena, "%s %s", option, override->path);
        if (!file) continue;
        if (is_blank(override->yaml)) {
            ib_diagnostics_add(reader->diagnostics, (ib_Place){file, 1, 1},
                               "%s: empty value: expected YAML after the '=', such as '2.7 kg' or "
                               "[]",
                               ib_quote(override->path).text);
            continue;
        }
        ib_Node *value = ib_tree_cache_take(reader->trees, file, override->yaml, reader->arena);
        if (!value)
            value = parse(reader, file, override->yaml, override->yaml, strlen(override->yaml));
        if (value) ib_node_set(root, override->path, value, reader->arena, reader->diagnostics);
    }
}

// -------------------------------------------------------------------------------- format and title

void ib_read_format(ib_Reader *reader, const ib_Node *root)
{
    const ib_Node *node = ib_node_get(root, "format");
    const char *text = node ? ib_read_text(reader, node, "1") : NULL;
    if (text && strcmp(text, "1") != 0)
        ib_wrong_value(reader, node, "expected 1, the only format so far, got '%s'",
                       ib_quote(text).text);
}

const char *ib_one_line(ib_Reader *reader, const char *text)
{
    char *line = ib_arena_text(reader->arena, text);
    if (!line) return text;
    ib_utf8_tame(line, "");
    size_t length = strlen(line);
    while (length && line[length - 1] == ' ') line[--length] = '\0';
    return line;
}

const char *ib_read_title(ib_Reader *reader, const ib_Node *root)
{
    const ib_Node *node = ib_node_get(root, "title");
    const char *slash = strrchr(reader->file, '/');
    const char *title = node ? ib_read_text(reader, node, "a text") : NULL;
    if (title) return ib_one_line(reader, title);
    return ib_one_line(reader, slash ? slash + 1 : reader->file);
}

// ------------------------------------------------------------------------------------- other files

const char *ib_resolve(ib_Reader *reader, const ib_Node *node)
{
    const char *from = node->place.file, *name = node->text;
    if (name[0] == '/') return name;
    if (strncmp(from, "--", 2) == 0) from = reader->file; // written on the command line
    const char *slash = strrchr(from, '/');
    if (!slash) return name;
    return ib_arena_format(reader->arena, "%.*s/%s", (int)(slash - from), from, name);
}

bool ib_add_file(ib_Reader *reader, const char *path)
{
    int count = reader->file_count;
    for (int i = 0; i < count; i++)
        if (strcmp(reader->files[i], path) == 0) return true;

    // The array has room for 2^n - 1 names and the NULL behind them, and doubles when full.
    if ((count & (count + 1)) == 0) {
        size_t room = 2 * ((size_t)count + 1);
        const char **files = ib_arena_array(reader->arena, room, sizeof *files);
        if (!files) return false;
        if (count) memcpy(files, reader->files, (size_t)count * sizeof *files);
        reader->files = files;
    }
    reader->files[reader->file_count++] = path;
    return true;
}

bool ib_add_files(ib_Reader *reader, const char *const *paths)
{
    bool good = true;
    for (; good && *paths; paths++) {
        const char *copy = ib_arena_text(reader->arena, *paths);
        good = copy && ib_add_file(reader, copy);
    }
    return good;
}

#include "scenario/yaml_file.h"

#include "base/quote.h"
#include "file/derived.h"
#include "scenario/scenario.h"

#include <stdlib.h>

// True for a map. For a list, the message shows the first item, too.
static bool check_root(ib_Reader *reader, const ib_Node *root, const char *expected)
{
    if (root->type == IB_NODE_MAP) return true;
    char got[IB_QUOTE_LENGTH + 8], first[IB_QUOTE_LENGTH + 8];
    bool begins = root->first && root->first->type == IB_NODE_SCALAR;
    ib_node_describe(root, got, sizeof got);
    if (begins) ib_node_describe(root->first, first, sizeof first);
    ib_wrong_value(reader, root, "expected %s, got %s%s%s", expected, got,
                   begins ? " that begins with " : "", begins ? first : "");
    return false;
}

// Reads the tree by its kind, as far as there is one.
static void read_tree(ib_Reader *reader, const ib_YamlFileKind *kind, const char *text,
                      size_t length, const ib_ScenarioOptions *options, ib_YamlFile *made)
{
    ib_Node *root = ib_add_file(reader, reader->file) ? ib_read_tree(reader, text, length) : NULL;
    if (!root && ib_diagnostics_seen(reader->diagnostics) == reader->before)
        ib_diagnostics_add(reader->diagnostics, (ib_Place){reader->file, 1, 1}, "out of memory");
    if (!root || !check_root(reader, root, kind->expected)) return;
    root = ib_read_derived(reader, root);
    if (!root) return;
    ib_apply_overrides(reader, root, options->overrides, options->override_count);
    ib_read_format(reader, root);
    made->title = ib_read_title(reader, root);
    kind->read(reader, root, options, made);
}

void *ib_yaml_file_read(const ib_YamlFileKind *kind, const char *file, const char *text,
                        size_t length, const ib_ScenarioOptions *options,
                        ib_Diagnostics *diagnostics)
{
    static const ib_ScenarioOptions none = {0};
    if (!options) options = &none;
    int before = ib_diagnostics_seen(diagnostics), warned = diagnostics->warning_count;
    ib_YamlFile *made = calloc(1, kind->size);
    const char *name = made ? ib_arena_text(&made->arena, file) : NULL;
    if (!name) {
        ib_diagnostics_add(diagnostics, (ib_Place){file, 1, 1}, "out of memory");
        ib_yaml_file_destroy(kind, made);
        return NULL;
    }
    made->file = name;
    ib_Reader reader = {.file = name,
                        .arena = &made->arena,
                        .diagnostics = diagnostics,
                        .before = before,
                        .top_keys = kind->keys,
                        .data = options->data,
                        .trees = options->trees};
    read_tree(&reader, kind, text, length, options, made);
    made->files = reader.files;
    made->drawn = reader.drawn;
    made->warning_count = ib_diagnostics_keep_warnings(diagnostics, kind->again ? 0 : warned,
                                                       &made->arena, &made->warnings);
    if (ib_diagnostics_seen(diagnostics) == before) return made;
    ib_diagnostics_sort(diagnostics);
    ib_yaml_file_destroy(kind, made);
    return NULL;
}

void ib_yaml_file_warnings_json(const ib_YamlFile *file, ib_Json *json)
{
    ib_json_open(json, "warnings", '[');
    for (int i = 0; i < file->warning_count; i++) {
        char text[1200];
        ib_diagnostic_format(&file->warnings[i], text, sizeof text);
        ib_json_text(json, NULL, text);
    }
    ib_json_close(json, ']');
}

void ib_yaml_file_destroy(const ib_YamlFileKind *kind, void *made)
{
    if (!made) return;
    if (kind->release) kind->release(made);
    ib_arena_reset(&((ib_YamlFile *)made)->arena);
    free(made);
}

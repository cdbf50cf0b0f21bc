#include "desk/desk_file.h"

static void read_into(const ib__DeskKind *kind, const ib__DeskFile *file, ib_Reader *reader,
                      void *made)
{
    const ib_ScenarioOptions *options = file->options;
    ib_Node *root = ib_read_tree(reader, file->text, file->length);
    if (!root || (root->type != IB_NODE_MAP && root->refused)) return;
    if (!ib_check_map(reader, root, kind->expected)) return;
    if (options) ib_apply_overrides(reader, root, options->overrides, options->override_count);
    kind->read(reader, root, made);
}

bool ib__desk_file_read(const ib__DeskKind *kind, ib__DeskFile *file, ib_Diagnostics *diagnostics,
                        ib_Arena *arena, void *made)
{
    int before = ib_diagnostics_seen(diagnostics);
    file->file = ib_arena_text(arena, file->name);
    ib_Reader reader = {.file = file->file,
                        .arena = arena,
                        .diagnostics = diagnostics,
                        .before = before,
                        .top_keys = kind->keys,
                        .data = file->options ? file->options->data : NULL};
    if (!file->file || !ib_add_file(&reader, file->file))
        ib_diagnostics_add(diagnostics, (ib_Place){file->name, 1, 1}, "out of memory");
    else
        read_into(kind, file, &reader, made);
    file->files = reader.files;
    file->warning_count =
        ib_diagnostics_keep_warnings(diagnostics, file->warned, arena, &file->warnings);
    if (ib_diagnostics_seen(diagnostics) == before) return true;
    ib_diagnostics_sort(diagnostics);
    return false;
}

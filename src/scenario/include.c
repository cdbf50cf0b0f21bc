// scenario/include.c: `robot: {file: ../robots/roomba.yaml, mass: 3 kg}`: a robot from a file of
// its own, with some values changed.
#include "base/quote.h"
#include "scenario/reader.h"
#include "scenario/text.h"
#include "scenario/yaml.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *ib__resolve(ib__Reader *reader, const ib_Node *node)
{
    const char *from = node->place.file, *name = node->text;
    if (name[0] == '/') return name;
    if (strncmp(from, "--", 2) == 0) from = reader->file; // written on the command line
    const char *slash = strrchr(from, '/');
    if (!slash) return name;
    return ib_arena_format(reader->arena, "%.*s/%s", (int)(slash - from), from, name);
}

// One way to write each file, so that a circle is seen however its names are spelt.
static const char *canonical(ib__Reader *reader, const char *path)
{
    char *real = realpath(path, NULL);
    const char *copy = ib_arena_text(reader->arena, real ? real : path);
    free(real);
    return copy;
}

bool ib__add_file(ib__Reader *reader, const char *path)
{
    int count = reader->file_count;
    for (int i = 0; i < count; i++)
        if (strcmp(reader->files[i], path) == 0) return true;

    // Room for 2^n - 1 names and the NULL behind them, twice as much when that is full.
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

// Reads the file that `entry` names; NULL with the mistake named.
static ib_Node *load(ib__Reader *reader, const ib_Node *entry, const char *path)
{
    size_t length;
    ib_Error error;
    const char *text = ib__text_load(path, reader->arena, &length, &error);
    if (!text) {
        ib__wrong_value(reader, entry, "%s", error.text);
        return NULL;
    }
    if (!ib__add_file(reader, path)) {
        ib__wrong_value(reader, entry, "out of memory");
        return NULL;
    }
    ib_Node *root = ib_yaml_read(path, text, length, reader->arena, reader->diagnostics);
    if (!root) return NULL;
    const ib_Node *inner = ib_node_get(root, "robot");
    if (!inner) inner = ib_node_get(root, "robots");
    if (inner)
        ib_diagnostics_add(reader->diagnostics, inner->key_place,
                           "a robot file is the robot's map itself: expected keys such as kind "
                           "here, not a '%s' around them",
                           inner->key);
    if (root->type != IB_NODE_MAP && !root->refused) {
        char got[IB_QUOTE_LENGTH + 8];
        ib_node_describe(root, got, sizeof got);
        ib_diagnostics_add(reader->diagnostics, root->place,
                           "a robot file is the robot's map: expected keys such as kind, got %s",
                           got);
    }
    return inner || root->type != IB_NODE_MAP ? NULL : root;
}

// Lays the file that `robot` names under it; `seen` are the files on the way here.
static bool include(ib__Reader *reader, ib_Node *robot, const char **seen, int depth)
{
    ib_Node *entry = ib_node_get(robot, "file");
    if (!entry) return true;
    if (!ib__read_text(reader, entry, "the name of a robot file")) return false;
    const char *path = ib__resolve(reader, entry);
    seen[depth] = path ? canonical(reader, path) : NULL;
    if (!path || !seen[depth]) {
        ib__wrong_value(reader, entry, "out of memory");
        return false;
    }
    for (int i = 0; i < depth; i++) {
        if (strcmp(seen[i], seen[depth]) != 0) continue;
        ib__wrong_value(reader, entry, "'%s' includes itself", ib_quote(entry->text).text);
        return false;
    }
    if (depth == IB__MAX_INCLUDES) {
        ib__wrong_value(reader, entry, "more than %d robot files inside each other",
                        IB__MAX_INCLUDES);
        return false;
    }
    ib_Node *base = load(reader, entry, path);
    if (!base || !include(reader, base, seen, depth + 1)) return false;
    ib_node_remove(robot, entry);
    ib_node_underlay(robot, base);
    return true;
}

bool ib__include(ib__Reader *reader, ib_Node *robot)
{
    const char *seen[IB__MAX_INCLUDES + 1];
    return include(reader, robot, seen, 0);
}

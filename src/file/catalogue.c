#include "file/catalogue.h"

#include "file/yaml.h"

#include <stdio.h>
#include <string.h>

// The place of an entry in the text of its file.
typedef struct Entry {
    const char *name; // not terminated
    size_t name_length;
    const char *end; // of the whole entry
    int line;        // from 1
} Entry;

static const char name_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

// ---------------------------------------------------------------------------------------- the text

// The start of the line behind this one.
static const char *next_line(const char *at, const char *end)
{
    const char *line = memchr(at, '\n', (size_t)(end - at));
    return line ? line + 1 : end;
}

// The first entry at or behind `at`, the start of line `line`: its name begins a line, and it
// extends to the next line that begins with a letter. The end of the text has a NUL.
static bool find_entry(const ib_DataFile *file, const char *at, int line, Entry *entry)
{
    const char *end = file->text + file->length;
    size_t length = 0;
    for (; at < end; at = next_line(at, end), line++) {
        length = strspn(at, name_letters);
        if (length && at[length] == ':') break;
    }
    if (at >= end) return false;
    *entry = (Entry){at, length, next_line(at, end), line};
    while (entry->end < end && strspn(entry->end, name_letters) == 0)
        entry->end = next_line(entry->end, end);
    return true;
}

static bool next_entry(const ib_DataFile *file, Entry *entry)
{
    int line = entry->line;
    for (const char *at = entry->name; at < entry->end; at = next_line(at, entry->end)) line++;
    return find_entry(file, entry->end, line, entry);
}

const char **ib_catalogue_names(const ib_DataFile *file, ib_Arena *arena)
{
    Entry entry;
    size_t count = 0;
    for (bool more = find_entry(file, file->text, 1, &entry); more; more = next_entry(file, &entry))
        count++;
    const char **names = ib_arena_array(arena, count + 1, sizeof *names);
    if (!names) return NULL;
    size_t i = 0;
    for (bool more = find_entry(file, file->text, 1, &entry); more && i < count;
         more = next_entry(file, &entry)) {
        names[i] = ib_arena_text_n(arena, entry.name, entry.name_length);
        if (!names[i++]) return NULL;
    }
    return names;
}

// ---------------------------------------------------------------------------------------- the tree

const ib_DataFile *ib_catalogue_find(const ib_DataFile *files, const char *name)
{
    for (; files->name; files++)
        if (strcmp(files->name, name) == 0) return files;
    return NULL;
}

ib_Node *ib_catalogue_read(const ib_DataFile *file, ib_Arena *arena, ib_Diagnostics *diagnostics)
{
    ib_Node *root = ib_yaml_read(file->path, file->text, file->length, arena, diagnostics);
    if (!root || root->type == IB_NODE_MAP) return root;
    ib_diagnostics_add(diagnostics, root->place, "a data file is a map of entries");
    return NULL;
}

// Parses one entry behind as many empty comment lines as there are lines in front of it: its places
// are then those of the file.
static ib_Node *read_entry(const ib_DataFile *file, const Entry *entry, ib_Arena *arena,
                           ib_Diagnostics *diagnostics)
{
    size_t above = (size_t)entry->line - 1, length = (size_t)(entry->end - entry->name);
    char *text = ib_arena_alloc(arena, 2 * above + length + 1);
    if (!text) return NULL;
    for (size_t i = 0; i < above; i++) memcpy(text + 2 * i, "#\n", 2);
    memcpy(text + 2 * above, entry->name, length);
    ib_Node *root = ib_yaml_read(file->path, text, 2 * above + length, arena, diagnostics);
    return root && root->type == IB_NODE_MAP ? root->first : NULL;
}

// True for the keys of an entry that are for people only.
static bool is_remark(const char *key)
{
    return strcmp(key, "source") == 0 || strcmp(key, "sure") == 0 || strcmp(key, "note") == 0;
}

static void drop_remarks(ib_Node *map)
{
    for (const ib_Node *child = map->first, *next; child; child = next) {
        next = child->next;
        if (is_remark(child->key)) ib_node_remove(map, child);
    }
}

ib_Node *ib_catalogue_entry(const ib_DataFile *file, const char *name, ib_Arena *arena,
                            ib_Diagnostics *diagnostics)
{
    Entry entry;
    size_t length = strlen(name);
    bool found = find_entry(file, file->text, 1, &entry);
    while (found && (entry.name_length != length || memcmp(entry.name, name, length) != 0))
        found = next_entry(file, &entry);
    ib_Node *node = found ? read_entry(file, &entry, arena, diagnostics) : NULL;
    if (node && node->type == IB_NODE_MAP) drop_remarks(node);
    return node;
}

void ib_catalogue_singular(const char *name, char *text, size_t size)
{
    int length = (int)strlen(name);
    bool y = length > 3 && strcmp(name + length - 3, "ies") == 0;
    bool s = length > 1 && name[length - 1] == 's';
    snprintf(text, size, "%.*s%s", y ? length - 3 : s ? length - 1 : length, name, y ? "y" : "");
}

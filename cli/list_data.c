// cli/list_data.c: `ironbird list motors`: contents, sources and confidence of a data file.
#include "list_data.h"

#include "cli.h"
#include "list_motors.h"

#include "file/catalogue.h"

#include <string.h>

enum { COLUMNS = 16, KEY = 64, CELL = 48, INDENT = 2 };

// The values that the entries of a file have, each a column.
typedef struct Columns {
    char keys[COLUMNS][KEY]; // dotted
    int width[COLUMNS];
    int count;
} Columns;

// ------------------------------------------------------------------------------------------- cells

static bool is_remark(const char *key)
{
    return !strcmp(key, "source") || !strcmp(key, "sure") || !strcmp(key, "note");
}

// "12 V", "[95 psig, 115 psig]", "9 rows", or nothing where an entry has no such value.
static void cell_text(const ib_Node *node, char text[CELL])
{
    text[0] = '\0';
    if (!node) return;
    if (node->type == IB_NODE_SCALAR)
        snprintf(text, CELL, "%.*s", CELL - 1, node->text);
    else if (node->type == IB_NODE_MAP)
        snprintf(text, CELL, "%d keys", node->count);
    else if (node->first && node->first->type == IB_NODE_LIST)
        snprintf(text, CELL, "%d row%s", node->count, node->count == 1 ? "" : "s");
    else if (node->count == 2)
        snprintf(text, CELL, "[%.18s, %.18s]", node->first->text, node->last->text);
    else
        snprintf(text, CELL, "%d values", node->count);
}

// Letters on the screen: bytes but for those that go on a letter of UTF-8.
static int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void add_column(Columns *columns, const char *key, const ib_Node *node)
{
    char text[CELL];
    int i = 0;
    while (i < columns->count && strcmp(columns->keys[i], key) != 0) i++;
    if (i == COLUMNS) return;
    if (i == columns->count) {
        snprintf(columns->keys[i], KEY, "%s", key);
        columns->width[i] = text_width(key);
        columns->count++;
    }
    cell_text(node, text);
    if (text_width(text) > columns->width[i]) columns->width[i] = text_width(text);
}

// Deep at most as many levels as a file may have.
static void add_columns(Columns *columns, const ib_Node *map, const char *prefix)
{
    for (const ib_Node *child = map->first; child; child = child->next) {
        char key[KEY], deeper[KEY + 1];
        if (!prefix[0] && is_remark(child->key)) continue;
        snprintf(key, sizeof key, "%s%s", prefix, child->key);
        snprintf(deeper, sizeof deeper, "%s.", key);
        if (child->type == IB_NODE_MAP)
            add_columns(columns, child, deeper);
        else
            add_column(columns, key, child);
    }
}

static void print_cell(const char *text, int width, bool last)
{
    printf("%s%*s", text, last ? 0 : width - text_width(text) + INDENT, "");
}

// "    the data sheet; how sure: as printed. A note"
static void print_remarks(const ib_Node *entry)
{
    const ib_Node *source = ib_node_get(entry, "source"), *sure = ib_node_get(entry, "sure");
    const ib_Node *note = ib_node_get(entry, "note");
    if (source) printf("    source: %s\n", source->text);
    if (sure) printf("    how sure: %s\n", sure->text);
    if (note) printf("    note: %s\n", note->text);
}

// ------------------------------------------------------------------------------------------- files

static void print_entries(const char *name, const ib_Node *root)
{
    Columns columns = {0};
    int name_width = text_width("name");
    for (const ib_Node *entry = root->first; entry; entry = entry->next) {
        if (text_width(entry->key) > name_width) name_width = text_width(entry->key);
        if (entry->type == IB_NODE_MAP) add_columns(&columns, entry, "");
    }
    print_cell("name", name_width, false);
    for (int i = 0; i < columns.count; i++)
        print_cell(columns.keys[i], columns.width[i], i == columns.count - 1);
    printf("\n");
    for (const ib_Node *entry = root->first; entry; entry = entry->next) {
        print_cell(entry->key, name_width, false);
        for (int i = 0; i < columns.count; i++) {
            char text[CELL];
            cell_text(ib_node_find(entry, columns.keys[i]), text);
            print_cell(text[0] ? text : "-", columns.width[i], i == columns.count - 1);
        }
        printf("\n");
        print_remarks(entry);
    }
    if (strcmp(name, "motors") == 0) list_motor_constants(root, name_width);
}

// A file with one object: its title and its source.
static void print_single(const char *name, const ib_Node *root)
{
    const ib_Node *title = ib_node_get(root, "title");
    printf("%-24s %s\n", name, title ? title->text : "");
    print_remarks(root);
}

// True if the file is in the folder of this name.
static bool is_inside(const ib_DataFile *file, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(file->name, folder, length) == 0 && file->name[length] == '/';
}

bool list_data(const char *name)
{
    ib_Arena arena = {0};
    ib_Diagnostics *diagnostics = ib_arena_alloc(&arena, sizeof *diagnostics);
    bool found = false;
    if (diagnostics) diagnostics->arena = &arena;
    for (const ib_DataFile *file = ib_data_files; file->name && diagnostics; file++) {
        bool whole = strcmp(file->name, name) == 0, inside = is_inside(file, name);
        const ib_Node *root = whole || inside ? ib_catalogue_read(file, &arena, diagnostics) : NULL;
        found |= root != NULL;
        if (root && whole) print_entries(name, root);
        if (root && inside) print_single(file->name + strlen(name) + 1, root);
    }
    ib_arena_reset(&arena);
    return found;
}

void data_names(const char *names[DATA_NAMES + 1])
{
    static char folders[DATA_NAMES][KEY];
    int count = 0;
    for (const ib_DataFile *file = ib_data_files; file->name && count < DATA_NAMES; file++) {
        size_t length = strcspn(file->name, "/");
        bool again = count && strlen(names[count - 1]) == length &&
                     strncmp(names[count - 1], file->name, length) == 0;
        if (again) continue;
        snprintf(folders[count], KEY, "%.*s", (int)length, file->name);
        names[count] = folders[count];
        count++;
    }
    names[count] = NULL;
}

void list_data_names(void)
{
    const char *names[DATA_NAMES + 1];
    data_names(names);
    if (names[0]) printf("\ndata, by name in a scenario ('ironbird list NAME' prints one):\n ");
    for (int i = 0; names[i]; i++) printf(" %s", names[i]);
    if (names[0]) printf("\n");
}

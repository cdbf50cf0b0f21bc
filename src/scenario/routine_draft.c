// scenario/routine_draft.c: puts steps into a draft, each with its label for messages.
#include "scenario/routine_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 72 }; ///< letters of a label that is not cut

int ib__routine_add(ib__Routine *routine, const ib__StepNode *at, ib_RoutineStep step)
{
    ib_RoutineDraft *draft = routine->draft;
    if (draft->count == IB_ROUTINE_STEPS) {
        ib_wrong_value(routine->reader, at->node, "more than %d steps", IB_ROUTINE_STEPS);
        return -1;
    }
    int number = draft->count++;
    step.child = step.next = -1;
    step.line = at->node->key ? at->node->key_place.line : at->node->place.line;
    if (!(step.timeout > 0)) step.timeout = at->timeout;
    draft->steps[number] = step;
    routine->nodes[number] = at->node;
    if (at->parent < 0) return number;
    int *link = &draft->steps[at->parent].child;
    while (*link >= 0) link = &draft->steps[*link].next;
    *link = number;
    return number;
}

bool ib__routine_time(ib__Routine *routine, const ib_Node *node, double *time)
{
    if (!ib_read_number(routine->reader, node, "s", false, time)) return false;
    if (*time >= 0 && *time <= 1e6) return true;
    ib_wrong_value(routine->reader, node, "out of range: expected a time, 0 s to 1000000 s");
    return false;
}

bool ib__routine_timeout(ib__Routine *routine, const ib_Node *node, double *time)
{
    if (!ib_read_number(routine->reader, node, "s", false, time)) return false;
    if (*time > 0 && *time <= 1e6) return true;
    ib_wrong_value(routine->reader, node,
                   "out of range: expected a time, more than 0 s and at most 1000000 s");
    return false;
}

// ------------------------------------------------------------------------------------------- label

typedef struct Text {
    char letters[4 * LABEL]; ///< bytes
    size_t used;
} Text;

static void write(Text *text, const char *part)
{
    size_t room = sizeof text->letters - 1 - text->used, length = strlen(part);
    if (length > room) length = room;
    memcpy(text->letters + text->used, part, length);
    text->used += length;
    text->letters[text->used] = '\0';
}

// A key that a step is understood without: "follow auto.traj" is of {file: auto.traj}.
static bool is_plain(const char *key)
{
    static const char *const plain[] = {"file", "path", "by", "for", NULL};
    const char *const *word = plain;
    while (*word && strcmp(*word, key) != 0) word++;
    return *word != NULL;
}

// A value; of a file's name the last part.
static void write_value(Text *text, const ib_Node *node)
{
    bool file = node->key && (strcmp(node->key, "follow") == 0 || strcmp(node->key, "file") == 0);
    const char *slash = file ? strrchr(node->text, '/') : NULL;
    write(text, slash ? slash + 1 : node->text);
}

static void write_node(Text *text, const ib_Node *node)
{
    if (node->type == IB_NODE_SCALAR) write_value(text, node);
    for (const ib_Node *child = node->first; child; child = child->next) {
        if (child != node->first) write(text, ", ");
        if (child->key && !is_plain(child->key)) {
            write(text, child->key);
            write(text, " ");
        }
        write_node(text, child);
    }
}

// Cut between two letters of UTF-8.
static void shorten(Text *text)
{
    size_t letters = 0, at = 0;
    for (; at < text->used; at++) {
        bool begins = ((unsigned char)text->letters[at] & 0xC0) != 0x80;
        if (begins && letters++ == LABEL) break;
    }
    if (at == text->used) return;
    text->used = at;
    write(text, "…");
}

const char *ib__routine_label(ib__Routine *routine, const char *word, const ib_Node *node)
{
    Text text = {.used = 0};
    write(&text, word);
    write(&text, node ? " " : "");
    if (node) write_node(&text, node);
    shorten(&text);
    const char *label = ib_one_line(routine->reader, text.letters);
    return label ? label : word;
}

const char *const *ib__routine_others(ib__Routine *routine, const ib_RoutineWord *word)
{
    enum { MOST = sizeof word->keys / sizeof word->keys[0] };
    const char **others = ib_arena_array(routine->reader->arena, MOST + 1, sizeof *others);
    for (int i = 0; others && i < MOST && word->keys[i].key; i++) others[i] = word->keys[i].key;
    return others;
}

// desk/design/design_names.c: a mechanism's states and inputs by the names of its signals: in a
// design file `position` is the elevator's x, `left.velocity` a lift's v_left, `voltage` its volts.
#include "desk/design/design_inside.h"

#include <stdio.h>
#include <string.h>

// The plant's own name for the signal of this name; NULL: none.
static const char *own_name(const ib_MechanismPorts *ports, const char *signal)
{
    char name[2 * IB_STATE_NAME + 2];
    for (int j = 0; j < ports->joints; j++) {
        const ib_Joint *joint = &ports->joint[j];
        const char *side = joint->name ? joint->name : "", *dot = joint->name ? "." : "";
        snprintf(name, sizeof name, "%s%sposition", side, dot);
        if (!joint->unplaced && strcmp(name, signal) == 0)
            return ports->state[joint->position].name;
        snprintf(name, sizeof name, "%s%svelocity", side, dot);
        if (strcmp(name, signal) == 0) return ports->state[joint->speed].name;
    }
    for (int i = 0; i < ports->inputs; i++) {
        bool several = ports->inputs > 1;
        snprintf(name, sizeof name, "%s%svoltage", several ? ports->input[i].name : "",
                 several ? "." : "");
        if (strcmp(name, signal) == 0) return ports->input[i].name;
    }
    return NULL;
}

// An override with one name wins over the file with the other.
static void rename_key(ib_Reader *reader, ib_Node *map, ib_Node *child, const char *own)
{
    const ib_Node *other = ib_node_get(map, own);
    if (!other)
        child->key = own;
    else if (strcmp(other->place.file, child->place.file) == 0)
        ib_wrong_key(reader, child, "'%s' is given already, which is the same", own);
    if (other) ib_node_remove(map, child);
}

void ib__use_names(ib_Reader *reader, const ib_Node *node, const ib_DesignGear *gear)
{
    static const char integral[] = "integral_";
    if (!node || !gear->mechanical || node->type == IB_NODE_SCALAR) return;
    ib_Node *holder = (ib_Node *)node, *next;
    for (ib_Node *child = holder->first; child; child = next) {
        next = child->next;
        bool map = holder->type == IB_NODE_MAP;
        const char *text = map ? child->key : child->type == IB_NODE_SCALAR ? child->text : NULL;
        bool sums = text && strncmp(text, integral, sizeof integral - 1) == 0;
        const char *tail = text && sums ? text + sizeof integral - 1 : text;
        const char *own = tail ? own_name(&gear->mechanism.ports, tail) : NULL;
        if (own && sums) own = ib_arena_format(reader->arena, "%s%s", integral, own);
        if (!own) continue;
        if (map)
            rename_key(reader, holder, child, own);
        else
            child->text = own;
    }
}

void ib__use_all_names(ib_Reader *reader, const ib_Node *root, const ib_DesignGear *gear)
{
    static const char *const places[] = {"at",         "limits",    "integral", "lqr.tolerance",
                                         "lqr.states", "try.start", "try.goal"};
    for (size_t i = 0; root && i < sizeof places / sizeof places[0]; i++)
        ib__use_names(reader, ib_node_find(root, places[i]), gear);
}

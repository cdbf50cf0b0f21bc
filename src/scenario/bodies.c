// scenario/bodies.c: `field: {bodies: {NAME: …}}`: the loose bodies of a field, and the choice of a
// scenario among them. docs/scenario/scenario.md
#include "base/quote.h"
#include "scenario/scenario_inside.h"

#include <stdio.h>
#include <string.h>

#define EXPECTED                                                                                   \
    "a map of bodies, each by its name; none; or a list of the names to keep, such as [gold_*]"

// A list of names and patterns stands for the bodies of a preset or a file that shall stay; taken
// out before these are laid under the field, since it would take their place.
const ib_Node *ib__take_body_choice(ib_Node *field)
{
    ib_Node *list = ib_node_get(field, "bodies");
    if (!list || list->type != IB_NODE_LIST) return NULL;
    ib_node_remove(field, list);
    return list;
}

// Keeps the bodies whose names match one of the list; each of its items must match one.
void ib__keep_bodies(ib_Reader *reader, ib_Node *field, const ib_Node *choice)
{
    enum { NAMES = IB_MAX_WORDS };
    ib_Node *bodies = ib_node_get(field, "bodies");
    const char *names[NAMES + 1];
    bool kept[IB__MAX_ROBOTS] = {false};
    int count = 0;
    if (!bodies || bodies->type != IB_NODE_MAP || bodies->count > IB__MAX_ROBOTS) {
        ib_wrong_value(reader, choice,
                       "there are no bodies to keep: expected a map of bodies, or a "
                       "preset that has some");
        (bodies ? bodies : field)->refused = true;
        return;
    }
    for (const ib_Node *child = bodies->first; child && count < NAMES; child = child->next)
        names[count++] = child->key;
    names[count] = NULL;
    for (const ib_Node *item = choice->first; item; item = item->next) {
        const char *text = ib_read_text(reader, item, "a body's name, or a pattern such as gold_*");
        bool found = false;
        for (const ib_Node *child = bodies->first; text && child; child = child->next)
            if (ib_signals_match(text, child->key)) kept[child->index] = found = true;
        if (text && !found)
            ib_wrong_value(reader, item, "the field has no body '%s'%s; known: %s",
                           ib_quote(text).text, ib_word_hint(';', text, names).text,
                           ib_word_list(names).text);
        if (!found) bodies->refused = true; // which one was meant is unknown
    }
    int number = 0;
    for (ib_Node *child = bodies->first, *next; child; child = next) {
        next = child->next;
        if (!kept[number++]) ib_node_remove(bodies, child);
    }
}

ib_Node *ib__find_bodies(ib_Reader *reader, const ib_Node *root)
{
    ib_Node *bodies = ib_node_find(root, "field.bodies");
    if (!bodies) return NULL;
    if (bodies->type == IB_NODE_SCALAR && strcmp(bodies->text, "none") == 0) return NULL;
    if (ib_check_map(reader, bodies, EXPECTED)) return bodies;
    bodies->refused = true;
    return NULL;
}

int ib__lay_bodies(const ib_Node *bodies, const ib_Node *robots)
{
    int count = 0;
    for (ib_Node *child = bodies->first; child; child = child->next) {
        ib_Node *own = ib_node_get(robots, child->key);
        if (own && own->type == IB_NODE_MAP && child->type == IB_NODE_MAP)
            ib_node_underlay(own, child);
        count += own == NULL;
    }
    return count;
}

// The signals of the robot without a name have none in front, and could be a body's.
static bool hides(const ib__Robot *robot, const char *body)
{
    const ib_RobotPorts *ports = &robot->made.ports;
    size_t length = strlen(body);
    if (robot->config.name[0] || !robot->config.kind) return false;
    for (int i = 0; i < ports->signal_count; i++)
        if (!strncmp(ports->signals[i].name, body, length) && ports->signals[i].name[length] == '.')
            return true;
    return false;
}

void ib__check_body(ib_Reader *reader, const ib__Robot *first, const ib__Robot *body)
{
    const ib_RobotPorts *ports = &body->made.ports;
    const ib_RobotKind *kind = body->config.kind;
    bool loose = kind && (ports->planar || (kind->shares && !ports->legs));
    if (kind && (!loose || ib_robot_driven(ports)))
        ib_wrong_key(
            reader, body->node,
            "a %s is no body of a field: expected something without a drive, such as a box, "
            "a disc or a ball; a robot stands under 'robots'",
            body->config.kind->name);
    else if (first != body && hides(first, body->config.name))
        ib_wrong_key(
            reader, body->node,
            "the robot has signals that begin with '%s.': call the body otherwise, or give "
            "the robot a name under 'robots'",
            body->config.name);
}

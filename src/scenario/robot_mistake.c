// scenario/robot_mistake.c: mistakes that a kind finds in a config, reported at their place in
// the file.
#include "robot/equipment.h"
#include "scenario/scenario_inside.h"

#include <stdio.h>
#include <string.h>

// The place of a message that begins with a key ("brownout.off: must be above …"), or with several
// ("exhaust, supply.pressure: …"): the first of them that the user wrote; if all values are those
// of a preset, its name.
typedef struct Spot {
    const ib_Node *node; ///< NULL: none of them is in the file
    bool whole;          ///< the mistake is the value of the key itself
    const char *text;    ///< the sentence without its keys; all of it where there are none
} Spot;

static const ib_Node *find_key(const ib__Robot *from, const char *path)
{
    const ib_Node *node = ib_node_find(from->node, path);
    if (!node && strncmp(path, "start.", 6) == 0 && from->start)
        node = ib_node_find(from->start, path + 6);
    return node;
}

static Spot find_spot(ib_Reader *reader, const ib__Robot *from, const char *text)
{
    char path[128];
    Spot spot = {.text = text};
    size_t length = strcspn(text, ": ");
    while (length > 0 && text[length] == ' ' && text[length - 1] == ',')
        length += 1 + strcspn(text + length + 1, ": ");
    if (text[length] != ':') return spot;
    for (const char *key = text; key < text + length; key += strspn(key, ", ")) {
        size_t own = strcspn(key, ",:");
        snprintf(path, sizeof path, "%.*s", (int)own, key);
        const ib_Node *node = find_key(from, path);
        if (!spot.node) spot.node = node;
        if (node && !ib_is_data(reader, node)) {
            spot.node = node;
            break;
        }
        key += own;
        if (*key == ':') break;
    }
    spot.whole = spot.node != NULL;
    // A key that is not written is missing in the innermost map that is, whose own path is told.
    for (char *dot; !spot.node && (dot = strrchr(path, '.'));) {
        *dot = '\0';
        spot.node = ib_node_find(from->node, path);
        if (spot.node && strncmp(text, path, strlen(path)) == 0 && !memchr(text, ',', length))
            spot.text = text + strlen(path) + 1;
    }
    while (spot.node && spot.node != from->node && ib_is_data(reader, spot.node)) {
        spot.node = spot.node->parent;
        spot.whole = false;
        spot.text = text;
    }
    if (spot.whole) spot.text = text + length + 1 + (text[length + 1] == ' ');
    return spot;
}

// "12:7: …" about a file that a key names: a mistake there.
static bool refuse_in_file(ib_Reader *reader, const ib__Robot *from, const Spot *spot)
{
    const ib_Param *param = ib_schema_find(&from->config.kind->params, spot->node->key);
    int line = 0, column = 0, used = 0;
    if (!param || param->type != IB_PARAM_FILE) return false;
    if (sscanf(spot->text, "%d:%d: %n", &line, &column, &used) != 2 || used == 0) return false;
    ib_FileText file;
    memcpy(&file, (const char *)from->config.config + param->offset, sizeof file);
    ib_diagnostics_add(reader->diagnostics, (ib_Place){file.name, line, column}, "%s",
                       spot->text + used);
    return true;
}

void ib__refuse_robot(ib_Reader *reader, const ib__Robot *from, const char *text)
{
    Spot spot = find_spot(reader, from, text);
    if (spot.whole && refuse_in_file(reader, from, &spot)) return;
    if (spot.whole)
        ib_wrong_value(reader, spot.node, "%s", spot.text);
    else
        ib_wrong_key(reader, spot.node ? spot.node : from->node, "%s", spot.text);
}

// A doubt is reported at its key in the file itself.
static void tell_doubt(ib_Reader *reader, const ib__Robot *from, const char *text)
{
    Spot spot = text[0] ? find_spot(reader, from, text) : (Spot){0};
    if (spot.whole) ib_warn_value(reader, spot.node, "%s", spot.text);
}

// Doubts of the kind, and of the robot that was made of it.
void ib__doubt_robot(ib_Reader *reader, const ib__Robot *from)
{
    const ib_RobotKind *kind = from->config.kind;
    char text[400];
    for (int i = 0; kind->warn && kind->warn(from->config.config, i, text, sizeof text); i++)
        tell_doubt(reader, from, text);
    for (int i = 0;
         kind->carries_equipment && ib_equipment_doubt(from->config.config, i, text, sizeof text);
         i++)
        tell_doubt(reader, from, text);
    if (from->made.ports.warning) tell_doubt(reader, from, from->made.ports.warning);
}

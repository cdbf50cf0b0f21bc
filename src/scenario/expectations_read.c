// scenario/expectations_read.c: `expect:`, the sentences that make a scenario a test.
#include "base/quote.h"
#include "scenario/scenario_inside.h"

#include <string.h>

// A sentence, in quotes or not: "always: x >= 1 m" without quotes is a map of one entry.
static const char *sentence(ib_Reader *reader, const ib_Node *node)
{
    static const char example[] = "a sentence such as \"at 2 s: pose.x = 1.305 m +- 1 mm\"";
    bool map = node->type == IB_NODE_MAP && node->count == 1 &&
               node->first->type == IB_NODE_SCALAR && node->first->text[0];
    const char *text =
        map ? ib_arena_format(reader->arena, "%s: %s", node->first->key, node->first->text)
            : ib_read_text(reader, node, example);
    return text ? ib_one_line(reader, text) : NULL;
}

// Reads one sentence. Without a model, signals are not checked; if mistakes are only counted, no
// hint is sought.
static bool read_expectation(const ib__ScenarioReader *scenario, const ib_Node *node,
                             const ib_Model *model, ib_Expectation *expectation)
{
    ib_Reader *reader = scenario->reader;
    const char *text = sentence(reader, node);
    ib_Error error = {.text = "wrong"}, *hint = ib_is_full(reader) ? NULL : &error;
    if (!text) return false;
    const char *name = text + strcspn(text, ":");
    name += strspn(name, ": ");
    bool known = model && !ib__is_open(scenario, name);
    ib_Status status =
        known ? ib_expectation_read(text, &model->signals, reader->arena, expectation, hint)
              : ib_expectation_check_form(text, expectation, hint);
    if (status != IB_OK) {
        ib_wrong_value(reader, node, "%s", error.text);
        return false;
    }
    if (scenario->duration && expectation->time > scenario->duration) {
        ib_wrong_value(reader, node, "'%s' is after the end of the run, %.9g s",
                       ib_quote_n(text, (int)strcspn(text, ":")).text,
                       ib_time_to_seconds(scenario->duration));
        return false;
    }
    return true;
}

void ib__read_expectations(const ib__ScenarioReader *scenario, const ib_Node *node,
                           ib_Scenario *result)
{
    ib_Reader *reader = scenario->reader;
    if (!node || !ib_check_list(reader, node, "a list of sentences")) return;
    if (node->count > IB__MAX_EXPECTATIONS) {
        ib_wrong_value(reader, node, "%d sentences: expected at most %d", node->count,
                       IB__MAX_EXPECTATIONS);
        return;
    }
    ib_Expectation *all = ib_arena_array(reader->arena, (size_t)node->count, sizeof *all);
    if (!all) {
        ib_wrong_value(reader, node, "out of memory");
        return;
    }
    result->expectations = all;
    for (const ib_Node *child = node->first; child; child = child->next) {
        ib_Expectation *next = &all[result->expectation_count];
        if (read_expectation(scenario, child, result->model, next)) result->expectation_count++;
    }
}

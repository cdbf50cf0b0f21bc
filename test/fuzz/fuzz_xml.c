// Fuzz target: any bytes as XML. They are refused at a place within the text, or they are a tree in
// which children know their parents and stand behind them.
#include "base/xml.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const ib_Xml *root, size_t size)
{
    int count = 0, depth = 0;
    for (const ib_Xml *e = root; e; e = ib_xml_walk(e)) {
        IB_ASSERT(++count <= IB_XML_ELEMENTS);
        IB_ASSERT(e->line >= 1 && e->column >= 1 && e->inside <= e->end && e->end <= size);
        IB_ASSERT(!e->parent || (e->inside > e->parent->inside && e->end <= e->parent->end));
        depth = 0;
        for (const ib_Xml *up = e; up; up = up->parent) depth++;
        IB_ASSERT(depth <= IB_XML_DEPTH + 1);
        for (const ib_XmlAttribute *a = e->attributes; a; a = a->next) {
            double numbers[3];
            IB_ASSERT(ib_xml_attribute(e, a->name) == a && strlen(a->value) <= IB_XML_VALUE);
            ib_xml_numbers(a, 3, numbers, NULL);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ib_Arena arena = {0};
    ib_Error error;
    const ib_Xml *root;
    int line = 0, column = 0;
    ib_Status status = ib_xml_read((const char *)data, size, &arena, &root, &error);
    if (status == IB_OK)
        check(root, size);
    else
        IB_ASSERT(sscanf(error.text, "%d:%d: ", &line, &column) == 2 && line >= 1 && column >= 1);
    ib_arena_reset(&arena);
    return 0;
}

// base/xml.h: an XML text as a tree in which every element and attribute knows its place. The
// reader knows elements, attributes, text, comments and the five entities with numbers
// for characters.
//
// Constructs that a robot's file never needs are refused: document types, entities of one's own,
// processing instructions, CDATA. A text has limits, so that a hostile one costs little.
#ifndef IB_BASE_XML_H
#define IB_BASE_XML_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

enum {
    IB_XML_BYTES = 1 << 20,  ///< of the text
    IB_XML_DEPTH = 100,      ///< elements inside each other
    IB_XML_ELEMENTS = 20000, ///< in all
    IB_XML_NAME = 64,        ///< bytes of the name of an element or attribute
    IB_XML_VALUE = 1 << 16,  ///< bytes of an attribute's value
    IB_XML_ATTRIBUTES = 64,  ///< of one element
};

typedef struct ib_XmlAttribute {
    const char *name, *value; ///< entities are characters, line ends are spaces
    int line, column;         ///< of the name, from 1
    size_t at, after;         ///< bytes before its name and up to behind its value
    const struct ib_XmlAttribute *next;
} ib_XmlAttribute;

typedef struct ib_Xml ib_Xml;
struct ib_Xml {
    const char *name;
    const char *text;   ///< the first text in it that is not blank; "": none
    int line, column;   ///< of its '<', from 1
    size_t inside, end; ///< bytes before its content and before its end tag; equal: it is empty
    size_t at, after;   ///< bytes before its '<' and up to behind its last '>'
    const ib_XmlAttribute *attributes;
    const ib_Xml *parent, *first, *next;
};

// The tree of a text of `length` bytes, in the arena. The error begins with its place, "12:7: ".
ib_Status ib_xml_read(const char *text, size_t length, ib_Arena *arena, const ib_Xml **root,
                      ib_Error *error);

// An attribute, the first child and the next sibling with this name; NULL: there is none.
const ib_XmlAttribute *ib_xml_attribute(const ib_Xml *element, const char *name);
const ib_Xml *ib_xml_child(const ib_Xml *element, const char *name);
const ib_Xml *ib_xml_next(const ib_Xml *element, const char *name);

// The element behind this one in the order of the text, children included; NULL behind the last.
const ib_Xml *ib_xml_walk(const ib_Xml *element);

// `count` plain numbers, finite, with white space between them. Errors are at the attribute.
ib_Status ib_xml_numbers(const ib_XmlAttribute *attribute, int count, double *numbers,
                         ib_Error *error);

// A refusal at the place of an element or an attribute: "12:7: text".
ib_Status ib_xml_refuse(const ib_Xml *element, ib_Error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
ib_Status ib_xml_refuse_value(const ib_XmlAttribute *attribute, ib_Error *error, const char *format,
                              ...) __attribute__((format(printf, 3, 4)));

#endif

// Claims about src/base/xml.c: a tree whose parts know their places, and refusals at theirs.
#include "base/xml.h"
#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ib_Arena arena;

static int teardown(void **state)
{
    (void)state;
    ib_arena_reset(&arena);
    return 0;
}

static const ib_Xml *read(const char *text)
{
    const ib_Xml *root = NULL;
    ib_Error error = {0};
    ib_Status status = ib_xml_read(text, strlen(text), &arena, &root, &error);
    if (status != IB_OK) fail_msg("%s", error.text);
    return root;
}

// Fails unless it is refused with this beginning: the place and the first words.
static void refused(const char *text, const char *said)
{
    const ib_Xml *root = NULL;
    ib_Error error = {0};
    assert_int_equal(ib_xml_read(text, strlen(text), &arena, &root, &error), IB_BAD_INPUT);
    if (strncmp(error.text, said, strlen(said)) != 0)
        fail_msg("expected '%s', got '%s'", said, error.text);
}

// Goal: elements, attributes, text and entities come out as they were meant, with line and column.
// Method: a text whose parts and places were counted by hand.
static void a_tree_has_names_values_and_places(void **state)
{
    (void)state;
    const char *text =
        "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- first --><a one='1'\n   two = \"&lt;"
        "&#x41;&#176;\n x\">\n <b/> hi &amp; low <!-- - -- --><c><d/></c>\n</a>\n";
    const ib_Xml *a = read(text);
    assert_string_equal(a->name, "a");
    assert_int_equal(a->line, 2);
    assert_int_equal(a->column, 15);
    assert_string_equal(a->text, "hi & low");
    const ib_XmlAttribute *two = ib_xml_attribute(a, "two");
    assert_string_equal(two->value, "<A\xc2\xb0  x");
    assert_int_equal(two->line, 3);
    assert_int_equal(two->column, 4);
    assert_null(ib_xml_attribute(a, "three"));
    const ib_Xml *b = ib_xml_child(a, "b"), *c = ib_xml_next(b, "c");
    assert_true(b->parent == a && c->parent == a && a->first == b && b->next == c && !c->next);
    assert_string_equal(c->first->name, "d");
    assert_true(ib_xml_walk(a) == b && ib_xml_walk(b) == c && ib_xml_walk(c) == c->first);
    assert_null(ib_xml_walk(c->first));
    assert_int_equal(b->inside, b->end);
    assert_memory_equal(text + c->inside, "<d/></c>", 8);
    assert_memory_equal(text + two->at, "two = \"", 7);
    assert_memory_equal(text + two->after - 3, " x\"", 3);
    assert_memory_equal(text + c->at, "<c", 2);
    assert_memory_equal(text + c->after - 4, "</c>", 4);
    assert_memory_equal(text + c->end, "</c>", 4);
}

// Goal: numbers are plain, finite, and as many as asked for.
static void numbers_are_plain(void **state)
{
    (void)state;
    const ib_Xml *a = read("<a good=' 1 -2.5e3\t.5 ' bad='1 nan 2' hex='0x10' huge='1e999'/>");
    double numbers[3];
    ib_Error error = {0};
    assert_int_equal(ib_xml_numbers(ib_xml_attribute(a, "good"), 3, numbers, &error), IB_OK);
    assert_true(numbers[0] == 1 && numbers[1] == -2500 && numbers[2] == 0.5);
    assert_int_equal(ib_xml_numbers(ib_xml_attribute(a, "good"), 2, numbers, &error), IB_BAD_INPUT);
    assert_string_equal(error.text, "1:4: good: expected 2 numbers, got 3");
    static const char *const bad[] = {"bad", "hex", "huge"};
    for (int i = 0; i < 3; i++) {
        const ib_XmlAttribute *own = ib_xml_attribute(a, bad[i]);
        assert_int_equal(ib_xml_numbers(own, i == 0 ? 3 : 1, numbers, &error), IB_BAD_INPUT);
        assert_non_null(strstr(error.text, "expected a number"));
    }
}

// Goal: what is no XML, or more than a robot's file needs, is refused where it stands.
static void mistakes_have_their_place(void **state)
{
    (void)state;
    refused("", "1:1: expected an element");
    refused("hello", "1:1: expected an element");
    refused("<a>\n<b></a>", "2:4: expected </b>, of the element in line 2, got </a>");
    refused("<a>\n <b>", "2:2: <b> is never closed");
    refused("<a", "1:3: <a is never closed");
    refused("<a b>", "1:5: b: expected a '='");
    refused("<a b=1/>", "1:6: b: expected a value in quotes");
    refused("<a b='1/>", "1:6: b: its quotes are never closed");
    refused("<a b='1'c='2'/>", "1:9: expected a space");
    refused("<a b='1' b='2'/>", "1:10: b is given twice");
    refused("<a b='<'/>", "1:7: a '<' in a value");
    refused("<a b='&nbsp;'/>", "1:7: an '&' that stands for no character");
    refused("<a b='&#0;'/>", "1:7: an '&' that stands for no character");
    refused("<a b='&#xd800;'/>", "1:7: an '&' that stands for no character");
    refused("<a/><b/>", "1:5: expected nothing behind the end");
    refused("<a><!-- x", "1:4: a comment that is never closed");
    refused("<!DOCTYPE a><a/>", "1:1: a document type is not read");
    refused("<a><![CDATA[x]]></a>", "1:4: CDATA is not read");
    refused("<a><?php ?></a>", "1:4: an instruction");
    refused("<a>\xff</a>", "1:4: byte 0xff is not UTF-8 text");
    refused("<a>\n\x01</a>", "2:1: control character 0x01");
    refused("<1a/>", "1:2: expected the name of an element");
}

// Goal: every limit refuses what is one beyond it and takes what is just within.
static void limits_hold(void **state)
{
    (void)state;
    static char text[IB_XML_ELEMENTS * 4 + IB_XML_VALUE + 100];
    for (int more = 0; more < 2; more++) {
        char *at = text;
        for (int i = 0; i < IB_XML_DEPTH + more; i++) at += sprintf(at, "<a>");
        for (int i = 0; i < IB_XML_DEPTH + more; i++) at += sprintf(at, "</a>");
        more ? refused(text, "1:301: more than 100 elements inside") : (void)read(text);
        at = text + sprintf(text, "<a>");
        for (int i = 1; i < IB_XML_ELEMENTS + more; i++) at += sprintf(at, "<b/>");
        sprintf(at, "</a>");
        if (more)
            refused(text, "1:80000: more than 20000 elements"); // behind 3 + 4 * 19999 others
        else
            read(text);
        at = text + sprintf(text, "<a b='");
        memset(at, 'x', IB_XML_VALUE + (size_t)more);
        sprintf(at + IB_XML_VALUE + more, "'/>");
        more ? refused(text, "1:6: b: a value of 65537 bytes") : (void)read(text);
        at = text + sprintf(text, "<a");
        for (int i = 0; i < IB_XML_ATTRIBUTES + more; i++) at += sprintf(at, " a%d=''", i);
        sprintf(at, "/>");
        more ? refused(text, "1:442: more than 64 attributes") : (void)read(text);
        ib_arena_reset(&arena);
    }
}

// Goal: a text that was cut or in which a bit was turned is refused at a place or is another tree,
// and never anything else. Method: every length and every bit of one that has all parts.
static void damaged_texts_are_refused_or_trees(void **state)
{
    (void)state;
    static const char whole[] = "<?xml?><!--c--><a b='&#65;' c=\"2\">t&lt;<d/><e f='1'></e></a>";
    const ib_Xml *root;
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        ib_Error error = {0};
        assert_int_equal(ib_xml_read(whole, length, &arena, &root, &error), IB_BAD_INPUT);
        assert_true(strncmp(error.text, "1:", 2) == 0);
    }
    for (size_t bit = 0; bit < 8 * (sizeof whole - 1); bit++) {
        char text[sizeof whole];
        ib_Error error = {0};
        memcpy(text, whole, sizeof whole);
        text[bit / 8] = (char)(text[bit / 8] ^ (1 << bit % 8));
        ib_Status status = ib_xml_read(text, sizeof whole - 1, &arena, &root, &error);
        assert_true(status == IB_OK ? root->name[0] != '\0' : error.text[1] == ':');
        ib_arena_reset(&arena);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_tree_has_names_values_and_places, teardown),
        cmocka_unit_test_teardown(numbers_are_plain, teardown),
        cmocka_unit_test_teardown(mistakes_have_their_place, teardown),
        cmocka_unit_test_teardown(limits_hold, teardown),
        cmocka_unit_test_teardown(damaged_texts_are_refused_or_trees, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

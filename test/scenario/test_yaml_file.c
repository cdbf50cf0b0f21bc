// Claims about src/scenario/yaml_file.c, with a kind of file that nobody else has: a note.
#include "cmocka_all.h"
#include "scenario/scenario.h"

#include <string.h>

// note.yaml: {text: …, wrong: …, doubtful: …}
typedef struct Note {
    ib_YamlFile yaml;
    const char *text;
} Note;

static int released; // notes

static void release(void *made)
{
    (void)made;
    released++;
}

static void read_note(ib_Reader *reader, ib_Node *root, const ib_ScenarioOptions *options,
                      void *made)
{
    Note *note = made;
    const ib_Node *text = ib_node_get(root, "text"), *wrong = ib_node_get(root, "wrong");
    const ib_Node *doubtful = ib_node_get(root, "doubtful");
    assert_non_null(options);
    if (text) note->text = ib_read_text(reader, text, "a text");
    if (wrong) ib_wrong_key(reader, wrong, "it is");
    if (doubtful) ib_warn_key(reader, doubtful, "it is");
}

static const char *const keys[] = {"format", "title", "text", "wrong", "doubtful", NULL};
static const ib_YamlFileKind once = {.size = sizeof(Note),
                                     .keys = keys,
                                     .expected = "a map with keys such as text",
                                     .read = read_note,
                                     .release = release};

static ib_Arena arena;
static ib_Diagnostics list;

static int setup(void **unused)
{
    (void)unused;
    list = (ib_Diagnostics){.arena = &arena};
    released = 0;
    return 0;
}

static int teardown(void **unused)
{
    (void)unused;
    ib_arena_reset(&arena);
    return 0;
}

static Note *read_text(const ib_YamlFileKind *kind, const char *text,
                       const ib_ScenarioOptions *options)
{
    return ib_yaml_file_read(kind, "folder/note.yaml", text, strlen(text), options, &list);
}

// Goal: what every file has is there, and what the options change has changed. Method: a text, with
// and without a title.
static void name_title_and_files_are_kept(void **unused)
{
    (void)unused;
    const ib_Override louder = {"text", "aloud"};
    const ib_ScenarioOptions options = {.overrides = &louder, .override_count = 1};
    Note *note = read_text(&once, "title: A note\ntext: quiet\n", &options);
    assert_non_null(note);
    assert_string_equal(note->yaml.file, "folder/note.yaml");
    assert_string_equal(note->yaml.title, "A note");
    assert_string_equal(note->yaml.files[0], "folder/note.yaml");
    assert_null(note->yaml.files[1]);
    assert_string_equal(note->text, "aloud");
    ib_yaml_file_destroy(&once, note);
    assert_int_equal(released, 1);
    note = read_text(&once, "text: quiet\n", NULL);
    assert_non_null(note);
    assert_string_equal(note->yaml.title, "note.yaml");
    assert_string_equal(note->text, "quiet");
    ib_yaml_file_destroy(&once, note);
    ib_yaml_file_destroy(&once, NULL);
    assert_int_equal(released, 2);
}

// Goal: a file with a mistake is given up, what it owned is released, and its mistakes are sorted.
// Method: two mistakes, of which the frame finds the later one in the file first.
static void a_mistake_gives_the_file_up(void **unused)
{
    (void)unused;
    assert_null(read_text(&once, "wrong: yes\nformat: 2\n", NULL));
    assert_int_equal(released, 1);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].line, 1);
    assert_string_equal(list.items[0].text, "wrong: it is");
    assert_int_equal(list.items[1].line, 2);
    // One that was in the list before is none of this file.
    Note *note = read_text(&once, "text: quiet\n", NULL);
    assert_non_null(note);
    ib_yaml_file_destroy(&once, note);
}

// Goal: what is no map is refused with what is there; a file that is not there, too.
static void what_is_no_map_is_refused(void **unused)
{
    (void)unused;
    assert_null(read_text(&once, "- quiet\n- loud\n", NULL));
    assert_non_null(strstr(list.items[0].text, "expected a map with keys such as text, got "));
    assert_non_null(strstr(list.items[0].text, "a list that begins with 'quiet'"));
    assert_null(ib_yaml_file_read(&once, "no/such/note.yaml", NULL, 0, NULL, &list));
    assert_int_equal(list.count, 2);
    assert_int_equal(released, 2);
}

// Goal: a file keeps its own warnings; where it is read again with the same list, which has them
// already, they are its own again. Method: the same text twice, by a kind that expects it and by
// one that does not.
static void warnings_stay_with_their_file(void **unused)
{
    (void)unused;
    ib_YamlFileKind again = once;
    again.again = true;
    for (int i = 0; i < 2; i++) {
        Note *note = read_text(i ? &again : &once, "doubtful: yes\n", NULL);
        assert_non_null(note);
        assert_int_equal(note->yaml.warning_count, 1);
        assert_string_equal(note->yaml.warnings[0].text, "doubtful: it is");
        ib_yaml_file_destroy(&once, note);
    }
    Note *note = read_text(&once, "doubtful: yes\n", NULL);
    assert_non_null(note);
    assert_int_equal(note->yaml.warning_count, 0);
    ib_yaml_file_destroy(&once, note);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(name_title_and_files_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(a_mistake_gives_the_file_up, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_map_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(warnings_stay_with_their_file, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// ironbird verify: a source document's claims beside the computed values.
#include "cli.h"
#include "verify.h"

#include "base/word.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A document more is one line here.
static const Document *const documents[] = {
    &roomba_document,
    &motor_document,
    &tank_document,
};

enum { DOCUMENTS = sizeof documents / sizeof documents[0], OPTION_JSON = 0, OPTION_REPORT };

static const Option options_table[] = {
    {"--json", NULL, "print the claims as a JSON list, with all digits"},
    {"--report", "FILE.html", "write the claims and the document's figures as one page"},
    {0},
};

static int list_documents(void)
{
    for (int i = 0; i < DOCUMENTS; i++)
        printf("%-12s %s\n", documents[i]->name, documents[i]->title);
    printf("\n'ironbird verify NAME' prints the claims of one beside the computed values.\n");
    return EXIT_DONE;
}

// Computes, prints and writes; the exit code.
static int verify(const Document *document, bool json, const char *report)
{
    const char *const inputs[] = {NULL};
    Files files = {.inputs = inputs, .outputs = {report}};
    if (!can_write_all("verify", &files)) return EXIT_BAD_INPUT;
    Found *found = malloc((size_t)document->row_count * sizeof *found);
    if (!found) {
        fprintf(stderr, "ironbird verify: out of memory\n");
        return EXIT_FAILED;
    }
    for (int i = 0; i < document->row_count; i++)
        for (int form = 0; form < VERIFY_FORMS; form++) found[i].form[form] = NAN;
    ib_Error error;
    int code = EXIT_FAILED;
    if (document->compute(found, &error) == IB_OK) {
        int unexpected = json ? document_print_json(document, found, stdout)
                              : document_print(document, found, stdout);
        code = unexpected ? EXIT_EXPECTATION : EXIT_DONE;
        if (report && document_write_report(document, found, report, &error) != IB_OK) {
            fprintf(stderr, "ironbird verify: %s\n", error.text);
            code = EXIT_FAILED;
        }
    } else {
        fprintf(stderr, "ironbird verify: %s: %s\n", document->name, error.text);
    }
    free(found);
    return code;
}

int cmd_verify(int argc, char **argv)
{
    Options options = {
        .command = "verify",
        .usage = "[NAME] [--json] [--report FILE.html]",
        .about =
            "Prints every claim of a source document beside the value that Ironbird computes,\n"
            "with the corrected equations and with the equations as printed, and whether the\n"
            "claim holds. Without a name: lists what can be verified.\n"
            "Exit code 0 when every verdict is the expected one (that the document is wrong\n"
            "may be what is expected), 1 when one differs.",
        .example = "ironbird verify roomba",
        .options = options_table,
        .argc = argc,
        .argv = argv,
    };
    const char *name = NULL, *report = NULL, *value;
    bool json = false;
    int item;
    while ((item = options_next(&options, &value)) != OPTION_END) {
        if (item == OPTION_HELP) return EXIT_DONE;
        if (item == OPTION_JSON) {
            json = true;
            continue;
        }
        if (item == OPTION_REPORT) {
            report = value;
            continue;
        }
        if (item != OPTION_ARGUMENT) return EXIT_BAD_INPUT;
        if (name) return bad_usage(&options, "one document at a time, not '%s' too", value);
        name = value;
    }
    if (!name && (json || report))
        return bad_usage(&options, "%s needs the name of a document", json ? "--json" : "--report");
    if (!name) return list_documents();
    const char *names[DOCUMENTS + 1] = {0};
    for (int i = 0; i < DOCUMENTS; i++) {
        names[i] = documents[i]->name;
        if (!strcmp(name, names[i])) return verify(documents[i], json, report);
    }
    const char *near = ib_nearest_word(name, names);
    if (near)
        return bad_usage(&options, "there is nothing '%s' to verify; did you mean '%s'?", name,
                         near);
    return bad_usage(&options, "there is nothing '%s' to verify", name);
}

// cli/cmd_verify.c: `ironbird verify`: a source document's claims beside the computed values.
#include "claims/findings_text.h"
#include "claims/report.h"
#include "claims/xdrive/xdrive_stick_text.h"
#include "cli.h"

#include "base/word.h"

#include <string.h>

enum { MAX_DOCUMENTS = 16 };

typedef struct Request {
    const char *name, *report, *stick;
    bool errata;
} Request;

static const Option options_table[] = {
    {.common = COMMON_JSON, .sentence = "print the claims as a JSON list, with all digits"},
    {"--errata", NULL, "print the document's mistakes, instead of the claims; of all without NAME",
     INTO_FLAG(Request, errata)},
    {"--report", "FILE.html", "write the claims and the document's figures as one page",
     INTO_TEXT(Request, report)},
    {"--stick", "X,Y,TURN", "of xdrive: the laws at this stick (right, forward, turn; -1 to 1)",
     INTO_TEXT(Request, stick)},
    {0},
};

static int list_documents(void)
{
    for (int i = 0; ib_claim_documents[i]; i++)
        printf("%-12s %s\n", ib_claim_documents[i]->name, ib_claim_documents[i]->title);
    printf("\n'ironbird verify NAME' prints the claims of one beside the computed values,\n"
           "'ironbird verify NAME --errata' its mistakes.\n");
    return EXIT_DONE;
}

// Computes, prints and writes; the exit code.
static int verify(const ib_ClaimDocument *document, bool json, const char *report)
{
    Files files = {.outputs = {report}, .json = json};
    if (!can_write_all("verify", &files)) return EXIT_BAD_INPUT;
    ib_Findings *findings;
    ib_Error error;
    if (ib_findings_create(document, &findings, &error) != IB_OK) {
        ib_tell(stderr, "ironbird verify: %s: %s\n", document->name, error.text);
        return EXIT_FAILED;
    }
    if (json)
        ib_findings_json(findings, stdout);
    else
        ib_findings_text(findings, stdout);
    int code = findings->unexpected ? EXIT_EXPECTATION : EXIT_DONE;
    if (report && ib_claims_report_write(findings, report, &error) != IB_OK) {
        ib_tell(stderr, "ironbird verify: %s\n", error.text);
        code = exit_code_of(error.status);
    } else if (report) {
        tell_of_page(report, &error);
    }
    ib_findings_destroy(findings);
    return code;
}

// Applies the laws to one stick, instead of the claims; returns the exit code.
static int verify_one_stick(const Options *options, const ib_ClaimDocument *document)
{
    const Request *request = options->request;
    ib_Stick stick;
    ib_Error error;
    if (document != &ib_xdrive_claims)
        return bad_usage(options, "--stick is for xdrive, not for '%s'", document->name);
    if (request->report) return bad_usage(options, "--stick and --report do not go together");
    if (ib_xdrive_stick_read(request->stick, &stick, &error) != IB_OK)
        return bad_usage(options, "--stick: %s", error.text);
    if (options->common->json)
        ib_xdrive_stick_json(&stick, stdout);
    else
        ib_xdrive_stick_text(&stick, stdout);
    return EXIT_DONE;
}

// Prints the mistakes of one document or of all; returns the exit code.
static int verify_errata(const Options *options, const ib_ClaimDocument *only)
{
    const Request *request = options->request;
    bool as_json = options->common->json;
    ib_Json json = {.file = stdout};
    if (request->report || request->stick)
        return bad_usage(options, "--errata and %s do not go together",
                         request->report ? "--report" : "--stick");
    if (as_json) ib_json_open(&json, NULL, '[');
    for (int i = 0; ib_claim_documents[i]; i++) {
        const ib_ClaimDocument *document = ib_claim_documents[i];
        if (only && document != only) continue;
        if (as_json) ib_errata_json(document, &json);
        if (!as_json && !only && i > 0) printf("\n");
        if (!as_json) ib_errata_text(document, stdout);
    }
    if (as_json) ib_json_close(&json, ']');
    if (as_json) printf("\n");
    return EXIT_DONE;
}

// The document of this name; NULL after a message.
static const ib_ClaimDocument *find(const Options *options, const char *name)
{
    const char *names[MAX_DOCUMENTS + 1] = {0};
    for (int i = 0; i < MAX_DOCUMENTS && ib_claim_documents[i]; i++) {
        names[i] = ib_claim_documents[i]->name;
        if (!strcmp(name, names[i])) return ib_claim_documents[i];
    }
    bad_usage(options, "there is nothing '%s' to verify%s", name,
              ib_word_hint(';', name, names).text);
    return NULL;
}

static bool take_word(const Options *options, int item, const char *value)
{
    Request *request = options->request;
    (void)item; // no option is left to the command
    if (request->name) bad_usage(options, "one document at a time, not '%s' too", value);
    if (request->name) return false;
    request->name = value;
    return true;
}

int cmd_verify(int argc, char **argv)
{
    Request request = {0};
    CommonOptions common = {0};
    Options options = {
        .command = "verify",
        .usage = "[NAME] [--json] [--errata] [--report FILE.html] [--stick X,Y,TURN]",
        .about =
            "Prints every claim of a source document beside the value that Ironbird computes,\n"
            "with the corrected equations and with the equations as printed, and whether the\n"
            "claim holds. Without a name: lists what can be verified.\n"
            "With --errata: what is wrong in it, what is right, and a command that shows it.\n"
            "Exit code 0 when every verdict is the expected one (that the document is wrong\n"
            "may be what is expected), 1 when one differs.",
        .example = "ironbird verify roomba",
        .options = options_table,
        .common = &common,
        .request = &request,
        .argc = argc,
        .argv = argv,
    };
    int code;
    if (!options_take(&options, take_word, &code)) return code;
    const char *lone = common.json      ? "--json"
                       : request.report ? "--report"
                       : request.stick  ? "--stick"
                                        : NULL;
    const ib_ClaimDocument *document = NULL;
    if (request.name && !(document = find(&options, request.name))) return EXIT_BAD_INPUT;
    if (request.errata) return verify_errata(&options, document);
    if (!document && lone) return bad_usage(&options, "%s needs the name of a document", lone);
    if (!document) return list_documents();
    if (request.stick) return verify_one_stick(&options, document);
    return verify(document, common.json, request.report);
}

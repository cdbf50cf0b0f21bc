#include "claims/xdrive/xdrive_stick_text.h"

#include "base/json.h"
#include "base/number.h"
#include "claims/xdrive/xdrive_stick.h"

#include <math.h>
#include <string.h>

// ----------------------------------------------------------------------------------------- reading

// One number of the three, up to `end`.
static ib_Status read_part(const char *name, const char *text, const char *end, double *value,
                           ib_Error *error)
{
    char part[64];
    size_t length = (size_t)(end - text);
    if (length < sizeof part) {
        memcpy(part, text, length);
        part[length] = 0;
        ib_Error reason;
        if (ib_number_read(part, value, &reason) == IB_OK && fabs(*value) <= 1) return IB_OK;
    }
    return ib_error_set(error, IB_BAD_INPUT, "%s: expected a number from -1 to 1, got '%.*s'", name,
                        length < 60 ? (int)length : 60, text);
}

ib_Status ib_xdrive_stick_read(const char *text, ib_Stick *stick, ib_Error *error)
{
    static const char *const names[] = {"x", "y", "turn"};
    double *const values[] = {&stick->x, &stick->y, &stick->turn};
    int commas = 0;
    for (const char *c = text; *c; c++) commas += *c == ',';
    if (commas != 2)
        return ib_error_set(error, IB_BAD_INPUT,
                            "expected x,y,turn, such as 0.6,0.8,0, got '%.60s'", text);
    for (int i = 0; i < 3; i++) {
        const char *end = text + strcspn(text, ",");
        ib_Status status = read_part(names[i], text, end, values[i], error);
        if (status != IB_OK) return status;
        text = end + 1;
    }
    return IB_OK;
}

// ---------------------------------------------------------------------------------------- printing

// Six digits; what has no value is a dash, and a rounding is none.
static void print_number(FILE *file, int width, double value)
{
    if (isnan(value))
        fprintf(file, "%*s", width, "-");
    else
        fprintf(file, "%*.6g", width, fabs(value) < 1e-12 ? 0 : value);
}

static void print_law(FILE *file, int law, const ib_XdriveAnswer *answer)
{
    fprintf(file, "  %-10s", ib_mixing_laws[law]);
    for (int i = 0; i < IB_XDRIVE_MOTORS; i++) print_number(file, 10, answer->output[i]);
    print_number(file, 12, answer->commanded);
    print_number(file, 10, answer->driven);
    print_number(file, 10, answer->error);
    print_number(file, 10, answer->speed);
    print_number(file, 10, answer->turn);
    fputc('\n', file);
}

void ib_xdrive_stick_text(const ib_Stick *stick, FILE *file)
{
    ib_XdriveAnswer answer;
    bool undefined = false;
    fprintf(file, "X-drive, stick %g to the right, %g forward, turn %g to the right\n\n", stick->x,
            stick->y, stick->turn);
    fprintf(file, "  %-10s%10s%10s%10s%10s%12s%10s%10s%10s%10s\n", "law", "motor 1", "motor 2",
            "motor 3", "motor 4", "commanded", "driven", "error", "speed", "turn");
    for (int law = 0; ib_mixing_laws[law]; law++) {
        ib_xdrive_answer(law, stick, &answer);
        print_law(file, law, &answer);
        undefined = undefined || answer.undefined;
    }
    fprintf(file, "\nDirections in degrees, counter-clockwise from the right; speed and turn (to "
                  "the right) as shares of\nfull ones, with outputs cut to -1 .. 1.\n");
    if (undefined)
        fprintf(file, "published: no case of one of its turn functions holds here, which is then "
                      "taken as 0.\n");
}

static void json_law(ib_Json *json, int law, const ib_XdriveAnswer *answer)
{
    ib_json_open(json, NULL, '{');
    ib_json_text(json, "law", ib_mixing_laws[law]);
    ib_json_open(json, "outputs", '[');
    for (int i = 0; i < IB_XDRIVE_MOTORS; i++) ib_json_number(json, NULL, answer->output[i]);
    ib_json_close(json, ']');
    ib_json_number(json, "commanded_deg", answer->commanded);
    ib_json_number(json, "driven_deg", answer->driven);
    ib_json_number(json, "error_deg", answer->error);
    ib_json_number(json, "speed", answer->speed);
    ib_json_number(json, "turn", answer->turn);
    ib_json_flag(json, "undefined", answer->undefined);
    ib_json_close(json, '}');
}

void ib_xdrive_stick_json(const ib_Stick *stick, FILE *file)
{
    ib_Json json = {.file = file};
    ib_json_open(&json, NULL, '{');
    ib_json_open(&json, "stick", '{');
    ib_json_number(&json, "x", stick->x);
    ib_json_number(&json, "y", stick->y);
    ib_json_number(&json, "turn", stick->turn);
    ib_json_close(&json, '}');
    ib_json_open(&json, "laws", '[');
    for (int law = 0; ib_mixing_laws[law]; law++) {
        ib_XdriveAnswer answer;
        ib_xdrive_answer(law, stick, &answer);
        json_law(&json, law, &answer);
    }
    ib_json_close(&json, ']');
    ib_json_close(&json, '}');
    fputc('\n', file);
}

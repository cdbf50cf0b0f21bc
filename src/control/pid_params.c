// control/pid_params.c: the parameters of a PID controller as a table, in the units of what it
// measures and puts out.
#include "control/pid.h"

#include <stdio.h>
#include <string.h>

// What a parameter is measured in.
typedef enum Form { OUTPUT, MEASURED, GAIN, TIME } Form;

// One row; `seconds` is the power of s in a gain, "" a fallback of zero, NULL none.
typedef struct Row {
    const char *key;
    ib_ParamType type;
    Form form;
    int seconds;
    const char *fallback;
    double min, max;
    size_t offset;
    bool live;
    const char *sentence;
} Row;

#define AT(field) offsetof(ib_PidConfig, field)
#define NUMBER    IB_PARAM_NUMBER
#define MOST      1e12

static const Row rows[IB_PID_PARAMS] = {
    {"proportional", NUMBER, GAIN, 0, "", -MOST, MOST, AT(proportional), true,
     "output for an error"},
    {"integral", NUMBER, GAIN, -1, "", -MOST, MOST, AT(integral), true,
     "output that an error adds in every second"},
    {"derivative", NUMBER, GAIN, 1, "", -MOST, MOST, AT(derivative), true,
     "output against the measured rate of change, less the wanted one"},
    {"filter_time", NUMBER, TIME, 1, "", 0, 1e6, AT(filter_time), true,
     "time constant of the low-pass filter of the measured rate of change"},
    {"integral_limit", IB_PARAM_LIMIT, OUTPUT, 0, "off", 0, MOST, AT(integral_limit), true,
     "most that the integral may add to the output, either way"},
    {"tracking_time", NUMBER, TIME, 1, "", 0, 1e6, AT(tracking_time), true,
     "time in which the integral gives way to a limit; 0: from the gains"},
    {"limits", IB_PARAM_PAIR, OUTPUT, 0, NULL, -MOST, MOST, AT(limits), true,
     "least and most output"},
    {"wrap", IB_PARAM_LIMIT, MEASURED, 0, "off", 1e-9, MOST, AT(wrap), false,
     "measured values this far apart are the same, such as a turn for a heading"},
    {"fade_time", NUMBER, TIME, 1, "0.5 s", 0, 1e6, AT(fade_time), true,
     "time constant in which the trace of a change of gains fades"},
    {"feedforward.constant", NUMBER, OUTPUT, 0, "", -MOST, MOST, AT(feed_constant), true,
     "output always added, such as against a weight"},
    {"feedforward.static", NUMBER, OUTPUT, 0, "", -MOST, MOST, AT(feed_static), true,
     "output against friction, in the direction of the wanted velocity"},
    {"feedforward.velocity", NUMBER, GAIN, 1, "", -MOST, MOST, AT(feed_velocity), true,
     "output for a wanted velocity"},
    {"feedforward.acceleration", NUMBER, GAIN, 2, "", -MOST, MOST, AT(feed_acceleration), true,
     "output for a wanted acceleration"},
};

// "V*s/rad", "V/(m/s)/s", "1/s": the output's unit, times a power of s, per measured unit. A pure
// number leaves no trace, unless nothing else is left.
static void unit_of(const Row *row, const char *measured, const char *output, char *unit)
{
    static const char *const seconds[] = {"s^-1", "", "s", "s^2"};
    const char *top = row->form == MEASURED ? measured : row->form == TIME ? "1" : output;
    const char *time = seconds[row->seconds + 1];
    bool pure = strcmp(top, "1") == 0, per = row->form == GAIN && strcmp(measured, "1") != 0;
    bool compound = strpbrk(measured, "*/") != NULL;
    snprintf(unit, IB_PID_TEXT, "%s%s%s%s%s%s", pure && *time ? "" : top, pure || !*time ? "" : "*",
             time, per ? (compound ? "/(" : "/") : "", per ? measured : "",
             per && compound ? ")" : "");
}

void ib_pid_params(const char *measured, const char *output, ib_PidTable *table)
{
    IB_ASSERT(strlen(measured) <= 16 && strlen(output) <= 16);
    for (int i = 0; i < IB_PID_PARAMS; i++) {
        const Row *row = &rows[i];
        char *unit = table->units[i], *fallback = table->fallbacks[i];
        unit_of(row, measured, output, unit);
        bool zero = row->fallback && *row->fallback == '\0';
        const char *written = strcmp(unit, "1") == 0 ? "" : unit;
        if (zero) snprintf(fallback, sizeof table->fallbacks[i], "0 %s", written);
        table->params[i] = (ib_Param){.key = row->key,
                                      .type = row->type,
                                      .unit = unit,
                                      .fallback = zero ? fallback : row->fallback,
                                      .min = row->min,
                                      .max = row->max,
                                      .offset = row->offset,
                                      .live = row->live,
                                      .sentence = row->sentence};
    }
    table->schema = (ib_Schema){table->params, IB_PID_PARAMS};
}

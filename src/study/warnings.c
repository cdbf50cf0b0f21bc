#include "study/warnings.h"

#include "base/extreme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// True for an input that a routine sets.
static bool set_by_routine(const ib_Model *model, int input)
{
    for (int i = 0; i < model->control_count; i++) {
        const ib_ControlModel *control = &model->controls[i];
        for (int k = 0; k < control->controller->ports.output_count; k++)
            if (control->outputs[k] == input) return control->controller->kind->routines;
    }
    return false;
}

// "left: 5 N at 0 s is beyond max_force; 2.7 N is used"
static void describe_clamp(const ib_Model *model, const ib_Clamp *clamp, char *text, size_t size)
{
    const ib_InputDef *input = &model->inputs[clamp->input];
    const char *robot = "";
    bool pure = strcmp(input->unit, "1") == 0;
    const char *gap = pure ? "" : " ", *unit = pure ? "" : input->unit;
    for (int i = 0; i < model->robot_count; i++)
        if (clamp->input >= model->robots[i].input) robot = model->robots[i].name;
    if (!isfinite(clamp->wanted)) {
        snprintf(text, size, "%s%s%s: not a number at %.9g s; %.6g%s%s is used", robot,
                 robot[0] ? "." : "", input->name, ib_time_to_seconds(clamp->time), clamp->used,
                 gap, unit);
        return;
    }
    char cause[100] = "";
    double excess = clamp->wanted / clamp->used - 1;
    if (set_by_routine(model, clamp->input) && isfinite(excess))
        snprintf(cause, sizeof cause,
                 ": the routine asks for %.2g %% more than the robot gives; lower its speed",
                 100 * excess);
    snprintf(text, size, "%s%s%s: %.6g%s%s at %.9g s is beyond %s; %.6g%s%s is used%s", robot,
             robot[0] ? "." : "", input->name, clamp->wanted, gap, unit,
             ib_time_to_seconds(clamp->time),
             input->limit && input->limit[0] ? input->limit : "its range", clamp->used, gap, unit,
             cause);
}

// "control.arm.estimate.theta1 is not a number"
static void describe_lost(const ib_SignalTable *signals, const ib_LoopTrouble *trouble, char *text,
                          size_t size)
{
    const ib_SignalDef *def = trouble->signal < 0 ? NULL : &signals->items[trouble->signal];
    if (!def)
        snprintf(text, size, "its state or output is not a plausible number");
    else if (!isfinite(trouble->value))
        snprintf(text, size, "%s is not a number", def->name);
    else
        snprintf(text, size, "%s is %.6g %s, beyond its limit of %.6g", def->name, trouble->value,
                 def->unit, def->limit);
}

// Describes a failure of a loop; a plug-in has messages of its own.
static bool describe_trouble(const ib_Model *model, const ib_PluginInterface *plugins,
                             const ib_LoopTrouble *trouble, int status, char *text, size_t size)
{
    int64_t count = trouble->count[status];
    if (count == 0 || (plugins && plugins->troubled(trouble->controller))) return false;
    const char *label = trouble->controller->label;
    double first = ib_time_to_seconds(trouble->first[status]);
    if (trouble->lost && status == IB_CONTROL_FAILED) {
        char why[160];
        describe_lost(&model->signals, trouble, why, sizeof why);
        snprintf(text, size, "%s: at %.9g s it failed: %s; its outputs are neutral from then on",
                 label, first, why);
        return true;
    }
    snprintf(text, size, "%s: at %.9g s it %s (%lld period%s in all)", label, first,
             status == IB_CONTROL_LATE ? "was late; its last output was held"
                                       : "failed; its outputs were neutral for the period",
             (long long)count, count == 1 ? "" : "s");
    return true;
}

// Describes a note of a loop before the run.
static bool describe_note(const ib_Controller *loop, char *text, size_t size)
{
    if (loop->ports.note) snprintf(text, size, "%s: %s", loop->label, loop->ports.note);
    return loop->ports.note != NULL;
}

// Describes a run that ends before a loop is done.
static bool describe_end(const ib_RunOutcome *run, const ib_Controller *loop, char *text,
                         size_t size)
{
    double reached = ib_time_to_seconds(ib_sim_time(run->sim));
    if (run->status != IB_OK || !ib_sim_done(run->sim) || !(loop->ports.lasts > reached))
        return false;
    snprintf(text, size, "%s: the run ends after %.4g s, it has planned %.4g s", loop->label,
             reached, loop->ports.lasts);
    return true;
}

// Describes a fixed grid that had to be divided into very many parts.
static bool describe_parts(const ib_Sim *sim, char *text, size_t size)
{
    enum { MANY = 50 };
    const ib_Model *model = ib_sim_model(sim);
    int64_t parts = model->config->step / model->step;
    if (ib_solver_adaptive(model->config->solver.kind) || parts < MANY) return false;
    // If the steps were too long all the same, it is known if rosenbrock would do.
    const ib_UnstableStep *unstable = ib_sim_unstable_step(sim);
    bool slow = unstable && !(unstable->advice.rosenbrock > 0);
    snprintf(text, size,
             "each step of %g ms is divided into %lld parts, since a part of the robot is that "
             "fast%s%s",
             1e3 * ib_time_to_seconds(model->config->step), (long long)parts,
             model->coarse ? ", and it would need more" : "",
             slow ? "" : "; run.solver: rosenbrock may be quicker");
    return true;
}

bool ib_stability_warning(const ib_Sim *sim, ib_Time *time, char *text, size_t size)
{
    const ib_UnstableStep *unstable = ib_sim_unstable_step(sim);
    if (!unstable) return false;
    const ib_Model *model = ib_sim_model(sim);
    int signal = model->state_signal[unstable->state];
    char advice[IB_ADVICE_TEXT];
    *time = unstable->time;
    ib_advice_format(&unstable->advice, model->config, advice);
    snprintf(text, size, "%s: from %.9g s on it moves too fast for a step of %g ms; %s",
             signal < 0 ? "a part of the robot" : model->signals.items[signal].name,
             ib_time_to_seconds(unstable->time), 1e3 * unstable->length, advice);
    return true;
}

// Describes steps of an adaptive solver that were too long, and could not be shorter. A tolerance
// of twice their errors would have allowed them.
static bool describe_inexact_steps(const ib_Sim *sim, ib_Time *time, char *text, size_t size)
{
    const ib_InexactSteps *inexact = ib_sim_inexact_steps(sim);
    if (!inexact) return false;
    const ib_Model *model = ib_sim_model(sim);
    const ib_SolverConfig *solver = &model->config->solver;
    int signal = model->state_signal[inexact->state];
    ib_Advice advice = {.tolerance = solver->tolerance};
    char words[IB_ADVICE_TEXT];
    while (advice.tolerance < 2 * inexact->ratio * solver->tolerance) advice.tolerance *= 10;
    ib_advice_format(&advice, model->config, words);
    *time = inexact->first;
    snprintf(
        text, size,
        "%s: at %.9g s it moves too fast for %s: its shortest step, %g s, has up to %.2g times "
        "the error that the tolerance of %g allows. So small an error was let pass (%lld "
        "step%s); %s",
        signal < 0 ? "a part of the robot" : model->signals.items[signal].name,
        ib_time_to_seconds(inexact->first), ib_solver_names[solver->kind], solver->quantum,
        inexact->ratio, solver->tolerance, (long long)inexact->count,
        inexact->count == 1 ? "" : "s", words);
    return true;
}

// Describes robots that started inside each other.
static bool describe_ghosts(const ib_Model *model, char *text, size_t size)
{
    bool ghosts = false;
    for (int i = 0; model->world && i < model->world->body_count; i++)
        ghosts |= model->world->ghosts[i] != 0;
    if (!ghosts) return false;
    snprintf(text, size,
             "robots that start inside each other pass through each other for the whole run");
    return true;
}

// Describes inputs of the viewer, in a run without viewer.
static bool describe_driver(const ib_RunOutcome *run, char *text, size_t size)
{
    const ib_SimConfig *config = &run->scenario->sim;
    for (int i = 0; !run->replayed && i < config->robot_count; i++) {
        if (!config->robots[i].viewer) continue;
        snprintf(text, size,
                 "the inputs come from the viewer (source: viewer), and nobody drives here: they "
                 "stay neutral. 'ironbird serve %s' drives",
                 run->file);
        return true;
    }
    return false;
}

// Describes signals that were not a number: the first of them, and the number of others.
static bool describe_gaps(const ib_RunOutcome *run, ib_Time *time, char *text, size_t size)
{
    const ib_SignalTable *table = &run->scenario->model->signals;
    const ib_Time *times = run->summary->nan_time;
    int first = -1, others = -1;
    for (int i = 0; i < table->count; i++) {
        if (times[i] == IB_TIME_NEVER) continue;
        if (first < 0 || times[i] < times[first]) first = i;
        others++;
    }
    if (first < 0) return false;
    *time = times[first];
    int length = snprintf(text, size, "%s: at %.9g s it is not a number", table->items[first].name,
                          ib_time_to_seconds(*time));
    if (others > 0 && length < (int)size)
        snprintf(text + length, size - (size_t)length,
                 "; %d other signal%s no number either, then or later", others,
                 others == 1 ? " is" : "s are");
    return true;
}

// The size of an energy balance: the energy given, or, if other bodies have pushed, its
// largest entry.
static double energy_in_book(const ib_RunOutcome *run, const char *balance)
{
    const ib_SignalTable *table = &run->scenario->model->signals;
    const ib_Summary *summary = run->summary;
    size_t stem = ib_signal_stem(balance);
    double given = 0, largest = 0;
    for (int i = 0; i < table->count; i++) {
        const ib_SignalDef *def = &table->items[i];
        ib_SignalRole role = def->means.role;
        if (ib_signal_stem(def->name) != stem || strncmp(def->name, balance, stem) != 0) continue;
        if (ib_role_gives(role)) given += fabs(summary->final[i]);
        if (role == IB_ROLE_STORED || role == IB_ROLE_LOST)
            largest = ib_max(largest, ib_max(fabs(summary->min[i]), fabs(summary->max[i])));
    }
    return ib_max(given, largest);
}

// The advice for an energy error depends on the run's solver. "": no solver is more exact.
static void advise(const ib_Sim *sim, char text[IB_ADVICE_TEXT])
{
    const ib_Model *model = ib_sim_model(sim);
    const ib_UnstableStep *unstable = ib_sim_unstable_step(sim);
    ib_Advice advice = unstable ? unstable->advice : ib_advice_finer(model);
    text[0] = '\0';
    if (unstable || ib_advice_helps(&advice)) ib_advice_format(&advice, model->config, text);
}

// True if the robot has hit something.
static bool touched(const ib_RunOutcome *run, const ib_RobotModel *robot)
{
    return robot->contact_signal >= 0 && run->summary->max[robot->contact_signal] > 0;
}

// Describes an energy error, by its signal. Contacts are exact: an error with contacts is reported
// at a lower limit than one of tyres, motors and long steps. RoboSim's own formulas (upright
// bodies) do not balance on purpose.
static bool describe_book(const ib_RunOutcome *run, int signal, char *text, size_t size)
{
    const ib_Model *model = run->scenario->model;
    const ib_SignalDef *def = &model->signals.items[signal];
    bool published = false, exact = false;
    char advice[IB_ADVICE_TEXT];
    if (def->means.role != IB_ROLE_BALANCE) return false;
    double off = fabs(run->summary->final[signal]), energy = energy_in_book(run, def->name);
    for (int k = 0; k < model->robot_count; k++)
        if (signal >= model->robots[k].signal) {
            published = model->robots[k].ports.upright;
            exact = touched(run, &model->robots[k]);
        }
    if (!(off > (exact ? 1e-6 : 1e-3) * (energy + 1)) || published) return false;
    advise(run->sim, advice);
    const char *cause =
        exact ? "contacts have jammed, or many lie in a pile (docs/world/world.md, \"Limits\")"
              : "a formula of a new kind is wrong";
    snprintf(text, size, "%s: the energy balance is off by %.3g J of %.3g J; %s%s%s", def->name,
             off, energy, advice, advice[0] ? ". If that makes it no smaller, " : "", cause);
    return true;
}

// The warning for a signal with this largest value; NULL: none.
static const char *warning_of(const ib_SignalDef *def, double largest)
{
    if (!def->means.warns || !(largest > 0)) return NULL;
    if (!def->means.mode) return def->sentence;
    ib_ModeMeaning meaning = ib_mode_meaning(def->means.mode, largest);
    return meaning.level >= IB_MODE_WARNING ? meaning.text : NULL;
}

// Finds signals that should have stayed 0: the first instant at which each was largest.
static bool find_signal_warning(const ib_RunOutcome *run, int *index, ib_Time *time, char *text,
                                size_t size)
{
    const ib_SignalTable *table = &run->scenario->model->signals;
    for (int i = 0; i < table->count; i++) {
        const ib_SignalDef *def = &table->items[i];
        const char *words = warning_of(def, run->summary->max[i]);
        if (!words || (*index)-- > 0) continue;
        *time = run->summary->max_time[i];
        snprintf(text, size, "%s: at %.9g s %s", def->name, ib_time_to_seconds(*time), words);
        return true;
    }
    return false;
}

// Finds energy errors. A parameter changed during the run (a mass) adds energy outside all entries,
// without any fault of a step. `index` counts down to 0 at the wanted warning, also below.
static bool find_book_warning(const ib_RunOutcome *run, int *index, char *text, size_t size)
{
    if (run->changed || run->status != IB_OK) return false;
    for (int i = 0; i < run->scenario->model->signals.count; i++)
        if (describe_book(run, i, text, size) && (*index)-- == 0) return true;
    return false;
}

// Finds warnings of loops: before the run, at its end, and their failures.
static bool find_loop_warning(const ib_RunOutcome *run, int *index, ib_Time *time, char *text,
                              size_t size)
{
    const ib_Model *model = run->scenario->model;
    int count;
    for (int i = 0; i < 2 * model->control_count; i++) {
        const ib_Controller *loop = model->controls[i / 2].controller;
        bool told = i % 2 ? describe_end(run, loop, text, size) : describe_note(loop, text, size);
        if (!told || (*index)-- > 0) continue;
        *time = 0;
        return true;
    }
    const ib_PluginInterface *plugins = run->plugins;
    const ib_LoopTrouble *troubles = ib_sim_troubles(run->sim, &count);
    for (int i = 0; i < count * IB_CONTROL_STATUSES; i++) {
        const ib_LoopTrouble *trouble = &troubles[i / IB_CONTROL_STATUSES];
        int status = i % IB_CONTROL_STATUSES;
        if (!describe_trouble(model, plugins, trouble, status, text, size) || (*index)-- > 0)
            continue;
        *time = trouble->first[status];
        return true;
    }
    for (count = 0; plugins && plugins->trouble(plugins->self, count, time, text, size); count++)
        if (count == *index) return true;
    *index -= count;
    return false;
}

// Finds steps of routines that ran out of time, that wrongly reported their goal reached, or that
// were unfinished at the end of the run.
static bool find_step_warning(const ib_RunOutcome *run, int *index, ib_Time *time, char *text,
                              size_t size)
{
    const ib_Model *model = run->scenario->model;
    int count = ib_step_log_count(run->steps);
    for (int i = 0; i < count; i++) {
        ib_StepRun step = ib_step_log_run(run->steps, i);
        if (!ib_step_run_warning(model, &step, text, size) || (*index)-- > 0) continue;
        *time = step.ended == IB_TIME_NEVER ? ib_sim_time(run->sim) : step.ended;
        return true;
    }
    return false;
}

bool ib_run_warning(const ib_RunOutcome *run, int index, ib_Time *time, char *text, size_t size)
{
    int count = run->scenario->yaml.warning_count;
    const ib_Model *model = run->scenario->model;
    *time = 0;
    if (index < count) {
        ib_diagnostic_format(&run->scenario->yaml.warnings[index], text, size);
        return true;
    }
    index -= count;
    const ib_Clamp *clamps = ib_sim_clamps(run->sim, &count);
    if (index < count) {
        describe_clamp(model, &clamps[index], text, size);
        *time = clamps[index].time;
        return true;
    }
    index -= count;
    if (find_loop_warning(run, &index, time, text, size)) return true;
    if (find_step_warning(run, &index, time, text, size)) return true;
    if (find_signal_warning(run, &index, time, text, size)) return true;
    if (describe_gaps(run, time, text, size) && index-- == 0) return true;
    if (ib_stability_warning(run->sim, time, text, size) && index-- == 0) return true;
    if (describe_inexact_steps(run->sim, time, text, size) && index-- == 0) return true;
    *time = 0;
    if (describe_parts(run->sim, text, size) && index-- == 0) return true;
    if (describe_ghosts(model, text, size) && index-- == 0) return true;
    if (describe_driver(run, text, size) && index-- == 0) return true;
    return find_book_warning(run, &index, text, size);
}

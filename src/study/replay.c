#include "study/replay.h"

#include "study/recording.h"

#include <string.h>
#include <unistd.h>

// -------------------------------------------------------------------------------------------- open

// The scenario's file by the recording's name for it, or relative to the recording's folder; NULL:
// neither exists.
static const char *find_scenario(ib_Replay *replay, const char *name)
{
    const char *slash = strrchr(replay->recording, '/');
    if (access(name, R_OK) == 0) return name;
    if (name[0] == '/' || !slash) return NULL;
    const char *beside = ib_arena_format(&replay->arena, "%.*s/%s",
                                         (int)(slash - replay->recording), replay->recording, name);
    return beside && access(beside, R_OK) == 0 ? beside : NULL;
}

ib_Status ib_replay_open(ib_Replay *replay, const char *recording, ib_ScenarioOptions *options,
                         ib_Override *overrides, int most, const char **scenario, ib_Error *error)
{
    ib_Error why;
    replay->recording = recording;
    ib_Status status = ib_log_read(recording, &replay->log, error);
    if (status != IB_OK) return status;
    const char *name = ib_recording_fact(replay->log, "scenario");
    if (!name && !*scenario)
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s: it does not say which scenario it comes from: expected a "
                            "recording of 'ironbird serve SCENARIO --record FILE.wpilog'",
                            recording);
    replay->compares = options->override_count == 0 && !options->has_seed && !options->duration;
    options->overrides = overrides;
    status = ib_recording_overrides(replay->log, &replay->arena, overrides, most,
                                    &options->override_count, &why);
    if (status != IB_OK) return ib_error_set(error, status, "%s: %s", recording, why.text);
    if (!*scenario) *scenario = find_scenario(replay, name);
    if (*scenario) return IB_OK;
    return ib_error_set(error, IB_BAD_INPUT,
                        "%s: it comes from the scenario '%s', which is neither here nor beside "
                        "it; name its file: ironbird replay %s SCENARIO",
                        recording, name, recording);
}

// Refuses a recording without live inputs, unless it names its scenario: then there were none. Any
// other may have lost them.
static ib_Status refuse_empty(const ib_Replay *replay, ib_Error *error)
{
    if (ib_recording_fact(replay->log, "scenario"))
        return ib_error_set(error, IB_BAD_INPUT,
                            "%s: it holds no live inputs: 'ironbird run' of its scenario, with "
                            "the --set, --seed and --duration that it was made with, gives the "
                            "same run",
                            replay->recording);
    return ib_error_set(error, IB_BAD_INPUT,
                        "%s: it holds no live inputs, and a CSV has no place for them: expected "
                        "the .wpilog that 'ironbird serve --record' wrote, or that 'ironbird "
                        "convert' made of it",
                        replay->recording);
}

ib_Status ib_replay_attach(ib_Replay *replay, const ib_Scenario *scenario, ib_Sim *sim,
                           ib_Error *error)
{
    const ib_Model *model = scenario->model;
    const char *then = ib_recording_fact(replay->log, "fingerprint");
    const char *now = ib_recording_fingerprint(scenario, &replay->arena);
    replay->changed = then && now && strcmp(then, now) != 0;
    replay->params = ib_live_params(model, &replay->arena, &replay->param_count);
    ib_Status status = ib_journal_read(replay->log, model, replay->params, replay->param_count,
                                       &replay->arena, &replay->journal, error);
    if (status == IB_OK && replay->journal.count == 0) status = refuse_empty(replay, error);
    if (status != IB_OK) return status;
    return ib_journal_player_init(&replay->player, &replay->journal, replay->params, sim,
                                  &replay->arena, error);
}

void ib_replay_destroy(ib_Replay *replay)
{
    ib_journal_player_destroy(&replay->player);
    ib_log_destroy(replay->log);
    ib_arena_reset(&replay->arena);
}

// ----------------------------------------------------------------------------------------- verdict

// A run that failed must fail again, which ends the program with exit code 3 before this call.
bool ib_replay_same(const ib_Replay *replay)
{
    const ib_JournalPlayer *player = &replay->player;
    return !replay->compares || (player->wrong == 0 && player->checked > 0 && !player->fails);
}

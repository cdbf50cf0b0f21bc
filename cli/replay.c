#include "replay.h"

#include "recording.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

// -------------------------------------------------------------------------------------------- open

// The scenario's file as the recording names it, or seen from the folder of the recording; NULL:
// neither is there.
static const char *find_scenario(Replay *replay, const char *name)
{
    const char *slash = strrchr(replay->recording, '/');
    if (access(name, R_OK) == 0) return name;
    if (name[0] == '/' || !slash) return NULL;
    const char *beside = ib_arena_format(&replay->arena, "%.*s/%s",
                                         (int)(slash - replay->recording), replay->recording, name);
    return beside && access(beside, R_OK) == 0 ? beside : NULL;
}

static bool refuse(const Replay *replay, const char *text)
{
    fprintf(stderr, "ironbird replay: %s: %s\n", replay->recording, text);
    return false;
}

bool replay_open(Replay *replay, SessionConfig *config)
{
    ib_Error error;
    replay->recording = config->recording;
    if (ib_log_read(replay->recording, &replay->log, &error) != IB_OK) {
        fprintf(stderr, "ironbird replay: %s\n", error.text);
        return false;
    }
    const char *name = recording_fact(replay->log, "scenario");
    if (!name && !config->scenario)
        return refuse(replay, "it does not say which scenario it comes from: expected a recording "
                              "of 'ironbird serve --record' or 'ironbird run --log'");
    ib_ScenarioOptions *own = &config->common.scenario;
    replay->compares = own->override_count == 0 && !own->has_seed && !own->duration;
    own->overrides = config->common.overrides;
    if (recording_overrides(replay->log, &replay->arena, config->common.overrides, MAX_OVERRIDES,
                            &own->override_count, &error) != IB_OK)
        return refuse(replay, error.text);
    if (!config->scenario) config->scenario = find_scenario(replay, name);
    if (config->scenario) return true;
    fprintf(
        stderr,
        "ironbird replay: %s: it comes from the scenario '%s', which is neither here nor beside "
        "it; name its file: ironbird replay %s SCENARIO\n",
        replay->recording, name, replay->recording);
    return false;
}

ib_Status replay_attach(Replay *replay, Session *session, ib_Error *error)
{
    const ib_Model *model = session->scenario->model;
    const char *then = recording_fact(replay->log, "fingerprint");
    const char *now = recording_fingerprint(session->scenario, &replay->arena);
    replay->changed = then && now && strcmp(then, now) != 0;
    replay->params = ib_live_params(model, &replay->arena, &replay->param_count);
    ib_Status status = ib_drive_read(replay->log, model, replay->params, replay->param_count,
                                     &replay->arena, &replay->drive, error);
    if (status == IB_OK && replay->drive.count == 0)
        status = ib_error_set(error, IB_BAD_INPUT,
                              "%s: it holds no live inputs: 'ironbird run' of its scenario gives "
                              "the same run",
                              replay->recording);
    if (status != IB_OK) return status;
    return ib_drive_player_init(&replay->player, &replay->drive, replay->params, session->sim,
                                &replay->arena, error);
}

void replay_destroy(Replay *replay)
{
    ib_drive_player_destroy(&replay->player);
    ib_log_destroy(replay->log);
    ib_arena_reset(&replay->arena);
}

// ----------------------------------------------------------------------------------------- verdict

// A run that failed then must fail now, which ends it with exit code 3 before this is asked.
bool replay_same(const Replay *replay)
{
    const ib_DrivePlayer *player = &replay->player;
    return !replay->compares || (player->wrong == 0 && player->checked > 0 && !player->fails);
}

void replay_print(const Replay *replay, FILE *file)
{
    const ib_DrivePlayer *player = &replay->player;
    if (replay->changed)
        fprintf(file, "replay: the scenario's files, or the program, have changed since the "
                      "recording\n");
    if (!replay->compares) {
        fprintf(file, "replay: not compared with the recording, since --set, --seed or --duration "
                      "make it another run\n");
    } else if (player->status != IB_OK) {
        fprintf(file, "replay: it cannot be made again: %s\n", player->error.text);
    } else if (player->checked == 0) {
        fprintf(file,
                "replay: the recording was cut off before its first state: nothing to compare "
                "with\n");
    } else if (player->wrong == 0) {
        fprintf(file, "replay: the same state at all %" PRId64 " recorded times, up to %.9g s%s\n",
                player->checked, ib_time_to_seconds(player->good),
                player->ended   ? ", which is the end"
                : player->fails ? "; then the recorded run failed"
                                : " (the recording was cut off there)");
    } else {
        fprintf(file, "replay: NOT the same: the states differ from %.9g s on",
                ib_time_to_seconds(player->bad));
        if (player->good >= 0)
            fprintf(file, ", and were the same until %.9g s", ib_time_to_seconds(player->good));
        fputc('\n', file);
    }
}

void replay_print_json(const Replay *replay, ib_Json *json)
{
    const ib_DrivePlayer *player = &replay->player;
    ib_json_open(json, "replay", '{');
    ib_json_text(json, "recording", replay->recording);
    ib_json_flag(json, "compared", replay->compares);
    ib_json_flag(json, "same", player->wrong == 0 && player->checked > 0);
    ib_json_integer(json, "checked", player->checked);
    ib_json_integer(json, "wrong", player->wrong);
    ib_json_flag(json, "ended", player->ended);
    ib_json_flag(json, "changed", replay->changed);
    ib_json_close(json, '}');
}

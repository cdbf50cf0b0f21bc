// record/journal_player.c: replays a recorded run event by event.
#include "record/journal.h"

ib_Status ib_journal_player_init(ib_JournalPlayer *player, const ib_Journal *journal,
                                 const ib_LiveParam *params, ib_Sim *sim, ib_Arena *arena,
                                 ib_Error *error)
{
    *player = (ib_JournalPlayer){
        .journal = journal, .params = params, .sim = sim, .good = -1, .bad = -1, .status = IB_OK};
    ib_Status status = ib_live_input_init(ib_sim_model(sim), arena, &player->live, error);
    if (status == IB_OK) ib_sim_connect(sim, ib_live_input_source(&player->live));
    return status;
}

static void echo(const ib_JournalPlayer *player, ib_JournalEvent event)
{
    if (!player->echo) return;
    event.time = ib_sim_time(player->sim);
    if (event.type == IB_JOURNAL_STATE) event.hash = ib_sim_hash(player->sim);
    player->echo(player->echo_self, &event);
}

enum { MOST_SETTINGS = 64 }; ///< checked together

// All settings of one time are one change: single ones might make the robot impossible.
static void change(ib_JournalPlayer *player)
{
    const ib_JournalEvent *events = player->journal->events, *first = &events[player->next];
    ib_Setting settings[MOST_SETTINGS];
    int count = 0;
    for (; player->next < player->journal->count && count < MOST_SETTINGS; player->next++) {
        const ib_JournalEvent *event = &events[player->next];
        if (event->type != IB_JOURNAL_SET || event->time != first->time) break;
        settings[count++] = (ib_Setting){&player->params[event->index], event->value};
    }
    ib_Variant *variant;
    player->status =
        ib_variant_create(ib_sim_model(player->sim), settings, count, &variant, &player->error);
    if (player->status != IB_OK) return;
    ib_sim_change(player->sim, variant->model);
    ib_variant_destroy(player->variant);
    player->variant = variant;
    for (int i = 0; i < count; i++) echo(player, first[i]);
}

static void compare(ib_JournalPlayer *player, const ib_JournalEvent *event)
{
    // A state belongs to its time: other steps give another state.
    bool same = ib_sim_time(player->sim) == event->time && ib_sim_hash(player->sim) == event->hash;
    player->checked++;
    player->wrong += !same;
    if (same && player->wrong == 0) player->good = event->time;
    if (!same && player->bad < 0) player->bad = event->time;
    player->ended |= event->type == IB_JOURNAL_END;
}

static void take(ib_JournalPlayer *player)
{
    const ib_JournalEvent *event = &player->journal->events[player->next];
    if (event->type == IB_JOURNAL_SET) {
        change(player);
        return;
    }
    player->next++;
    switch (event->type) {
    case IB_JOURNAL_INPUT:
        player->live.values[event->index] = event->value;
        player->live.given[event->index] = true;
        break;
    case IB_JOURNAL_NEUTRAL:
        player->live.given[event->index] = false;
        break;
    case IB_JOURNAL_STATE:
    case IB_JOURNAL_END:
        compare(player, event);
        break;
    default:
        player->fails = true;
        break;
    }
    if (event->type < IB_JOURNAL_END) echo(player, *event);
}

ib_Time ib_journal_between(void *self, ib_Time time)
{
    ib_JournalPlayer *player = self;
    const ib_Journal *journal = player->journal;
    while (player->status == IB_OK && player->next < journal->count &&
           journal->events[player->next].time <= time)
        take(player);
    if (player->status != IB_OK) return IB_RUN_ENDS;
    if (player->fails) return IB_TIME_NEVER; // the run continues to its failure
    // A truncated recording ends with its last event.
    return player->next < journal->count ? journal->events[player->next].time : IB_RUN_ENDS;
}

void ib_journal_player_finish(ib_JournalPlayer *player)
{
    ib_journal_between(player, ib_sim_time(player->sim));
}

void ib_journal_player_destroy(ib_JournalPlayer *player)
{
    ib_variant_destroy(player->variant);
    player->variant = NULL;
}

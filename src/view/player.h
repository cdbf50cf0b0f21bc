// view/player.h: plays a recording for the viewer, at any speed and from any place. docs/viewer.md
//
// Between two samples values go straight from one to the next, but modes, and signals that are
// recorded only now and then, keep theirs.
#ifndef IB_VIEW_PLAYER_H
#define IB_VIEW_PLAYER_H

#include "record/log.h"
#include "view/feed.h"

typedef struct ib_PlayerOptions {
    const char *path; ///< of the recording, as shown to people
    double speed;     ///< recorded over wall time; 0: as fast as one can follow
    bool paused;
} ib_PlayerOptions;

typedef struct ib_Player ib_Player;

// `log` and the texts of `options` must outlive it. IB_BAD_INPUT: there is nothing in it to play.
ib_Status ib_player_create(const ib_Log *log, const ib_PlayerOptions *options, ib_Player **player,
                           ib_Error *error);
ib_Status ib_player_start(ib_Player *player, ib_Error *error); ///< its thread
void ib_player_stop(ib_Player *player);
ib_ViewSource *ib_player_source(ib_Player *player);
void ib_player_destroy(ib_Player *player); ///< stops it; NULL is fine

#endif

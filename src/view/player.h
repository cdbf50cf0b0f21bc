// view/player.h: plays a recording for the viewer, at any speed and from any
// place. docs/view/viewer.md
//
// Values between two samples are interpolated linearly, but modes, and signals with rare samples,
// keep theirs.
#ifndef IB_VIEW_PLAYER_H
#define IB_VIEW_PLAYER_H

#include "record/log.h"
#include "view/feed.h"

typedef struct ib_PlayerOptions {
    const char *path; ///< of the recording, as shown to people
    double speed;     ///< recorded over wall time; 0: the fastest useful one
    bool paused;
} ib_PlayerOptions;

typedef struct ib_Player ib_Player;

// `log` and the texts of `options` must outlive the player. IB_BAD_INPUT: the log has nothing
// to play.
ib_Status ib_player_create(const ib_Log *log, const ib_PlayerOptions *options, ib_Player **player,
                           ib_Error *error);
ib_Status ib_player_start(ib_Player *player, ib_Error *error); ///< starts its thread
void ib_player_stop(ib_Player *player);
ib_ViewSource *ib_player_source(ib_Player *player);
void ib_player_destroy(ib_Player *player); ///< stops it; may be NULL

#endif

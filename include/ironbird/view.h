// ironbird/view.h: everything public of src/view.
#ifndef IRONBIRD_VIEW_H
#define IRONBIRD_VIEW_H

#include "view/feed.h"
#include "view/live.h"
#include "view/player.h"
#include "view/server.h"

#endif

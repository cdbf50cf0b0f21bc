// desk/plan/plan_cache.h: a cache of computed plans: a path search takes a second, and all runs of
// a sweep name the same plan. docs/design/plan.md
#ifndef IB_DESK_PLAN_PLAN_CACHE_H
#define IB_DESK_PLAN_PLAN_CACHE_H

#include "control/arm/arm_track.h"
#include "file/reader.h"

typedef struct ib_PlanCache ib_PlanCache;

// NULL: out of memory.
ib_PlanCache *ib_plan_cache_create(void);
void ib_plan_cache_destroy(ib_PlanCache *cache);

// The plan of a file, in the reader's arena; the reader gets its files and warnings. It is computed
// if it is not in the cache yet, or if one of its files has changed; without a cache (NULL) every
// time. Without `ways` it has none, and takes no time. On mistakes NULL, with all of them in the
// reader's diagnostics, or with one in `error`. Threads may call it at the same time: they wait for
// each other.
const ib_ArmPlan *ib_plan_cache_take(ib_PlanCache *cache, ib_Reader *reader, const char *path,
                                     bool ways, ib_Error *error);

// The number of plans computed so far.
int ib_plan_cache_count(ib_PlanCache *cache);

#endif

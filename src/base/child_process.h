// base/child_process.h: work in a child process, which may die or hang while its parent goes on.
#ifndef IB_BASE_CHILD_PROCESS_H
#define IB_BASE_CHILD_PROCESS_H

#include "base/status.h"
#include "base/stop.h"

typedef ib_Status ib_ChildWork(void *self, ib_Error *error);

// Does the work in a copy of this process, which then ends and leaves its status and error text
// alone. Its printed output is lost. A child that dies, or takes more than so many seconds of
// processor time, is IB_BAD_INPUT with a sentence on how it ended. A stop of the parent (NULL:
// never) ends the child, IB_INTERRUPTED. Other threads are not copied: a lock that one of them
// holds stays locked in the child.
ib_Status ib_child_process(ib_ChildWork *work, void *self, int seconds,
                           const volatile sig_atomic_t *stop, ib_Error *error);

#endif

// test/key_hosts.h: small files around each table of keys that `ironbird list` shows.
#ifndef IB_TEST_KEY_HOSTS_H
#define IB_TEST_KEY_HOSTS_H

#include "base/arena.h"
#include "base/schema.h"

typedef struct KeyHost {
    const char *table;  ///< "robot", "start", "plant", … as in key_hosts.c
    const char *kind;   ///< of the table: "tank"; of a mechanism's items also a path
    const char *prefix; ///< of the keys in the file: "robot."
    const char *units;  ///< "m V": what stands for Y and U of a loop's or a sensor's keys
    const char *text;   ///< the file
} KeyHost;

extern const KeyHost key_hosts[]; ///< a table of NULL ends them

// The keys of a host, in `arena`. False: there is no such kind.
bool key_host_schema(const KeyHost *host, ib_Arena *arena, ib_Schema *schema);

// A kind that no host has; NULL: each has one.
const char *key_host_missing(void);

#endif

// view/address.h: addresses of the network, and a socket that listens at one.
#ifndef IB_VIEW_ADDRESS_H
#define IB_VIEW_ADDRESS_H

#include "base/status.h"

#include <stdbool.h>

typedef struct ib_Address {
    bool six;                ///< of IPv6, otherwise of IPv4
    unsigned char bytes[16]; ///< 4 or 16 of them, as on the wire
} ib_Address;

// Reads "127.0.0.1" or "::1": four decimal numbers without leading zeros, or the forms of IPv6.
bool ib_address_read(const char *text, ib_Address *address);
bool ib_address_equal(const ib_Address *a, const ib_Address *b);
bool ib_address_loopback(const ib_Address *address); ///< 127.x.x.x, ::1
bool ib_address_any(const ib_Address *address);      ///< 0.0.0.0, ::

// True if the text itself means this machine alone: localhost, 127.x, ::1, [::1]. A name may prove
// loopback only after a lookup.
bool ib_address_local(const char *host);

// "[::1]" without its brackets, which belong to URLs; other texts unchanged, cut to `size`.
void ib_address_bare(const char *host, char *bare, size_t size);

// An address by which other machines reach this one, as text of `size` bytes (64 suffice); false:
// none is known.
bool ib_address_outer(char *text, size_t size);

// A socket that listens at `host` (an address or a name) and `port` (0: any free one) and does not
// block. `port` becomes the actual one, `address` the one of the name; localhost is 127.0.0.1,
// without a lookup.
ib_Status ib_address_listen(const char *host, int *port, ib_Address *address, int *fd,
                            ib_Error *error);

#endif

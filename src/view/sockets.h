// view/sockets.h: libwebsockets, opened when the viewer's server starts. It needs OpenSSL, and both
// take longer to load than most commands to run.
#ifndef IB_VIEW_SOCKETS_H
#define IB_VIEW_SOCKETS_H

#include "base/status.h"

#include <libwebsockets.h>

// The functions used, by their names without lws_.
#define IB_SOCKET_FUNCTIONS(F)                                                                     \
    F(adopt_descriptor_vhost)                                                                      \
    F(adopt_socket_vhost_readbuf)                                                                  \
    F(callback_on_writable)                                                                        \
    F(close_reason)                                                                                \
    F(context_destroy)                                                                             \
    F(context_user)                                                                                \
    F(create_context)                                                                              \
    F(create_vhost)                                                                                \
    F(frame_is_binary)                                                                             \
    F(get_context)                                                                                 \
    F(is_final_fragment)                                                                           \
    F(remaining_packet_payload)                                                                    \
    F(service)                                                                                     \
    F(set_log_level)                                                                               \
    F(set_timeout)                                                                                 \
    F(sul_schedule)                                                                                \
    F(write)

#define IB_SOCKET_POINTER(name) __typeof__(&lws_##name) name;
typedef struct ib_Sockets {
    IB_SOCKET_FUNCTIONS(IB_SOCKET_POINTER)
} ib_Sockets;

// The functions, filled by the first successful ib_sockets_open.
extern ib_Sockets ib_sockets;

// Fails if the library is missing.
ib_Status ib_sockets_open(ib_Error *error);

#endif

// view/guard.h: who may have the page and the socket. One rule for both. docs/viewer.md
//
// What stands against it: a web page of somebody else in the same browser (Origin), a name that is
// made to point at this machine (Host), a neighbour on the network (token). Pure.
#ifndef IB_VIEW_GUARD_H
#define IB_VIEW_GUARD_H

#include "view/request.h"

enum { IB_TOKEN = 32 }; ///< hexadecimal digits: 128 bits

typedef struct ib_Guard {
    char host[256]; ///< address bound to, as given: "127.0.0.1", "::", "192.168.1.5"
    char name[256]; ///< this machine's host name; "": none
    int port;
    bool loopback; ///< the address is one of this machine alone
    bool any;      ///< bound to all addresses (0.0.0.0, ::)
    bool open;     ///< the token is needed
    char token[IB_TOKEN + 1];
} ib_Guard;

typedef enum ib_GuardAnswer { IB_GUARD_REFUSE, IB_GUARD_PAGE, IB_GUARD_SOCKET } ib_GuardAnswer;

typedef struct ib_Verdict {
    ib_GuardAnswer answer;
    int code;         ///< of HTTP: 200, 101; refused: 400, 403, 404, 405, 426
    const char *text; ///< refused: one plain sentence; otherwise ""
} ib_Verdict;

ib_Verdict ib_guard_decide(const ib_Guard *guard, const ib_Request *request);

// The parts of it. `host` is the value of the header, `target` what follows the method.
bool ib_guard_host(const ib_Guard *guard, ib_Span host);
bool ib_guard_origin(ib_Span host, ib_Span origin);        ///< exactly http:// and the host
bool ib_guard_token(const ib_Guard *guard, ib_Span query); ///< "token=…"; takes equally long

// A new token from the system's random numbers; false when there are none.
bool ib_guard_draw(char token[IB_TOKEN + 1]);

#endif

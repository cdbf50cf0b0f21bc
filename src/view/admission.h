// view/admission.h: access control for the page and the socket, one rule for
// both. docs/view/viewer.md
//
// It refuses a foreign web page in the same browser (Origin), a name made to point at this machine
// (Host), a neighbour on the network (token). Its functions are pure.
#ifndef IB_VIEW_ADMISSION_H
#define IB_VIEW_ADMISSION_H

#include "view/request.h"

enum { IB_TOKEN = 32 }; ///< hexadecimal digits: 128 bits

typedef struct ib_Admission {
    char host[256]; ///< address bound to, as given: "127.0.0.1", "::", "192.168.1.5"
    char name[256]; ///< this machine's host name; "": none
    int port;
    bool loopback; ///< the address is one of this machine alone
    bool any;      ///< bound to all addresses (0.0.0.0, ::)
    bool open;     ///< the token is required
    char token[IB_TOKEN + 1];
} ib_Admission;

typedef enum ib_AdmissionKind {
    IB_ADMISSION_REFUSE,
    IB_ADMISSION_PAGE,
    IB_ADMISSION_SOCKET
} ib_AdmissionKind;

typedef struct ib_AdmissionAnswer {
    ib_AdmissionKind kind;
    int code;         ///< of HTTP: 200, 101; refused: 400, 403, 404, 405, 426
    const char *text; ///< refused: one plain sentence; otherwise ""
} ib_AdmissionAnswer;

ib_AdmissionAnswer ib_admission_decide(const ib_Admission *admission, const ib_Request *request);

// The parts of the decision. `host` is the value of the header, `target` the text behind the
// method. `query` holds "token=…", compared in constant time.
bool ib_admission_host(const ib_Admission *admission, ib_Span host);
bool ib_admission_origin(ib_Span host, ib_Span origin); ///< exactly http:// and the host
bool ib_admission_token(const ib_Admission *admission, ib_Span query);

// Draws a token from the system's random numbers; false when there are none.
bool ib_admission_draw_token(char token[IB_TOKEN + 1]);

#endif

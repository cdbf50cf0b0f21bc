#include "view/sockets.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

ib_Sockets ib_sockets;

static bool complete;

static void open_library(void)
{
    // CMakeLists.txt has the name of the library whose header this was built with.
    void *library = dlopen(IB_SOCKETS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    complete = true;
#define LOOK_UP(name)                                                                              \
    {                                                                                              \
        /* POSIX promises that these bits are those of the function. */                            \
        void *symbol = dlsym(library, "lws_" #name);                                               \
        memcpy(&ib_sockets.name, &symbol, sizeof symbol);                                          \
        complete &= symbol != NULL;                                                                \
    }
    IB_SOCKET_FUNCTIONS(LOOK_UP)
}

ib_Status ib_sockets_open(ib_Error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    if (complete) return IB_OK;
    return ib_error_set(error, IB_FAILED,
                        "%s is not there, which the viewer's server needs: install libwebsockets",
                        IB_SOCKETS_LIBRARY);
}

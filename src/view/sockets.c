#include "view/sockets.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

ib_Sockets ib_sockets;

static bool complete;
static char trouble[200]; ///< the loader's message, which names the library

static void open_library(void)
{
    // CMakeLists.txt defines the name of the library with the header used in this build.
    void *library = dlopen(IB_SOCKETS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    complete = library != NULL;
    if (!library) snprintf(trouble, sizeof trouble, "%s", dlerror());
    if (!library) return;
#define LOOK_UP(name)                                                                              \
    {                                                                                              \
        /* POSIX promises that these bits are those of the function. */                            \
        void *symbol = dlsym(library, "lws_" #name);                                               \
        memcpy(&ib_sockets.name, &symbol, sizeof symbol);                                          \
        if (!symbol) snprintf(trouble, sizeof trouble, "%s", dlerror());                           \
        complete &= symbol != NULL;                                                                \
    }
    IB_SOCKET_FUNCTIONS(LOOK_UP)
}

ib_Status ib_sockets_open(ib_Error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    if (complete) return IB_OK;
    return ib_error_set(
        error, IB_FAILED,
        "cannot use %s, which the viewer's server needs (%s): install libwebsockets "
        "(Debian: libwebsockets17)",
        IB_SOCKETS_LIBRARY, trouble);
}

// view/tryout.c: who wants to try what, and the thread that works it out.
#include "view/tryout.h"

#include "sim/pace.h"
#include "view/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 64 }; ///< as many clients as the server takes

static const int64_t patience = 2 * IB_SECOND; ///< for one trial

typedef struct Place {
    int client; ///< 0: free
    bool wanted;
    int id, gear;
    double values[IB_KNOBS_MAX]; ///< of all knobs
    char *answer;                ///< NULL: none, or taken
    size_t size;
} Place;

struct ib_Tryout {
    const ib_DesignKnobs *knobs;
    ib_Arena arena;
    ib_Feed *feed; ///< says that nothing runs
    ib_ViewSource source;
    pthread_t thread;
    bool started;
    atomic_bool stop;
    int64_t deadline; ///< of the trial under way, on the wall clock [ns]

    pthread_mutex_t lock; ///< of what follows; held for moments only
    pthread_cond_t news;
    int next; ///< the place that is looked at first
    int64_t count;
    Place places[PLACES];
};

// -------------------------------------------------------------------------------------- the thread

static bool give_up(void *self)
{
    ib_Tryout *tryout = self;
    return atomic_load_explicit(&tryout->stop, memory_order_relaxed) ||
           ib_wall_now() > tryout->deadline;
}

// The next client in turn that wants something; NULL: nobody does.
static Place *next_wanted(ib_Tryout *tryout)
{
    for (int i = 0; i < PLACES; i++) {
        Place *place = &tryout->places[(tryout->next + i) % PLACES];
        if (!place->client || !place->wanted) continue;
        tryout->next = (tryout->next + i + 1) % PLACES;
        return place;
    }
    return NULL;
}

// Works out what was wanted, with the lock let go meanwhile.
static void serve_place(ib_Tryout *tryout, Place *place)
{
    double values[IB_KNOBS_MAX];
    int client = place->client;
    ib_TryoutTask task = {.knobs = tryout->knobs,
                          .id = place->id,
                          .gear = place->gear,
                          .values = values,
                          .give_up = give_up,
                          .give_up_self = tryout};
    memcpy(values, place->values, sizeof values);
    place->wanted = false;
    pthread_mutex_unlock(&tryout->lock);

    ib_Arena arena = {0};
    tryout->deadline = ib_wall_now() + patience;
    const char *text = ib_tryout_answer(&task, &arena);
    char *answer = text ? strdup(text) : NULL;
    ib_arena_reset(&arena);

    pthread_mutex_lock(&tryout->lock);
    tryout->count++;
    if (!answer || place->client != client) {
        free(answer);
        return;
    }
    free(place->answer);
    place->answer = answer;
    place->size = strlen(answer);
}

static void *work(void *self)
{
    ib_Tryout *tryout = self;
    pthread_mutex_lock(&tryout->lock);
    while (!atomic_load(&tryout->stop)) {
        Place *place = next_wanted(tryout);
        if (place)
            serve_place(tryout, place);
        else
            pthread_cond_wait(&tryout->news, &tryout->lock);
    }
    pthread_mutex_unlock(&tryout->lock);
    return NULL;
}

// -------------------------------------------------------------------------------------- the server

static Place *place_of(ib_Tryout *tryout, int client)
{
    for (int i = 0; i < PLACES; i++)
        if (tryout->places[i].client == client) return &tryout->places[i];
    return NULL;
}

static void attempt(void *self, int client, const ib_Attempt *wish)
{
    ib_Tryout *tryout = self;
    pthread_mutex_lock(&tryout->lock);
    Place *place = place_of(tryout, client);
    if (!place) place = place_of(tryout, 0);
    if (place) {
        place->client = client;
        place->wanted = true;
        place->id = wish->id;
        place->gear = wish->gear;
        for (int i = 0; i < tryout->knobs->count; i++)
            place->values[i] = tryout->knobs->knobs[i].value;
        for (int i = 0; i < wish->count; i++) place->values[wish->knobs[i]] = wish->values[i];
        pthread_cond_signal(&tryout->news);
    }
    pthread_mutex_unlock(&tryout->lock);
}

static bool answered(void *self, int client)
{
    ib_Tryout *tryout = self;
    pthread_mutex_lock(&tryout->lock);
    const Place *place = place_of(tryout, client);
    bool there = place && place->answer;
    pthread_mutex_unlock(&tryout->lock);
    return there;
}

static size_t answer(void *self, int client, char text[IB_ANSWER_TEXT])
{
    ib_Tryout *tryout = self;
    size_t size = 0;
    pthread_mutex_lock(&tryout->lock);
    Place *place = place_of(tryout, client);
    if (place && place->answer) {
        IB_ASSERT(place->size <= IB_ANSWER_TEXT);
        memcpy(text, place->answer, size = place->size);
        free(place->answer);
        place->answer = NULL;
    }
    pthread_mutex_unlock(&tryout->lock);
    return size;
}

static void forget(void *self, int client)
{
    ib_Tryout *tryout = self;
    pthread_mutex_lock(&tryout->lock);
    Place *place = place_of(tryout, client);
    if (place) {
        free(place->answer);
        *place = (Place){0};
    }
    pthread_mutex_unlock(&tryout->lock);
}

// ----------------------------------------------------------------------------- create, start, stop

static ib_Status make(ib_Tryout *tryout, const char *path, ib_Error *error)
{
    const ib_DesignKnobs *knobs = tryout->knobs;
    ib_Status status = ib_feed_create(0, &tryout->feed, error);
    if (status != IB_OK) return status;
    ib_FeedStatus paused = {.state = IB_FEED_PAUSED, .run = 1, .speed = 1};
    ib_feed_set_status(tryout->feed, &paused);
    tryout->source = (ib_ViewSource){.self = tryout,
                                     .feed = tryout->feed,
                                     .hello = ib_tryout_hello(knobs, path, &tryout->arena),
                                     .knob_count = knobs->count,
                                     .gear_count = knobs->first->gear_count,
                                     .attempt = attempt,
                                     .answered = answered,
                                     .answer = answer,
                                     .forget = forget};
    return tryout->source.hello ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory");
}

ib_Status ib_tryout_create(const ib_DesignKnobs *knobs, const char *path, ib_Tryout **result,
                           ib_Error *error)
{
    ib_Tryout *tryout = calloc(1, sizeof *tryout);
    if (!tryout) return ib_error_set(error, IB_FAILED, "out of memory for the design");
    tryout->knobs = knobs;
    pthread_mutex_init(&tryout->lock, NULL);
    pthread_cond_init(&tryout->news, NULL);
    ib_Status status = make(tryout, path, error);
    if (status != IB_OK) {
        ib_tryout_destroy(tryout);
        return status;
    }
    *result = tryout;
    return IB_OK;
}

ib_Status ib_tryout_start(ib_Tryout *tryout, ib_Error *error)
{
    ib_Status status = ib__worker_start(&tryout->thread, work, tryout, "the design", error);
    tryout->started = status == IB_OK;
    return status;
}

void ib_tryout_stop(ib_Tryout *tryout)
{
    if (!tryout->started) return;
    pthread_mutex_lock(&tryout->lock);
    atomic_store(&tryout->stop, true);
    pthread_cond_signal(&tryout->news);
    pthread_mutex_unlock(&tryout->lock);
    pthread_join(tryout->thread, NULL);
    tryout->started = false;
}

ib_ViewSource *ib_tryout_source(ib_Tryout *tryout)
{
    return &tryout->source;
}

int64_t ib_tryout_count(ib_Tryout *tryout)
{
    pthread_mutex_lock(&tryout->lock);
    int64_t count = tryout->count;
    pthread_mutex_unlock(&tryout->lock);
    return count;
}

void ib_tryout_destroy(ib_Tryout *tryout)
{
    if (!tryout) return;
    ib_tryout_stop(tryout);
    for (int i = 0; i < PLACES; i++) free(tryout->places[i].answer);
    pthread_cond_destroy(&tryout->news);
    pthread_mutex_destroy(&tryout->lock);
    ib_feed_destroy(tryout->feed);
    ib_arena_reset(&tryout->arena);
    free(tryout);
}

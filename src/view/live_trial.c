// view/live_trial.c: the clients' requested trials, and the thread that computes them.
#include "view/live_trial.h"

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

struct ib_LiveTrial {
    const ib_DesignKnobs *knobs;
    ib_Arena arena;
    ib_Feed *feed; ///< has a status in which nothing runs
    ib_ViewSource source;
    ib__Worker worker;
    atomic_bool stop;
    int64_t deadline; ///< of the trial under way, on the wall clock [ns]

    pthread_mutex_t lock; ///< of the fields below; held briefly
    pthread_cond_t news;
    int next; ///< the place served first
    int64_t count;
    Place places[PLACES];
};

// -------------------------------------------------------------------------------------- the thread

static bool give_up(void *self)
{
    ib_LiveTrial *live_trial = self;
    return atomic_load_explicit(&live_trial->stop, memory_order_relaxed) ||
           ib_wall_now() > live_trial->deadline;
}

// The next client in turn with a request; NULL: none.
static Place *next_wanted(ib_LiveTrial *live_trial)
{
    for (int i = 0; i < PLACES; i++) {
        Place *place = &live_trial->places[(live_trial->next + i) % PLACES];
        if (!place->client || !place->wanted) continue;
        live_trial->next = (live_trial->next + i + 1) % PLACES;
        return place;
    }
    return NULL;
}

// Computes the requested trial, with the lock released meanwhile.
static void serve_place(ib_LiveTrial *live_trial, Place *place)
{
    double values[IB_KNOBS_MAX];
    int client = place->client;
    ib_LiveTrialTask task = {.knobs = live_trial->knobs,
                             .id = place->id,
                             .gear = place->gear,
                             .values = values,
                             .give_up = give_up,
                             .give_up_self = live_trial};
    memcpy(values, place->values, sizeof values);
    place->wanted = false;
    pthread_mutex_unlock(&live_trial->lock);

    ib_Arena arena = {0};
    live_trial->deadline = ib_wall_now() + patience;
    const char *text = ib_live_trial_answer(&task, &arena);
    char *answer = text ? strdup(text) : NULL;
    ib_arena_reset(&arena);

    pthread_mutex_lock(&live_trial->lock);
    live_trial->count++;
    if (!answer || place->client != client) {
        free(answer);
        return;
    }
    free(place->answer);
    place->answer = answer;
    place->size = strlen(answer);
}

// The worker's thread: it serves one request after the other and sleeps while there is none.
static void *work(void *self)
{
    ib_LiveTrial *live_trial = self;
    pthread_mutex_lock(&live_trial->lock);
    while (!atomic_load(&live_trial->stop)) {
        Place *place = next_wanted(live_trial);
        if (place)
            serve_place(live_trial, place);
        else
            pthread_cond_wait(&live_trial->news, &live_trial->lock);
    }
    pthread_mutex_unlock(&live_trial->lock);
    return NULL;
}

// -------------------------------------------------------------------------------------- the server

static Place *place_of(ib_LiveTrial *live_trial, int client)
{
    for (int i = 0; i < PLACES; i++)
        if (live_trial->places[i].client == client) return &live_trial->places[i];
    return NULL;
}

// The newest request of a client replaces an older, unserved one.
static void request_trial(void *self, int client, const ib_TrialRequest *wish)
{
    ib_LiveTrial *live_trial = self;
    pthread_mutex_lock(&live_trial->lock);
    Place *place = place_of(live_trial, client);
    if (!place) place = place_of(live_trial, 0);
    if (place) {
        place->client = client;
        place->wanted = true;
        place->id = wish->id;
        place->gear = wish->gear;
        for (int i = 0; i < live_trial->knobs->count; i++)
            place->values[i] = live_trial->knobs->knobs[i].value;
        for (int i = 0; i < wish->count; i++) place->values[wish->knobs[i]] = wish->values[i];
        pthread_cond_signal(&live_trial->news);
    }
    pthread_mutex_unlock(&live_trial->lock);
}

static bool answered(void *self, int client)
{
    ib_LiveTrial *live_trial = self;
    pthread_mutex_lock(&live_trial->lock);
    const Place *place = place_of(live_trial, client);
    bool there = place && place->answer;
    pthread_mutex_unlock(&live_trial->lock);
    return there;
}

static size_t answer(void *self, int client, char text[IB_ANSWER_TEXT])
{
    ib_LiveTrial *live_trial = self;
    size_t size = 0;
    pthread_mutex_lock(&live_trial->lock);
    Place *place = place_of(live_trial, client);
    if (place && place->answer) {
        IB_ASSERT(place->size <= IB_ANSWER_TEXT);
        memcpy(text, place->answer, size = place->size);
        free(place->answer);
        place->answer = NULL;
    }
    pthread_mutex_unlock(&live_trial->lock);
    return size;
}

static void forget(void *self, int client)
{
    ib_LiveTrial *live_trial = self;
    pthread_mutex_lock(&live_trial->lock);
    Place *place = place_of(live_trial, client);
    if (place) {
        free(place->answer);
        *place = (Place){0};
    }
    pthread_mutex_unlock(&live_trial->lock);
}

// ----------------------------------------------------------------------------- create, start, stop

static ib_Status make(ib_LiveTrial *live_trial, const char *path, ib_Error *error)
{
    const ib_DesignKnobs *knobs = live_trial->knobs;
    ib_Status status = ib_feed_create(0, &live_trial->feed, error);
    if (status != IB_OK) return status;
    ib_FeedStatus paused = {.state = IB_FEED_PAUSED, .run = 1, .speed = 1};
    ib_feed_set_status(live_trial->feed, &paused);
    live_trial->source =
        (ib_ViewSource){.self = live_trial,
                        .feed = live_trial->feed,
                        .hello = ib_live_trial_hello(knobs, path, &live_trial->arena),
                        .knob_count = knobs->count,
                        .gear_count = knobs->first->gear_count,
                        .request_trial = request_trial,
                        .answered = answered,
                        .answer = answer,
                        .forget = forget};
    return live_trial->source.hello ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory");
}

ib_Status ib_live_trial_create(const ib_DesignKnobs *knobs, const char *path, ib_LiveTrial **result,
                               ib_Error *error)
{
    ib_LiveTrial *live_trial = calloc(1, sizeof *live_trial);
    if (!live_trial) return ib_error_set(error, IB_FAILED, "out of memory for the design");
    live_trial->knobs = knobs;
    pthread_mutex_init(&live_trial->lock, NULL);
    pthread_cond_init(&live_trial->news, NULL);
    ib_Status status = make(live_trial, path, error);
    if (status != IB_OK) {
        ib_live_trial_destroy(live_trial);
        return status;
    }
    *result = live_trial;
    return IB_OK;
}

ib_Status ib_live_trial_start(ib_LiveTrial *live_trial, ib_Error *error)
{
    return ib__worker_start(&live_trial->worker, work, live_trial, "the design", error);
}

void ib_live_trial_stop(ib_LiveTrial *live_trial)
{
    if (!live_trial->worker.started) return;
    pthread_mutex_lock(&live_trial->lock);
    atomic_store(&live_trial->stop, true);
    pthread_cond_signal(&live_trial->news);
    pthread_mutex_unlock(&live_trial->lock);
    ib__worker_join(&live_trial->worker);
}

ib_ViewSource *ib_live_trial_source(ib_LiveTrial *live_trial)
{
    return &live_trial->source;
}

int64_t ib_live_trial_count(ib_LiveTrial *live_trial)
{
    pthread_mutex_lock(&live_trial->lock);
    int64_t count = live_trial->count;
    pthread_mutex_unlock(&live_trial->lock);
    return count;
}

void ib_live_trial_destroy(ib_LiveTrial *live_trial)
{
    if (!live_trial) return;
    ib_live_trial_stop(live_trial);
    for (int i = 0; i < PLACES; i++) free(live_trial->places[i].answer);
    pthread_cond_destroy(&live_trial->news);
    pthread_mutex_destroy(&live_trial->lock);
    ib_feed_destroy(live_trial->feed);
    ib_arena_reset(&live_trial->arena);
    free(live_trial);
}

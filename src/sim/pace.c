#include "sim/pace.h"

#include "base/extreme.h"

#include <time.h>

#define BUCKET_RATIO 1.189207115002721 // the fourth root of two

int64_t ib_wall_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * IB_SECOND + now.tv_nsec;
}

void ib_wall_sleep(int64_t wall)
{
    struct timespec until = {.tv_sec = wall / IB_SECOND, .tv_nsec = (long)(wall % IB_SECOND)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static int bucket_of(int64_t late)
{
    double us = (double)late / 1000;
    int bucket = 0;
    for (double edge = 1; us > edge && bucket < IB_PACE_BUCKETS - 1; edge *= BUCKET_RATIO) bucket++;
    return bucket;
}

void ib_pace_add(ib_Pace *pace, int64_t deadline, int64_t now, int64_t step)
{
    int64_t late = now > deadline ? now - deadline : 0;
    pace->steps++;
    pace->sum += (double)late;
    pace->count[bucket_of(late)]++;
    if (late > step) pace->overruns++;
    if (late > pace->max) pace->max = late;
}

double ib_pace_percentile(const ib_Pace *pace, double share)
{
    int64_t sum = 0;
    double edge = 1e-6;
    if (pace->steps == 0) return 0;
    for (int i = 0; i < IB_PACE_BUCKETS; i++, edge *= BUCKET_RATIO) {
        sum += pace->count[i];
        if ((double)sum >= share * (double)pace->steps) break;
    }
    return ib_min(edge, ib_pace_max(pace));
}

double ib_pace_mean(const ib_Pace *pace)
{
    return pace->steps > 0 ? pace->sum / (double)pace->steps / 1e9 : 0;
}

double ib_pace_max(const ib_Pace *pace)
{
    return (double)pace->max / 1e9;
}

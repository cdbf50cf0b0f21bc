#include "world/order.h"

#include <string.h>

// Lists of neighbours: those of body i are neighbour[start[i]] .. neighbour[start[i + 1] - 1].
static int *list_neighbours(const ib__Law *law, int *neighbour)
{
    int n = law->body_count, *start = neighbour + 2 * law->contact_count;
    memset(start, 0, (size_t)(n + 1) * sizeof *start);
    for (int i = 0; i < law->contact_count; i++) {
        const int *body = law->contacts[i].body;
        if (body[1] < 0) continue;
        start[body[0]]++;
        start[body[1]]++;
    }
    for (int i = 0, sum = 0; i <= n; i++) {
        sum += i < n ? start[i] : 0;
        start[i] = sum;
    }
    for (int i = law->contact_count - 1; i >= 0; i--) {
        const int *body = law->contacts[i].body;
        if (body[1] < 0) continue;
        neighbour[--start[body[0]]] = body[1];
        neighbour[--start[body[1]]] = body[0];
    }
    return start;
}

// Breadth first from the body with the fewest neighbours, so that neighbours stand close together
// (Cuthill and McKee).
static void find_places(ib__Law *law, int *neighbour)
{
    const int *start = list_neighbours(law, neighbour);
    int n = law->body_count, *queue = neighbour + 2 * law->contact_count + n + 1;
    int from = 0, done = 1;
    for (int i = 0; i < n; i++) {
        law->place[i] = -1;
        if (start[i + 1] - start[i] < start[from + 1] - start[from]) from = i;
    }
    law->place[from] = 0;
    queue[0] = from;
    for (int head = 0; head < done; head++)
        for (int k = start[queue[head]]; k < start[queue[head] + 1]; k++) {
            int next = neighbour[k];
            if (law->place[next] >= 0) continue;
            law->place[next] = done;
            queue[done++] = next;
        }
}

void ib__order_find(ib__Law *law, int *room)
{
    int *first = law->system.first;
    law->place[0] = 0;
    if (law->body_count > 1) find_places(law, room);
    for (int i = 0; i < law->body_count; i++) first[i] = i;
    for (int i = 0; i < law->contact_count; i++) {
        const int *body = law->contacts[i].body;
        if (body[1] < 0) continue;
        int a = law->place[body[0]], b = law->place[body[1]], high = a > b ? a : b;
        if (a + b - high < first[high]) first[high] = a + b - high;
    }
}

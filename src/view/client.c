#include "view/client.h"

#include "base/extreme.h"

#include <math.h>
#include <string.h>

void ib_client_open(ib_Client *client, int number, void *socket, double now)
{
    // The buffers need no clearing: their sizes are 0.
    memset(client, 0, offsetof(ib_Client, watch));
    memset(&client->rate, 0, offsetof(ib_Client, incoming) - offsetof(ib_Client, rate));
    client->text_first = client->text_end = 0;
    client->number = number;
    client->socket = socket;
    client->heard = client->pinged = now;
}

// ------------------------------------------------------------------------------------------ frames

void ib_client_watch(ib_Client *client, const ib_ViewMessage *message, double now)
{
    client->watch_id = message->id;
    client->watch_count = message->count;
    memcpy(client->watch, message->signals, (size_t)message->count * sizeof *client->watch);
    client->rate = message->rate;
    client->credit = 1;
    client->credited = now;
    client->row = 0;
}

bool ib_client_due(ib_Client *client, uint64_t row, double now)
{
    if (client->rate <= 0 || row == client->row) return false;
    client->credit = ib_min(client->credit + (now - client->credited) * client->rate, 2);
    client->credited = now;
    return client->credit >= 1;
}

void ib_client_shown(ib_Client *client, uint64_t row)
{
    client->credit -= 1;
    client->row = row;
    client->jump = false;
}

// --------------------------------------------------------------------------------------- histories

bool ib_client_ask(ib_Client *client, const ib_ViewMessage *message)
{
    if (client->history_count == IB_CLIENT_HISTORIES) return false;
    int place = (client->history_first + client->history_count++) % IB_CLIENT_HISTORIES;
    ib_HistoryRequest *request = &client->histories[place];
    *request = (ib_HistoryRequest){.id = message->id,
                                   .rows = message->rows,
                                   .from = message->from,
                                   .to = message->to,
                                   .count = message->count};
    memcpy(request->signals, message->signals, (size_t)message->count * sizeof(int));
    return true;
}

const ib_HistoryRequest *ib_client_asked(const ib_Client *client)
{
    return client->history_count ? &client->histories[client->history_first] : NULL;
}

void ib_client_answered(ib_Client *client)
{
    ib_HistoryRequest *request = &client->histories[client->history_first];
    if (++request->next < request->count) return;
    client->history_first = (client->history_first + 1) % IB_CLIENT_HISTORIES;
    client->history_count--;
}

// ------------------------------------------------------------------------------------------- texts

bool ib_client_tell(ib_Client *client, const char *text, size_t size)
{
    size_t used = client->text_end - client->text_first, need = sizeof size + size;
    if (size == 0 || size > IB_CLIENT_TEXT || need > IB_CLIENT_TEXT - used) return false;
    if (need > IB_CLIENT_TEXT - client->text_end) {
        memmove(client->text, client->text + client->text_first, used);
        client->text_first = 0;
        client->text_end = used;
    }
    memcpy(client->text + client->text_end, &size, sizeof size);
    memcpy(client->text + client->text_end + sizeof size, text, size);
    client->text_end += need;
    return true;
}

ib_Span ib_client_text(const ib_Client *client)
{
    if (client->text_first == client->text_end) return (ib_Span){NULL, 0};
    size_t size;
    memcpy(&size, client->text + client->text_first, sizeof size);
    return (ib_Span){client->text + client->text_first + sizeof size, size};
}

void ib_client_told(ib_Client *client)
{
    ib_Span text = ib_client_text(client);
    if (text.text) client->text_first += sizeof text.size + text.size;
    if (client->text_first == client->text_end) client->text_first = client->text_end = 0;
}

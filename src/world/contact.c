#include "world/contact.h"

#include <string.h>

void ib__law_renew_changes(ib__Law *law)
{
    memset(law->change, 0, (size_t)law->body_count * sizeof *law->change);
    for (int i = 0; i < law->contact_count; i++) {
        const ib__Contact *contact = &law->contacts[i];
        int a = contact->body[0], b = contact->body[1];
        for (int p = 0; p < contact->points; p++)
            if (contact->jn[p] != 0) ib__push(&contact->hn[p], contact->jn[p], law->change, a, b);
        if (contact->jt != 0) ib__push(&contact->ht, contact->jt, law->change, a, b);
    }
}

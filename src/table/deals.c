/* Deals: lists of cards by entry, pile and seat, that come instead of a draw.
 *
 * Main invariant: lists are in the order of their entries, and the cards of a
 * list lie together in `cards`. */
#include "deals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LEN = 11 };

struct list {
  int entry, pile, list;
  size_t first, count, used;
};

struct name {
  char text[NAME_MAX_LEN + 1];
};

struct sal_deals {
  const struct sal_game *game;
  struct sal_setup setup;
  struct list *lists;
  size_t list_count, list_cap;
  struct name *cards;
  size_t card_count, card_cap;
  const struct sal_words *words; /* of what is refused */
};

struct sal_deals *sal_deals_new(const struct sal_game *game,
                                const struct sal_setup *setup) {
  struct sal_deals *d = calloc(1, sizeof *d);
  if (d) {
    d->game = game;
    d->setup = *setup;
    d->words = &sal_words_plain;
  }
  return d;
}

void sal_deals_free(struct sal_deals *d) {
  if (!d)
    return;
  free(d->lists);
  free(d->cards);
  free(d);
}

void deals_use_words(struct sal_deals *d, const struct sal_words *words) {
  d->words = words;
}

static int refuse(const struct sal_deals *d, struct sal_refusal *why,
                  const struct list *l, const char *pile, const char *name,
                  const char *problem) {
  char buffer[SAL_MESSAGE_MAX], in[44], card[44] = "";
  struct sal_text t, first, second;
  sal_text_init(&first, in, sizeof in);
  sal_text_clip(&first, pile, 40);
  sal_text_init(&second, card, sizeof card);
  sal_text_clip(&second, name ? name : "", 40);
  const struct sal_place places[] = {
      {"deal", SAL_PLACE_NUMBER, NULL, l->entry + 1},
      {"pile", SAL_PLACE_TEXT, in, 0},
      {"card", SAL_PLACE_TEXT, card, 0},
      {"problem", SAL_PLACE_WORD, problem, 0}};
  sal_text_init(&t, buffer, sizeof buffer);
  sal_say(&t, d->words, false,
          name ? N_("Deal {deal}, {pile}, \"{card}\": {problem}")
               : N_("Deal {deal}, {pile}: {problem}"),
          places, 4);
  return sal_refuse(why, SAL_BAD_DEAL, NULL, buffer);
}

static struct sal_pile pile_of(const struct sal_deals *d,
                               const struct list *l) {
  struct sal_pile piles[SAL_PILES_MAX];
  d->game->piles(&d->setup, l->entry, piles);
  return piles[l->pile];
}

int sal_deals_open(struct sal_deals *d, int entry, const char *pile, int list,
                   struct sal_refusal *why) {
  struct list l = {.entry = entry, .list = list, .first = d->card_count};
  assert(d->list_count == 0 || d->lists[d->list_count - 1].entry <= entry);
  struct sal_pile piles[SAL_PILES_MAX];
  const int n = d->game->piles(&d->setup, entry, piles);
  while (l.pile < n && strcmp(piles[l.pile].name, pile) != 0)
    l.pile++;
  if (l.pile == n)
    return refuse(d, why, &l, pile, NULL,
                  N_("this game has no such part of a deal."));
  if (list < 0 || list >= (piles[l.pile].lists ? piles[l.pile].lists : 1))
    return refuse(d, why, &l, pile, NULL, N_("there is no such seat."));
  for (size_t i = d->list_count; i > 0 && d->lists[i - 1].entry == entry; i--)
    if (d->lists[i - 1].pile == l.pile && d->lists[i - 1].list == list)
      return refuse(d, why, &l, pile, NULL, N_("this list is given twice."));
  void *lists = d->lists;
  if (!sal_array_grow(&lists, d->list_count, &d->list_cap, sizeof l))
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  d->lists = lists;
  d->lists[d->list_count++] = l;
  return 0;
}

int sal_deals_card(struct sal_deals *d, const char *name,
                   struct sal_refusal *why) {
  assert(d->list_count > 0);
  struct list *l = &d->lists[d->list_count - 1];
  const struct sal_pile p = pile_of(d, l);
  if (strlen(name) > NAME_MAX_LEN || !d->game->stock(&d->setup, l->pile, name))
    return refuse(d, why, l, p.name, name,
                  N_("there is no such card in this pile."));
  if (l->count >= (size_t)p.most)
    return refuse(d, why, l, p.name, name, N_("there are too many cards."));
  void *cards = d->cards;
  if (!sal_array_grow(&cards, d->card_count, &d->card_cap, sizeof *d->cards))
    return sal_refuse(why, SAL_NO_MEMORY, NULL, NULL);
  d->cards = cards;
  strcpy(d->cards[d->card_count++].text, name);
  l->count++;
  return 0;
}

/* The first list of an entry, or of a later one. */
static size_t lists_of(const struct sal_deals *d, int entry) {
  size_t low = 0, high = d->list_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (d->lists[middle].entry < entry)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* How many cards of that name the lists of one pile hold, all or those that
 * were not yet used. */
static int named(const struct sal_deals *d, int entry, int pile,
                 const char *name, bool only_unused) {
  int n = 0;
  for (size_t i = lists_of(d, entry);
       i < d->list_count && d->lists[i].entry == entry; i++) {
    const struct list *l = &d->lists[i];
    if (l->pile != pile)
      continue;
    for (size_t k = only_unused ? l->used : 0; k < l->count; k++)
      n += strcmp(d->cards[l->first + k].text, name) == 0;
  }
  return n;
}

int deals_check(const struct sal_deals *d, size_t *list,
                struct sal_refusal *why) {
  for (size_t i = 0; i < d->list_count; i++) {
    const struct list *l = &d->lists[i];
    *list = i;
    const struct sal_pile p = pile_of(d, l);
    if (l->count < (size_t)p.least)
      return refuse(d, why, l, p.name, NULL, N_("there are too few cards."));
    int lists = 0;
    for (size_t k = lists_of(d, l->entry);
         k < d->list_count && d->lists[k].entry == l->entry; k++)
      lists += d->lists[k].pile == l->pile;
    if (p.lists && lists != p.lists)
      return refuse(d, why, l, p.name, NULL,
                    N_("there must be one list a seat."));
    for (size_t k = 0; k < l->count; k++) {
      const char *name = d->cards[l->first + k].text;
      if (named(d, l->entry, l->pile, name, false) >
          d->game->stock(&d->setup, l->pile, name))
        return refuse(d, why, l, p.name, name,
                      N_("there are not so many of these."));
    }
  }
  return 0;
}

int sal_deals_check(const struct sal_deals *d, struct sal_refusal *why) {
  size_t list;
  return deals_check(d, &list, why);
}

int outcome_named(const struct sal_game *g, const struct sal_chance *c,
                  const char *name) {
  const sal_action a = sal_chance_read(g, c, name);
  for (size_t i = 0; a && i < c->count; i++)
    if (c->outcome[i].action == a)
      return (int)i;
  return -1;
}

int deals_take(struct sal_deals *d, const struct sal_chance *c) {
  for (size_t i = lists_of(d, c->entry);
       i < d->list_count && d->lists[i].entry == c->entry; i++) {
    struct list *l = &d->lists[i];
    if (l->pile != c->pile || l->list != c->list)
      continue;
    while (l->used < l->count) {
      const int o =
          outcome_named(d->game, c, d->cards[l->first + l->used++].text);
      if (o >= 0)
        return o;
      assert(pile_of(d, l).loose); /* else the check has let it through */
    }
  }
  return -1;
}

void deals_reserve(const struct sal_deals *d, struct sal_chance *c) {
  for (size_t i = 0; i < c->count; i++) {
    char buffer[SAL_ACTION_TEXT_MAX];
    struct sal_text t;
    sal_text_init(&t, buffer, sizeof buffer);
    d->game->action_text(c->outcome[i].action, &t);
    const uint32_t kept = (uint32_t)named(d, c->entry, c->pile, buffer, true);
    uint32_t *weight = &c->outcome[i].weight;
    *weight = *weight > kept ? *weight - kept : 0;
  }
}

void deals_rewind(struct sal_deals *d) {
  for (size_t i = 0; i < d->list_count; i++)
    d->lists[i].used = 0;
}

void deals_record(const struct sal_deals *d, struct sal_buffer *out) {
  for (size_t i = 0; i < d->list_count; i++) {
    const struct list *l = &d->lists[i];
    const struct sal_pile p = pile_of(d, l);
    char buffer[64];
    struct sal_text t;
    sal_text_init(&t, buffer, sizeof buffer);
    sal_text_add(&t, "deal ");
    sal_text_int(&t, l->entry + 1);
    sal_text_char(&t, ' ');
    sal_text_add(&t, p.name);
    sal_text_char(&t, ' ');
    sal_text_int(&t, l->list);
    sal_buffer_text(out, buffer);
    for (size_t k = 0; k < l->count; k++) {
      sal_buffer_text(out, " ");
      sal_buffer_text(out, d->cards[l->first + k].text);
    }
    sal_buffer_text(out, "\n");
  }
}

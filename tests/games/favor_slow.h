/* A slow second Favor for the tests, written from the rules with other means
 * than the engine: cards are strings in heaps, bidders stand in a queue, gems
 * are paid one by one, the next step is a word. */
#ifndef SAL_TESTS_FAVOR_SLOW_H
#define SAL_TESTS_FAVOR_SLOW_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct heap {
  const char *card[14];
  int n;
};

struct slow {
  int players;
  bool english;
  const char *step; /* door, lot, card: chance; turn, bid, final, over */
  int day, opener, seat;
  int purse[4], box;
  struct heap deck, lot, waste, won[4];
  const char *door[4];
  int doors;
  int days[3][4];
  int queue[4], waiting;
  int offer[4]; /* 0: none */
  int caller;   /* -1: none */
  int champion; /* -1 until over */
};

static void drop(struct heap *h, const char *card) { h->card[h->n++] = card; }

static const char *pull(struct heap *h, const char *name) {
  for (int i = 0; i < h->n; i++)
    if (strcmp(h->card[i], name) == 0) {
      const char *card = h->card[i];
      for (h->n--; i < h->n; i++)
        h->card[i] = h->card[i + 1];
      return card;
    }
  fprintf(stderr, "there is no %s\n", name);
  abort();
}

static int in_heap(const struct heap *h, const char *name) {
  int n = 0;
  for (int i = 0; i < h->n; i++)
    n += strcmp(h->card[i], name) == 0;
  return n;
}

static bool is_plain(const char *card) {
  return strchr("RB", card[0]) && strchr("LT", card[1]);
}

static int slow_worth(const char *card, const char *door) {
  if (!is_plain(card))
    return 0;
  const int same = (card[0] == door[0]) + (card[1] == door[1]);
  return same == 2 ? 3 : same == 1 ? 1 : -2;
}

/* Everything as it would be with Blue/Red used on card `colour` of the heap and
 * Lady/Tiger on card `role` (-1: unused); false if the rules forbid it. */
static bool slow_use(const struct heap *h, const char *door, bool english,
                     int colour, int role, int *sum) {
  char card[14][3];
  for (int i = 0; i < h->n; i++)
    strcpy(card[i], h->card[i]);
  if ((colour >= 0 && (!in_heap(h, "BR") || !is_plain(card[colour]))) ||
      (role >= 0 && (!in_heap(h, "LT") || !is_plain(card[role]))))
    return false;
  /* Italian: a use must itself make an exact match */
  if (!english && colour >= 0 &&
      (card[colour][1] != door[1] || card[colour][0] == door[0]))
    return false;
  if (!english && role >= 0 &&
      (card[role][0] != door[0] || card[role][1] == door[1]))
    return false;
  if (colour >= 0)
    card[colour][0] = card[colour][0] == 'R' ? 'B' : 'R';
  if (role >= 0)
    card[role][1] = card[role][1] == 'L' ? 'T' : 'L';
  *sum = 0;
  for (int i = 0; i < h->n; i++)
    *sum += slow_worth(card[i], door);
  return true;
}

static int slow_cards(const struct heap *h, const char *door, bool english) {
  int best = -1000, sum;
  for (int colour = -1; colour < h->n; colour++)
    for (int role = -1; role < h->n; role++)
      if (slow_use(h, door, english, colour, role, &sum) && sum > best)
        best = sum;
  return best;
}

static void slow_morning(struct slow *s, int opener) {
  static const char *const clues[14] = {"RL", "BL", "RT", "BT", "RL",
                                        "BL", "RT", "BT", "RL", "BL",
                                        "RT", "BT", "BR", "LT"};
  s->day++;
  s->opener = s->seat = opener;
  s->deck.n = s->lot.n = s->waste.n = 0;
  for (int i = 0; i < 14; i++)
    drop(&s->deck, clues[i]);
  for (int i = 0; i < s->players; i++) {
    s->won[i].n = 0;
    s->purse[i] = 5;
  }
  s->box = 0;
  s->doors = 0;
  s->step = "door";
}

static void slow_queue(struct slow *s, int from) {
  s->waiting = 0;
  for (int i = 0; i < s->players; i++) {
    s->queue[s->waiting++] = (from + i) % s->players;
    s->offer[i] = 0;
  }
}

static void slow_next(struct slow *s) {
  if (s->deck.n > 0) {
    s->step = "turn";
    return;
  }
  s->step = "final";
  slow_queue(s, s->seat);
}

static int slow_total(const struct slow *s, int seat) {
  int sum = 0;
  for (int d = 0; d < 3; d++)
    sum += s->days[d][seat];
  return sum;
}

static void slow_evening(struct slow *s, int winner, int first_chance) {
  for (int i = 0; i < s->players; i++) {
    bool most = true;
    for (int k = 0; k < s->players; k++)
      most = most && s->purse[i] >= s->purse[k];
    s->days[s->day - 1][i] =
        slow_cards(&s->won[i], s->door[i], s->english) + (most ? 3 : 0);
  }
  if (s->day < 3) {
    slow_morning(s, winner >= 0 ? winner : first_chance);
    return;
  }
  s->step = "over";
  /* of any two, the one that loses a comparison is out */
  bool out[4] = {false};
  for (int a = 0; a < s->players; a++)
    for (int b = 0; b < s->players; b++) {
      const int p = slow_total(s, a) - slow_total(s, b);
      const int g = s->purse[a] - s->purse[b];
      const int late = (a - s->opener + s->players) % s->players -
                       (b - s->opener + s->players) % s->players;
      if (p < 0 || (p == 0 && (g < 0 || (g == 0 && late > 0))))
        out[a] = true;
    }
  for (int a = 0; a < s->players; a++)
    if (!out[a])
      s->champion = a;
}

static void slow_hammer(struct slow *s, int last_bidder) {
  const bool final = strcmp(s->step, "final") == 0;
  int winner = -1;
  for (int i = 0; i < s->players; i++)
    if (s->offer[i] > 0 && (winner < 0 || s->offer[i] > s->offer[winner]))
      winner = i;
  struct heap *to = winner < 0 ? &s->waste : &s->won[winner];
  while (s->lot.n > 0)
    drop(to, s->lot.card[--s->lot.n]);
  int price = winner < 0 ? 0 : s->offer[winner];
  if (winner >= 0)
    s->purse[winner] -= price;
  if (!final && winner == s->caller)
    for (; price >= s->players - 1; price -= s->players - 1)
      for (int i = 0; i < s->players; i++)
        s->purse[i] += i != winner;
  else if (!final)
    for (; price > 0; price--)
      s->purse[s->caller]++;
  s->box += price;
  s->seat = (last_bidder + 1) % s->players;
  s->caller = -1;
  memset(s->offer, 0, sizeof s->offer);
  if (final)
    slow_evening(s, winner, s->seat);
  else
    s->step = "lot";
}

static void slow_do(struct slow *s, const char *action) {
  if (strcmp(s->step, "door") == 0) {
    s->door[s->doors++] = strcmp(action, "RL") == 0   ? "RL"
                          : strcmp(action, "BL") == 0 ? "BL"
                          : strcmp(action, "RT") == 0 ? "RT"
                                                      : "BT";
    if (s->doors == s->players)
      s->step = "lot";
  } else if (strcmp(s->step, "lot") == 0) {
    drop(&s->lot, pull(&s->deck, action));
    if (s->lot.n == s->day || s->deck.n == 0)
      slow_next(s);
  } else if (strcmp(s->step, "card") == 0) {
    drop(&s->lot, pull(&s->deck, action));
    s->seat = (s->seat + 1) % s->players;
    slow_next(s);
  } else if (strcmp(s->step, "turn") == 0 && strcmp(action, "add") == 0) {
    s->step = "card";
  } else if (strcmp(s->step, "turn") == 0) {
    s->caller = s->seat;
    s->step = "bid";
    slow_queue(s, s->seat + 1);
  } else {
    const int bidder = s->queue[0];
    s->waiting--;
    memmove(s->queue, s->queue + 1, sizeof s->queue - sizeof *s->queue);
    if (strcmp(action, "pass") != 0)
      s->offer[bidder] = atoi(action + 4);
    if (s->waiting == 0)
      slow_hammer(s, bidder);
  }
}

static int slow_high(const struct slow *s) {
  int high = 0;
  for (int i = 0; i < s->players; i++)
    if (s->offer[i] > high)
      high = s->offer[i];
  return high;
}

static int slow_asked(const struct slow *s) {
  const bool bidding =
      strcmp(s->step, "bid") == 0 || strcmp(s->step, "final") == 0;
  return bidding ? s->queue[0] : s->seat;
}

static const char *const every_card[] = {"RL", "BL", "RT", "BT", "BR", "LT"};

/* What can come next, as words with blanks between. */
static int slow_choices(const struct slow *s, char list[][16]) {
  int n = 0;
  if (strcmp(s->step, "door") == 0) {
    for (int k = 0; k < 4; k++) {
      bool free = true;
      for (int i = 0; i < s->doors; i++)
        free = free && strcmp(s->door[i], every_card[k]) != 0;
      if (free)
        strcpy(list[n++], every_card[k]);
    }
  } else if (strcmp(s->step, "lot") == 0 || strcmp(s->step, "card") == 0) {
    for (int k = 0; k < 6; k++)
      if (in_heap(&s->deck, every_card[k]))
        strcpy(list[n++], every_card[k]);
  } else if (strcmp(s->step, "turn") == 0) {
    strcpy(list[n++], "add");
    strcpy(list[n++], "auction");
  } else if (strcmp(s->step, "over") != 0) {
    for (int bid = 0; bid <= 30; bid++)
      if (bid > slow_high(s) && bid <= s->purse[s->queue[0]])
        snprintf(list[n++], 16, "bid %d", bid);
    strcpy(list[n++], "pass");
  }
  return n;
}

static void slow_begin(struct slow *s, int players, bool english, int first) {
  memset(s, 0, sizeof *s);
  s->players = players;
  s->english = english;
  s->caller = s->champion = -1;
  slow_morning(s, first);
}

#endif

/* Figures in the text format of Prometheus. See metrics.h.
 *
 * Main invariant: numbers only. No figure has a label that a client chooses, so
 * nobody can make there be more of them. */
#include "metrics.h"
#include "base/crew.h"
#include "health.h"
#include "http.h"
#include "people/people.h"
#include "rooms/rooms.h"

#include "salotto/api.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const latency_bounds[LATENCY_BUCKETS] = {
    "0.0005", "0.001", "0.002", "0.005", "0.01",
    "0.02",   "0.05",  "0.1",   "0.5",   "2"};

static void print_latency(FILE *f, const struct server *srv) {
  uint64_t sum = 0;
  fputs("# HELP salotto_move_seconds From a move's arrival to the last view"
        " sent.\n# TYPE salotto_move_seconds histogram\n",
        f);
  for (int i = 0; i <= LATENCY_BUCKETS; i++) {
    sum += srv->latency[i];
    fprintf(f, "salotto_move_seconds_bucket{le=\"%s\"} %llu\n",
            i < LATENCY_BUCKETS ? latency_bounds[i] : "+Inf",
            (unsigned long long)sum);
  }
  fprintf(f, "salotto_move_seconds_sum %.6f\nsalotto_move_seconds_count %llu\n",
          1e-6 * (double)srv->latency_sum, (unsigned long long)sum);
}

static void print_one(FILE *f, const char *name, const char *kind,
                      const char *about, uint64_t value) {
  fprintf(f, "# HELP %s %s\n# TYPE %s %s\n%s %llu\n", name, about, name, kind,
          name, (unsigned long long)value);
}

static void count_play(struct active_room *active, void *context) {
  *(uint64_t *)context += room_in_play(active->room);
}

static uint64_t resident_bytes(void) {
  size_t bytes = 0;
  return uv_resident_set_memory(&bytes) == 0 ? bytes : 0;
}

static void print_figures(FILE *f, struct server *srv) {
  const struct store_figures s = store_figures(srv->store);
  uint64_t in_play = 0;
  rooms_each(srv->rooms, count_play, &in_play);
  fputs("# HELP salotto_build_info The version of the program.\n"
        "# TYPE salotto_build_info gauge\n"
        "salotto_build_info{version=\"" SAL_VERSION "\"} 1\n",
        f);
#define X(name, about)                                                         \
  print_one(f, "salotto_" #name "_total", "counter", about, srv->counters.name);
  COUNTERS(X)
#undef X
  print_one(f, "salotto_open_connections", "gauge",
            "Connections that are open.", srv->conn_count);
  print_one(f, "salotto_open_websockets", "gauge", "WebSockets among them.",
            srv->ws_count);
  print_one(f, "salotto_tables", "gauge", "Tables that have not ended.",
            rooms_count(srv->rooms));
  print_one(f, "salotto_tables_in_play", "gauge",
            "Tables with a game going on.", in_play);
  print_one(f, "salotto_people", "gauge", "People with a session.",
            people_count(srv->people));
  print_one(f, "salotto_work_open", "gauge",
            "Thoughts of bots and passwords that were asked for and are not"
            " answered yet.",
            srv->work_open);
  print_one(f, "salotto_lent_threads", "gauge",
            "Threads that servers which wait lend for thinking.",
            (uint64_t)crew_helpers(srv->thinkers));
  print_one(f, "salotto_store_waiting", "gauge",
            "Jobs on their way to the disk.", store_waiting(srv->store));
  print_one(f, "salotto_store_batches_total", "counter",
            "Transactions, each with one sync.", s.batches);
  print_one(f, "salotto_store_jobs_total", "counter", "Jobs in them.", s.jobs);
  print_one(f, "salotto_store_failures_total", "counter",
            "Transactions that failed.", s.failures);
  print_one(f, "salotto_store_failing", "gauge",
            "1 from a failure until something was written again.",
            srv->health.store_failing);
  print_one(f, "salotto_out_of_descriptors", "gauge",
            "1 while no more connections can be opened.",
            srv->health.out_of_descriptors);
  print_one(f, "process_max_fds", "gauge",
            "Descriptors that the process may have.", health_descriptors());
  print_one(f, "process_resident_memory_bytes", "gauge", "Memory in use.",
            resident_bytes());
  print_one(f, "process_start_time_seconds", "gauge",
            "When the server started, in Unix time.",
            (uint64_t)(srv->opened_at / 1000));
  print_latency(f, srv);
}

void metrics_answer(struct conn *c) {
  char *text = NULL;
  size_t length = 0;
  FILE *f = open_memstream(&text, &length);
  if (!f) {
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
    return;
  }
  print_figures(f, c->server);
  if (fclose(f) == 0)
    http_respond(c, 200, "text/plain; version=0.0.4", "", text, length);
  else
    http_refuse(c, 503, SAL_NO_MEMORY, NULL);
  free(text);
}

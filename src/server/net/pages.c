/* The files of the browser's part. See pages.h.
 *
 * A file of the build lies inside the program under its path, and beside it,
 * where that is smaller, packed by gzip under the same name with ".gz". Names
 * under assets/ hold a hash of what is in them and may be kept for ever; all
 * others are asked for again each time, by their tag. Paths of pages, such as
 * /t/ID, are all the same file, which looks at the path itself; only what its
 * head says for previews of the link differs. Other sites may show the pictures
 * under previews/, and no other file.
 *
 * Main invariant: a path is looked up as a whole and only if it is made of
 * harmless characters, so none leads out of the folder. */
#define _GNU_SOURCE /* memmem */
#include "pages.h"
#include "http.h"
#include "preview.h"
#include "salotto/error.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_BYTES = 12, PATH_MAX_CHARS = 160, FILE_MAX = 8 << 20 };

struct page {
  const struct server_page *file, *packed; /* the latter or NULL */
  char tag[2 * TAG_BYTES + 5];             /* as the header has it */
};

struct pages {
  const char *folder; /* NULL: what is inside the program */
  size_t count;
  struct page page[];
};

/* A file that is being served. */
struct body {
  const char *text;
  size_t length;
  bool packed;
  char tag[2 * TAG_BYTES + 5];
};

/* A weak one: packed or not, it is the same file. */
static void make_tag(const char *text, size_t length, char *out) {
  unsigned char hash[crypto_generichash_BYTES];
  crypto_generichash(hash, sizeof hash, (const unsigned char *)text, length,
                     NULL, 0);
  strcpy(out, "W/\"");
  sodium_bin2hex(out + 3, 2 * TAG_BYTES + 1, hash, TAG_BYTES);
  strcat(out, "\"");
}

static bool ends(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static const struct server_page *packed_of(const struct server_page *all,
                                           const char *name) {
  const size_t n = strlen(name);
  for (; all->name; all++)
    if (strncmp(all->name, name, n) == 0 && strcmp(all->name + n, ".gz") == 0)
      return all;
  return NULL;
}

struct pages *pages_new(const struct server_options *o) {
  static const struct server_page none[1];
  const struct server_page *all = o->web || !o->pages ? none : o->pages;
  size_t n = 0;
  while (all[n].name)
    n++;
  struct pages *p = calloc(1, sizeof *p + n * sizeof *p->page);
  if (!p)
    return NULL;
  p->folder = o->web;
  for (size_t i = 0; i < n; i++) {
    if (ends(all[i].name, ".gz"))
      continue;
    struct page *page = &p->page[p->count++];
    page->file = &all[i];
    page->packed = packed_of(all, all[i].name);
    make_tag(all[i].text, (size_t)(all[i].end - all[i].text), page->tag);
  }
  return p;
}

void pages_free(struct pages *p) { free(p); }

/* ---- Names ---------------------------------------------------------------- */

/* The first parts of the paths that are pages; the page itself knows more. */
static const char *const rooms[] = {
    "new", "t",       "play",    "replay", "rules",   "learn",    "me",
    "p",   "history", "leaders", "verify", "explore", "progress", "problems"};

static bool is_page(const char *path) {
  const size_t n = strcspn(path, "/");
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
    if (strlen(rooms[i]) == n && strncmp(path, rooms[i], n) == 0)
      return true;
  return n == 0 && !*path;
}

/* The name of the file that a path asks for. False if it asks for none. */
static bool name_of(const char *url, char name[PATH_MAX_CHARS]) {
  const size_t n = strcspn(url, "?#");
  static const char harmless[] = "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
  if (n == 0 || n > PATH_MAX_CHARS || url[0] != '/')
    return false;
  memcpy(name, url + 1, n - 1);
  name[n - 1] = '\0';
  if (is_page(name)) {
    strcpy(name, "index.html");
    return true;
  }
  return strspn(name, harmless) == n - 1 && name[0] != '.' && name[0] != '/' &&
         !strstr(name, "/.") && !strstr(name, "//") && !ends(name, "/") &&
         !ends(name, ".gz");
}

static const char *type_of(const char *name) {
  static const struct {
    const char *end, *type;
  } types[] = {{".html", "text/html; charset=utf-8"},
               {".js", "text/javascript; charset=utf-8"},
               {".css", "text/css; charset=utf-8"},
               {".json", "application/json"},
               {".jsonl", "application/jsonl"},
               {".webmanifest", "application/manifest+json"},
               {".svg", "image/svg+xml"},
               {".png", "image/png"},
               {".webp", "image/webp"},
               {".ico", "image/x-icon"},
               {".wasm", "application/wasm"},
               {".txt", "text/plain; charset=utf-8"}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (ends(name, types[i].end))
      return types[i].type;
  return "application/octet-stream";
}

/* ---- Finding -------------------------------------------------------------- */

static bool find_inside(const struct pages *p, const char *name, bool gzip,
                        struct body *out) {
  for (size_t i = 0; i < p->count; i++) {
    const struct page *page = &p->page[i];
    if (strcmp(page->file->name, name) != 0)
      continue;
    const struct server_page *f =
        gzip && page->packed ? page->packed : page->file;
    out->text = f->text;
    out->length = (size_t)(f->end - f->text);
    out->packed = f == page->packed;
    strcpy(out->tag, page->tag);
    return true;
  }
  return false;
}

/* For who works on the pages: read anew each time, into memory to be freed. */
static char *read_file(const char *folder, const char *name, size_t *length) {
  char path[4096];
  const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = n > 0 && (size_t)n < sizeof path ? fopen(path, "rb") : NULL;
  if (!f)
    return NULL;
  char *text = NULL;
  if (fseek(f, 0, SEEK_END) == 0) {
    const long size = ftell(f);
    if (size >= 0 && size <= FILE_MAX && fseek(f, 0, SEEK_SET) == 0)
      text = malloc((size_t)size + 1);
    *length = text ? fread(text, 1, (size_t)size, f) : 0;
    if (text && *length != (size_t)size) {
      free(text);
      text = NULL;
    }
  }
  fclose(f);
  return text;
}

/* ---- Answering ------------------------------------------------------------ */

/* Scripts only from here; nothing of anybody else; no frame around us. The
 * address of a table is its invitation, so it is told to no other site. */
static const char policy[] =
    "Content-Security-Policy: default-src 'none'; script-src 'self' "
    "'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src "
    "'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Permissions-Policy: camera=(), geolocation=(), microphone=()\r\n";

static void send_body(struct conn *c, int status, const char *name,
                      const struct body *b) {
  char head[1280];
  const bool for_ever = strncmp(name, "assets/", 7) == 0;
  const bool shared = strncmp(name, "previews/", 9) == 0;
  const char *known = http_header(c->http, "if-none-match");
  const bool same = status == 200 && known && strstr(known, b->tag);
  snprintf(head, sizeof head,
           "Content-Type: %s\r\nETag: %s\r\nCache-Control: %s\r\n"
           "Vary: Accept-Encoding%s\r\n%s%s"
           "Cross-Origin-Resource-Policy: %s-origin\r\n",
           type_of(name), b->tag,
           for_ever ? "public, max-age=31536000, immutable" : "no-cache",
           ends(name, ".html") ? ", Accept-Language" : "",
           b->packed && !same ? "Content-Encoding: gzip\r\n" : "", policy,
           shared ? "cross" : "same");
  http_send(c, same ? 304 : status, head, b->text, same ? 0 : b->length);
}

/* The file of that name; in memory to be freed if it comes from a folder. */
static bool find_body(const struct pages *p, const char *name, bool gzip,
                      struct body *out, char **read) {
  *read = NULL;
  if (!p->folder)
    return find_inside(p, name, gzip, out);
  *read = read_file(p->folder, name, &out->length);
  if (!*read)
    return false;
  out->text = *read;
  make_tag(*read, out->length, out->tag);
  return true;
}

static const char *find_mark(const struct body *b, const char *mark) {
  return memmem(b->text, b->length, mark, strlen(mark));
}

void pages_send_index(struct conn *c, const char *preview) {
  static const char from[] = "<!--preview-->", to[] = "<!--/preview-->";
  struct body b = {0}, out = {0};
  char *read;
  if (!find_body(c->server->pages, "index.html", false, &b, &read)) {
    http_refuse(c, 404, SAL_BAD_REQUEST, N_("There is nothing here."));
    return;
  }
  const char *start = find_mark(&b, from), *end = find_mark(&b, to);
  const size_t size = b.length + strlen(preview);
  char *page = *preview && start && end > start ? malloc(size) : NULL;
  if (page) {
    const size_t before = (size_t)(start - b.text) + strlen(from);
    const size_t after = b.length - (size_t)(end - b.text);
    memcpy(page, b.text, before);
    memcpy(page + before, preview, strlen(preview));
    memcpy(page + before + strlen(preview), end, after);
    out.text = page;
    out.length = before + strlen(preview) + after;
    make_tag(page, out.length, out.tag);
  }
  send_body(c, 200, "index.html", page ? &out : &b);
  free(page);
  free(read);
}

bool pages_answer(struct conn *c) {
  const struct pages *p = c->server->pages;
  char name[PATH_MAX_CHARS];
  struct body b = {0};
  char *read;
  if (!http_reads(c->http) || !name_of(http_url(c->http), name) ||
      !find_body(p, name, http_lists(c->http, "accept-encoding", "gzip"), &b,
                 &read))
    return false;
  if (strcmp(name, "index.html") == 0)
    preview_answer(c);
  else
    send_body(c, 200, name, &b);
  free(read);
  return true;
}

bool pages_answer_missing(struct conn *c) {
  struct body b = {0};
  char *read;
  if (!http_reads(c->http) || strncmp(http_url(c->http), "/api/", 5) == 0 ||
      !http_lists(c->http, "accept", "text/html") ||
      !find_body(c->server->pages, "index.html", false, &b, &read))
    return false;
  send_body(c, 404, "index.html", &b);
  free(read);
  return true;
}

// Keeps the pages, so that they open at once and also without a connection. Everything about people
// and tables goes past it to the server.
//
// One version is kept as a whole: the pages of one build, all from the same cache. A newer one waits
// until the person asks for it, and then takes over.
const CACHE = "salotto-__VERSION__";
const FILES = ["__FILES__"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((f) => new Request(f, { cache: "no-cache" })))));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((n) => n.startsWith("salotto-") && n !== CACHE).map((n) => caches.delete(n))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (/^\/(api|ws|healthz|metrics)\b/.test(url.pathname)) return;
  const wanted = request.mode === "navigate" ? "/" : url.pathname;
  // A cache that cannot be read is as good as none.
  const kept = caches.open(CACHE).then((cache) => cache.match(wanted)).catch(() => undefined);
  event.respondWith(kept.then((found) => found ?? fetch(request)));
});

// One's turn at a table of days, told while no page is open.
self.addEventListener("push", (event) => {
  const { title, body, table } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag: table, icon: "/icon-192.png", data: { path: `/t/${table}` } }));
});

self.addEventListener("notificationclick", (event) => {
  const { path } = event.notification.data;
  event.notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((pages) => {
      const open = pages.find((p) => new URL(p.url).pathname === path);
      return open ? open.focus() : self.clients.openWindow(path);
    }),
  );
});

// Being called while no page is open (Web Push), if the server has keys and the person wants to be
// notified. The browser keeps the subscription; the server is told where it is.
import { api, server } from "./server";
import { prefs } from "./prefs";

const supported = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function bytes(base64url: string): Uint8Array {
  const text = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

const same = (a: ArrayBuffer | null, b: Uint8Array): boolean =>
  !!a && String(new Uint8Array(a)) === String(b);

/** The subscription of this browser for that key; one for another key is worth nothing any more. */
async function subscription(registration: ServiceWorkerRegistration, key: Uint8Array): Promise<PushSubscription> {
  const old = await registration.pushManager.getSubscription();
  if (old && same(old.options.applicationServerKey, key)) return old;
  await old?.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Whoever wants to be notified is called from now on, also without a page. */
export async function startPush(): Promise<void> {
  if (!server.me || !prefs.notify || !supported() || Notification.permission !== "granted") return;
  try {
    const { push } = await api<{ push?: string }>("/api/push");
    if (!push) return;
    const { endpoint, keys } = (await subscription(await navigator.serviceWorker.ready, bytes(push))).toJSON();
    await api("/api/push", { endpoint, p256dh: keys?.["p256dh"], auth: keys?.["auth"] });
  } catch {
    // No push service, or the server cannot be reached: open pages call all the same.
  }
}

/** Not any more: before signing out, or when notifications are switched off. */
export async function stopPush(): Promise<void> {
  if (!supported()) return;
  try {
    const found = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
    if (!found) return;
    await api("/api/push", { endpoint: found.endpoint, remove: true });
    await found.unsubscribe();
  } catch {
    // What the server has is removed when the push service says that it is gone.
  }
}

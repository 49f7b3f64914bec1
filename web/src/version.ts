// Whether the server has newer pages than these: the service worker tells, or where there is none the
// page itself looks, whenever the connection has come back.
import { useStore } from "./hooks";
import { Listeners } from "./listeners";
import { server } from "./server";

let waiting: ServiceWorker | null = null;
let newer = false;
const listeners = new Listeners();

function found(worker: ServiceWorker | null): void {
  waiting = worker;
  newer = true;
  listeners.tell();
}

/** The name of the script that this page began with, which holds a hash. */
function ownScript(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  return script ? new URL(script.src).pathname : "";
}

async function look(): Promise<void> {
  const own = ownScript();
  if (!own.startsWith("/assets/")) return;
  const answer = await fetch("/", { cache: "no-cache" }).catch(() => null);
  if (answer?.ok && !(await answer.text()).includes(own)) found(null);
}

/** The page is there and has a moment to spare. */
async function settled(): Promise<void> {
  if (document.readyState !== "complete") await new Promise((on) => addEventListener("load", on, { once: true }));
  await new Promise<void>((on) =>
    "requestIdleCallback" in window ? requestIdleCallback(() => on(), { timeout: 3000 }) : setTimeout(on, 1500));
}

export async function watchVersion(): Promise<void> {
  let registration: ServiceWorkerRegistration | null = null;
  let wasLost = false;
  server.subscribe(() => {
    if (server.link === "online" && wasLost) void (registration ? registration.update().catch(() => {}) : look());
    wasLost = server.link === "lost" || server.link === "closing";
  });
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  await settled(); // it fetches everything, and the first view comes first
  registration = await navigator.serviceWorker.register("/sw.js").catch(() => null);
  if (!registration) return;
  const watch = (worker: ServiceWorker | null) => {
    const check = () => {
      // The first one of all takes its place by itself.
      if (worker?.state === "installed" && navigator.serviceWorker.controller) found(worker);
    };
    worker?.addEventListener("statechange", check);
    check();
  };
  watch(registration.waiting);
  registration.addEventListener("updatefound", () => watch(registration!.installing));
}

export function useNewVersion(): boolean {
  useStore(listeners.add);
  return newer;
}

export function reloadNew(): void {
  if (!waiting) return location.reload();
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  waiting.postMessage("take over");
}

// Installing the pages as an app: browsers that can say so once, and are asked when the person wishes.

interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

let offered: InstallEvent | null = null;
const listeners = new Set<() => void>();

function set(event: InstallEvent | null): void {
  offered = event;
  for (const listener of listeners) listener();
}

export function watchInstall(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    set(event as InstallEvent);
  });
  addEventListener("appinstalled", () => set(null));
}

export function onInstall(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** Asks to install; null where that is not possible, or done. */
export function installer(): (() => Promise<void>) | null {
  const event = offered;
  return event && (async () => {
    await event.prompt();
    set(null);
  });
}

// Installing the pages as an app: browsers that can say so once, and are asked when the person wishes.
import { Listeners } from "./listeners";

interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

let offered: InstallEvent | null = null;
const listeners = new Listeners();

function set(event: InstallEvent | null): void {
  offered = event;
  listeners.tell();
}

export function watchInstall(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    set(event as InstallEvent);
  });
  addEventListener("appinstalled", () => set(null));
}

export const onInstall = listeners.add;

/** Asks to install; null where that is not possible, or done. */
export function installer(): (() => Promise<void>) | null {
  const event = offered;
  return event && (async () => {
    await event.prompt();
    set(null);
  });
}

// Paths of the pages, on the history of the browser.
//   /  /new/GAME  /t/ID  /play/GAME  /replay/ID  /rules/GAME#rule.id  /learn/GAME[/CHAPTER]
//   /me  /p/PERSON  /history  /leaders/GAME  /verify
//   /explore/doors  /progress  /problems[/GAME[/NUMBER]]
import { useEffect, useState } from "preact/hooks";
import { Listeners } from "./listeners";

export interface Place {
  /** The first part of the path, "" for the lobby. */
  page: string;
  /** The second part, or "". */
  what: string;
  /** The third part, or "". */
  part: string;
  query: URLSearchParams;
  hash: string;
}

const listeners = new Listeners();

export function here(): Place {
  const [, page = "", what = "", part = ""] = location.pathname.split("/");
  return {
    page,
    what: decodeURIComponent(what),
    part: decodeURIComponent(part),
    query: new URLSearchParams(location.search),
    hash: decodeURIComponent(location.hash.slice(1)),
  };
}

export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  listeners.tell();
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => listeners.add(() => setPlace(here())), []);
  return place;
}

/** Links inside the pages change the page without loading it again. */
export function startRouter(): void {
  addEventListener("popstate", () => listeners.tell());
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (/^\/(api|ws|metrics|healthz)\b/.test(link.pathname)) return;
    if (link.pathname === location.pathname && link.hash) return; // the browser scrolls there
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

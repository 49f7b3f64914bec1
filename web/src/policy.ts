// The master's policies, which this browser fetches once and keeps: for the master himself, the explorer of Doors,
// and reviews and hints that tell what the master would do.

export async function fetched(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.arrayBuffer();
}

const policyUrl = (game: string): string => `/api/policy?game=${game}`;
/** What the server gives at a time. */
const PART = 512 * 1024;
/** Their sizes in MB, to be said before one is fetched. */
export const POLICY_MB: Record<string, number> = { doors: 18.5, favor: 0.7, traps: 1 };
/** Whether the master's play is optimal there, but for a little; how far from it that of Favor is nobody knows. */
export const isOptimal = (game: string): boolean => game !== "favor";
const CACHE = "policy";

/** Whether the master's policy of this game lies here already. */
export async function hasPolicy(game: string): Promise<boolean> {
  return !!(await caches.open(CACHE).then((c) => c.match(policyUrl(game))).catch(() => undefined));
}

/** Fetched once, then kept. */
export async function policy(game: string): Promise<ArrayBuffer> {
  const cache = await caches.open(CACHE).catch(() => null);
  const kept = await cache?.match(policyUrl(game));
  if (kept) return kept.arrayBuffer();
  const parts: ArrayBuffer[] = [];
  let size = 0;
  do {
    parts.push(await fetched(`${policyUrl(game)}&from=${size}`));
    size += parts.at(-1)!.byteLength;
  } while (parts.at(-1)!.byteLength === PART);
  const whole = new Blob(parts);
  await cache?.put(policyUrl(game), new Response(whole)).catch(() => {});
  return whole.arrayBuffer();
}

/** What the engine of these pages cannot use is fetched anew the next time. */
export async function dropPolicy(game: string): Promise<void> {
  await caches.open(CACHE).then((c) => c.delete(policyUrl(game))).catch(() => false);
}

// Where the problems of each game are: one file a game, all those of share/problems.
const found = import.meta.glob<string>("../../share/problems/*.jsonl", { query: "?url", import: "default", eager: true });

/** Addresses by game. */
export const problemFiles: Record<string, string> = Object.fromEntries(
  Object.entries(found).map(([path, url]) => [path.replace(/^.*\//, "").replace(".jsonl", ""), url]),
);

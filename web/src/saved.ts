// Games that this browser keeps, on its own disk. What lies there holds the seed: only the worker, which
// plays the other seats, reads it.
import type { Start } from "./worker";

interface Saved {
  start: Start;
  /** With the seed. */
  record: string;
  script: Start["script"];
}

const STORE = "games";

function open(): Promise<IDBDatabase> {
  return new Promise((done, no) => {
    const asked = indexedDB.open("salotto", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => no(asked.error ?? new Error("no store"));
  });
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const db = await open();
  try {
    return await new Promise<T>((done, no) => {
      const transaction = db.transaction(STORE, mode);
      const asked = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => done(asked.result);
      transaction.onabort = transaction.onerror = () => no(transaction.error ?? new Error("not stored"));
    });
  } finally {
    db.close();
  }
}

export const putGame = (id: string, game: Saved): Promise<unknown> => run("readwrite", (s) => s.put(game, id));
export const getGame = (id: string): Promise<Saved | undefined> =>
  run("readonly", (s) => s.get(id) as IDBRequest<Saved | undefined>);
export const dropGame = (id: string): Promise<unknown> => run("readwrite", (s) => s.delete(id));

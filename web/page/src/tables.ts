// Tables kept by the browser: files of its private file system, else values of its database, else
// none. A damaged one does no harm: the engine verifies tables and builds them again.

import type { Tables } from "../../package/index.js";

/** Most bytes of a table that is kept, and of all of them. */
const LARGEST = 2 ** 28;
const ALL = 2 ** 29;
const FOLDER = "tables";

interface Entry {
  key: string;
  length: number;
  when: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** A place of the browser for tables. */
export interface Shelf {
  list(): Promise<Entry[]>;
  read(key: string): Promise<ArrayBuffer | null>;
  write(key: string, bytes: Bytes): Promise<void>;
  remove(key: string): Promise<void>;
}

/** A file that only one worker at a time can write. */
interface Access {
  write(bytes: Bytes, options: { at: number }): number;
  flush(): void;
  close(): void;
}

type Handle = FileSystemFileHandle & { createSyncAccessHandle(): Promise<Access> };

/** Files in a folder of the origin's private file system. */
export async function files(): Promise<Shelf> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(FOLDER, { create: true });
  const fileName = (key: string) =>
    encodeURIComponent(key).replace(/[!'()*~.]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return {
    async list() {
      const entries: Entry[] = [];
      for await (const handle of folder.values()) {
        if (handle.kind !== "file") continue;
        const { size: length, lastModified: when } = await (handle as FileSystemFileHandle).getFile();
        entries.push({ key: decodeURIComponent(handle.name), length, when });
      }
      return entries;
    },
    async read(key) {
      const handle = await folder.getFileHandle(fileName(key));
      return (await handle.getFile()).arrayBuffer();
    },
    async write(key, bytes) {
      // A file that is written again would keep its old time.
      await folder.removeEntry(fileName(key)).catch(() => {});
      const handle = (await folder.getFileHandle(fileName(key), { create: true })) as Handle;
      const access = await handle.createSyncAccessHandle();
      let written = 0;
      try {
        written = access.write(bytes, { at: 0 });
        access.flush();
      } finally {
        access.close();
        if (written < bytes.length) await folder.removeEntry(fileName(key));
      }
    },
    remove: (key) => folder.removeEntry(fileName(key)),
  };
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Values of a database: bytes, and beside them the list of their lengths and times. */
export async function database(): Promise<Shelf> {
  const opening = indexedDB.open("unriddle", 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore("bytes");
    opening.result.createObjectStore("entries", { keyPath: "key" });
  };
  const base = await done(opening);
  const change = (act: (bytes: IDBObjectStore, entries: IDBObjectStore) => void) =>
    new Promise<void>((resolve, reject) => {
      const changing = base.transaction(["bytes", "entries"], "readwrite");
      changing.oncomplete = () => resolve();
      changing.onabort = () => reject(changing.error);
      act(changing.objectStore("bytes"), changing.objectStore("entries"));
    });
  const reading = (store: string) => base.transaction(store).objectStore(store);
  return {
    list: () => done<Entry[]>(reading("entries").getAll()),
    read: async (key) => (await done<ArrayBuffer>(reading("bytes").get(key))) ?? null,
    write: (key, bytes) =>
      change((values, entries) => {
        values.put(bytes.buffer, key);
        entries.put({ key, length: bytes.length, when: Date.now() });
      }),
    remove: (key) =>
      change((values, entries) => {
        values.delete(key);
        entries.delete(key);
      }),
  };
}

/** The first of some places that the browser has. */
async function first(places: (() => Promise<Shelf>)[]): Promise<Shelf | null> {
  for (const open of places) {
    try {
      const shelf = await open();
      await shelf.list();
      return shelf;
    } catch {
      // The next one.
    }
  }
  return null;
}

/** Tables in the browser's storage. Of too many the oldest are removed. */
export function keptTables(places = [files, database], all = ALL): Tables {
  let opened: Promise<Shelf | null> | null = null;
  const shelf = () => {
    opened ??= first(places);
    return opened;
  };
  return {
    largest: Math.min(LARGEST, all),
    async keys() {
      return ((await (await shelf())?.list()) ?? []).map(({ key }) => key);
    },
    async read(key) {
      return (await shelf())?.read(key);
    },
    async write(key, bytes) {
      const place = await shelf();
      if (!place) return;
      const others = (await place.list()).filter((entry) => entry.key !== key);
      others.sort((a, b) => b.when - a.when);
      let total = bytes.length + others.reduce((sum, { length }) => sum + length, 0);
      while (total > all) {
        const oldest = others.pop();
        if (!oldest) return;
        await place.remove(oldest.key);
        total -= oldest.length;
      }
      await place.write(key, bytes);
    },
  };
}

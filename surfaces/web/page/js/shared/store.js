/**
 * What this browser keeps for the page and the service worker: answers that wait, and facts such as this device's name.
 * A plain script, so that both can load it; it leaves `PulseStore`.
 */

(() => {
  const NAME = "pulse";
  const VERSION = 1;

  /** @type {Promise<IDBDatabase> | null} */
  let opened = null;

  /** @returns {Promise<IDBDatabase>} */
  function open() {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, VERSION);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("answers", { keyPath: "key" });
        request.result.createObjectStore("facts", { keyPath: "key" });
      };
      request.onsuccess = () => {
        request.result.onversionchange = () => forget(request.result);
        request.result.onclose = () => forget(request.result);
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("an older page keeps the store open"));
    });
    opened.catch(() => (opened = null)); // the next one who asks tries again
    return opened;
  }

  /** @param {IDBDatabase} database */
  function forget(database) {
    database.close();
    opened = null;
  }

  /**
   * @param {string[]} stores
   * @param {"readonly" | "readwrite"} mode
   * @param {(transaction: IDBTransaction) => IDBRequest | void} act
   * @returns {Promise<any>} the request's result, once all of it is on disk
   */
  async function within(stores, mode, act) {
    const transaction = (await open()).transaction(stores, mode);
    const request = act(transaction);
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  globalThis.PulseStore = {
    put: (store, value) => within([store], "readwrite", (all) => all.objectStore(store).put(value)),
    get: (store, key) => within([store], "readonly", (all) => all.objectStore(store).get(key)),
    all: (store) => within([store], "readonly", (all) => all.objectStore(store).getAll()),
    remove: (store, key) => within([store], "readwrite", (all) => all.objectStore(store).delete(key)),
    clear: () =>
      within(["answers", "facts"], "readwrite", (all) => {
        all.objectStore("answers").clear();
        all.objectStore("facts").clear();
      }),
  };
})();

/**
 * Which set of files each open page began with: kept in the browser too, for the service worker may be ended while a
 * page lives, and a page never gets files of two sets. A plain script for the service worker; it leaves `PulseBegun`.
 */

(() => {
  const NAME = "pulse-begun";
  const PAGES_MAX = 100;
  /** @type {Map<string, string>} of the pages that this worker has seen begin */
  const seen = new Map();

  /** Note it, and forget pages that are closed. @param {string} client @param {string} set */
  async function note(client, set) {
    if (seen.size >= PAGES_MAX) seen.clear();
    seen.set(client, set);
    const kept = await caches.open(NAME);
    await kept.put(`/${client}`, new Response(set));
    const pages = await /** @type {any} */ (globalThis).clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = new Set([client, ...pages.map((/** @type {{id: string}} */ page) => page.id)].map((id) => `/${id}`));
    const gone = (await kept.keys()).filter(({ url }) => !open.has(new URL(url).pathname));
    await Promise.all(gone.map((one) => kept.delete(one)));
  }

  /** @param {string} client @returns {Promise<string | undefined>} */
  async function setOf(client) {
    return seen.get(client) ?? (await (await caches.open(NAME)).match(`/${client}`))?.text();
  }

  /** Forget all of it. */
  async function clear() {
    seen.clear();
    await caches.delete(NAME);
  }

  globalThis.PulseBegun = { note, setOf, clear };
})();

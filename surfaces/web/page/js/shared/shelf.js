/**
 * The page's files, kept so that it starts at once and without a network. They are kept as whole sets, one for each
 * version that the hub names: a page never gets files of two versions. What is kept is shown at once; whether there is
 * a newer set is looked up behind it, for the next start; a page that is open then says so (`views/newer.js`).
 * A plain script for the service worker; it leaves `PulseShelf`.
 */
/* global PulseBegun */

(() => {
  const PREFIX = "pulse-page-";
  const SETS_MAX = 2;
  const ASK_AGAIN_MS = 5_000;
  const PAGE = "/";
  const EXTRA = ["/", "/manifest.webmanifest"];
  const ICON = "/app/icons/icon-96.png";
  const LANGUAGES_MAX = 4;
  const NAME = '<meta name="pulse-files" content="';
  const AS_KEPT = { ignoreVary: true };

  /** @type {Map<string, Record<string, string>>} words as long as this worker lives: a notification should not wait for them */
  const spoken = new Map();
  let drawn = "";
  let askedAt = 0;
  /** @type {Promise<void> | null} */
  let filling = null;

  /** @returns {Promise<string[]>} the names of the kept sets, the newest last */
  async function sets() {
    const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
    return names.sort((one, other) => Number(one.split("-")[2]) - Number(other.split("-")[2]));
  }

  /** Keep the set of files that the hub has now, if it is not kept yet. */
  function fill() {
    filling ??= fillOnce().finally(() => (filling = null));
    return filling;
  }

  async function fillOnce() {
    askedAt = Date.now();
    const listing = await fetch("/files.json", { cache: "no-store" });
    if (!listing.ok) throw new Error("the hub does not say which files there are");
    const { version, files } = await listing.json();
    if ((await sets()).at(-1)?.endsWith(`-${version}`)) return; // one that is kept and not the newest was gone back to
    const draft = await Promise.all([...EXTRA, ...files].map(fetched));
    const cache = await caches.open(`${PREFIX}${Date.now()}-${version}`);
    await Promise.all(draft.map(async ([path, found]) => cache.put(path, path === PAGE ? await named(found, version) : found)));
    spoken.clear();
    await tidy();
  }

  /** The page itself is told which set it is of, so that it can tell when the hub has another. @param {Response} page @param {string} version */
  async function named(page, version) {
    const text = (await page.text()).replace(NAME, (found) => found + version);
    const headers = new Headers(page.headers);
    ["content-length", "content-encoding", "etag"].forEach((name) => headers.delete(name)); // they are of the text as it was
    return new Response(text, { status: page.status, headers });
  }

  /** @param {string} path @returns {Promise<[string, Response]>} */
  async function fetched(path) {
    const found = await fetch(path, { cache: "no-cache" });
    if (!found.ok) throw new Error(`${path} could not be loaded`);
    return [path, found];
  }

  /** Drop old sets; the last one but one stays for pages that began with it. */
  async function tidy() {
    const old = (await sets()).slice(0, -SETS_MAX);
    await Promise.all(old.map((name) => caches.delete(name)));
  }

  /**
   * @param {Request} request
   * @param {any} event the fetch event
   * @returns {Promise<Response> | null} null: not one of the page's files
   */
  function answer(request, event) {
    const { origin, pathname } = new URL(request.url);
    const isPage = request.mode === "navigate" && pathname === PAGE;
    if (request.method !== "GET" || origin !== location.origin) return null;
    if (!isPage && !pathname.startsWith("/app/") && pathname !== "/manifest.webmanifest") return null;
    return isPage ? start(request, event) : file(request, pathname, event.clientId);
  }

  /** @param {Request} request @param {any} event */
  async function start(request, event) {
    const newest = (await sets()).at(-1);
    const kept = newest && (await (await caches.open(newest)).match(PAGE, AS_KEPT));
    if (!kept) return fetch(request);
    event.waitUntil(PulseBegun.note(event.resultingClientId, newest));
    if (Date.now() - askedAt > ASK_AGAIN_MS) event.waitUntil(fill().catch(() => {})); // away: the next start asks again
    return kept;
  }

  /** @param {Request} request @param {string} pathname @param {string} client */
  async function file(request, pathname, client) {
    const names = await sets();
    const name = (await PulseBegun.setOf(client)) ?? names.at(-1);
    const kept = name && names.includes(name) && (await (await caches.open(name)).match(pathname, AS_KEPT));
    return kept || fetch(request);
  }

  /** Forget all of it. */
  async function clear() {
    await Promise.all([PulseBegun.clear(), ...(await sets()).map((name) => caches.delete(name))]);
  }

  /**
   * @param {string} lang
   * @returns {Promise<Record<string, string>>} the words of a language, else the English ones, else none
   */
  async function words(lang) {
    const known = spoken.get(lang);
    if (known) return known;
    const found = await wordsOf(lang);
    if (spoken.size >= LANGUAGES_MAX) spoken.clear();
    if (Object.keys(found).length) spoken.set(lang, found);
    return found;
  }

  /** @param {string} lang @returns {Promise<Record<string, string>>} */
  async function wordsOf(lang) {
    for (const one of new Set([lang, "en"])) {
      const path = `/app/words/${one}.json`;
      const found = (await caches.match(path, AS_KEPT)) ?? (await fetch(path).catch(() => null));
      if (found?.ok) return found.json();
    }
    return {};
  }

  /** @returns {Promise<string>} the icon as a `data:` address, for the browser would fetch another one before it shows anything; or "" */
  async function icon() {
    drawn ||= await (await caches.match(ICON, AS_KEPT))?.arrayBuffer().then(dataAddress) ?? "";
    return drawn;
  }

  /** @param {ArrayBuffer} png */
  function dataAddress(png) {
    return `data:image/png;base64,${btoa(String.fromCharCode(...new Uint8Array(png)))}`;
  }

  globalThis.PulseShelf = { fill, tidy, answer, clear, words, icon };
})();

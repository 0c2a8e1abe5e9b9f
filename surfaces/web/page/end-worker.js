/**
 * What a browser is handed in place of a service worker that is not this page's: it drops what that kept, takes itself
 * away, and loads the open pages again. A program that had this address while Pulse was not running may have left one.
 */

/** @type {ServiceWorkerGlobalScope} */
const ending = /** @type {any} */ (self);

ending.addEventListener("install", () => ending.skipWaiting());
ending.addEventListener("activate", (event) => event.waitUntil(end()));

async function end() {
  await ending.clients.claim();
  const names = await caches.keys();
  await Promise.all(names.map((name) => caches.delete(name)));
  await ending.registration.unregister();
  const pages = await ending.clients.matchAll({ type: "window" });
  await Promise.all(pages.map((page) => page.navigate(page.url)));
}

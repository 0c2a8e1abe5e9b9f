/** What makes the page an app: the service worker, notifications, answers made offline, the install offer, the badge, a newer page. */

/** What is not started yet. None of it is needed to see and answer a card. */
const waiting = new Set(["queue", "push", "views/install", "views/newer"]);

/**
 * Start each part once; called again, it goes on with what could not be loaded.
 * @throws {TypeError} a part cannot be loaded: the hub has gone away
 */
export async function startApp() {
  for (const name of [...waiting]) {
    const part = await import(`./${name}.js`);
    waiting.delete(name);
    await part.start?.();
  }
}

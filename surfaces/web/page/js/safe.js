/** Answers that are kept in the browser until the hub has them. What does it is loaded when something is to be kept. */

/** @type {Promise<unknown>} one after the other: what was taken back must not be kept afterwards */
let keeping = Promise.resolve();

/**
 * Keep an answer; with `notBefore` for a page that may not live to send it.
 * @param {{prediction: import("./types").Prediction, verb: string, path: string, body: object, key: string, notBefore?: number}} answer
 * @returns {Promise<boolean>} false: nowhere to keep it
 */
export function keepSafe(answer) {
  return next(async ({ keep }) => keep(answer));
}

/** Keep answers no longer. @param {string[]} keys of what the hub has, or what was taken back */
export function drop(keys) {
  void next(async (kept) => Promise.all(keys.map(kept.drop)));
}

/** @param {(kept: typeof import("./keep.js")) => Promise<unknown>} act @returns {Promise<boolean>} */
function next(act) {
  const done = keeping.then(async () => act(await import("./keep.js"))).then(
    () => true,
    () => false,
  );
  keeping = done;
  return done;
}

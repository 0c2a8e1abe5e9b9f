/** What Pulse sees in the person's repositories: looked at when the page is there, and again when something happened. */

import { get } from "./api.js";
import { state } from "./state.js";

const CHARS_MAX = 100_000;
const AGAIN_MS = 60_000;
const CALM_MS = 1_500;

/** @type {() => void} */
let looked = () => {};
/** Settles with the first look, whatever came of it. @type {Promise<void>} */
export const repositoriesLooked = new Promise((resolve) => {
  looked = resolve;
});
/** @type {ReturnType<typeof setTimeout> | undefined} */
let planned;

/** Begin to look. What cannot be read is tried again; until then the page says nothing of it. */
export async function startRepositories() {
  let before = marksOf(state.get());
  state.watch((model) => {
    const now = marksOf(model);
    if (now !== before) plan(CALM_MS);
    before = now;
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && plan(CALM_MS));
  await look();
}

/** @param {import("./state.js").Model} model @returns {string} what is another when work began, ended, or a card came */
export function marksOf({ cards }) {
  return Object.values(cards).map(({ prediction: { id, status, runState } }) => `${id} ${status} ${runState}`).join();
}

/** @param {number} waitMs */
function plan(waitMs) {
  clearTimeout(planned);
  planned = setTimeout(() => void look(), waitMs);
}

async function look() {
  clearTimeout(planned);
  if (document.visibilityState === "visible") {
    const answer = await get("/repositories").catch(() => null);
    if (answer) keep(seenNow(state.get(), answer));
  }
  looked();
  plan(AGAIN_MS);
}

/**
 * What is there after a look: where nothing could be read, what was seen before stays.
 * @param {Pick<import("./state.js").Model, "repositories">} before
 * @param {import("./types").RepositoryList} answer
 */
export function seenNow(before, { repositories, folders, problems }) {
  const isBroken = repositories.length === 0 && problems.length > 0;
  return { repositories: isBroken ? before.repositories : repositories, folders };
}

/** @param {Pick<import("./state.js").Model, "repositories" | "folders">} seen shown at the next start until they are looked at again */
function keep({ repositories, folders }) {
  state.set({ repositories, folders });
  for (const [name, value] of Object.entries({ repositories, folders })) {
    const text = JSON.stringify(value);
    if (text.length <= CHARS_MAX) localStorage.setItem(`pulse.${name}`, text);
  }
}

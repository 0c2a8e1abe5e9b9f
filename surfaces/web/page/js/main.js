/**
 * Boot: words, then the session; then the pairing screen or the shell, and the view that the address names.
 *
 * A view is a module with `mount(root)`: it fills `root`, watches the state itself, and returns the function that ends
 * it. Views other than the inbox are loaded when they are first asked for.
 */

import { showBy } from "./answers.js";
import { Offline, Problem, confirmBy, get, lookBy } from "./api.js";
import { early } from "./early.js";
import { startLive } from "./live.js";
import { state, withSync } from "./state.js";
import { keepCommand } from "./views/coded.js";
import { mount as inbox, prepare } from "./views/inbox.js";
import { addressOf, movedTo } from "./views/places-model.js";
import { drawShell } from "./views/shell.js";
import { oncePressed } from "./views/steady.js";
import { loadWords, t } from "./words.js";
import { useHubZone } from "./zones.js";

/** @typedef {(() => void) & {stays?: (address: import("./views/places-model.js").Address) => boolean}} Leave `stays`: goes to another part of it */
/** @typedef {(root: HTMLElement) => Leave | Promise<Leave>} Mount */

/** @type {Record<string, () => Promise<{mount: Mount}>>} */
const VIEWS = {
  inbox: () => prepare().then(() => ({ mount: inbox })),
  activity: () => import("./views/activity.js"),
  settings: () => import("./views/settings.js"),
};
/** The dialogs are loaded before they are asked for, so that they are here when the hub is away. */
const LATER = [
  async () => (await import("./presence.js")).startPresence(),
  async () => (await import("./titles.js")).startTitles(),
  async () => (await import("./snapshot.js")).keepSnapshots(),
  async () => (await import("./repositories.js")).startRepositories(),
  async () => (await import("./coding-agents.js")).startCodingAgents(),
  async () => (await import("./terminals-here.js")).startTerminals(),
  async () => (await import("./views/asking-terminals.js")).start(),
  async () => (await import("./views/spirit.js")).start(),
  ...["undo", "details", "snooze", "keys", "quiet", "again", "askbox", "list", "menu", "result", "task", "agents-here"].map((name) => () => import(`./views/${name}.js`)),
  async () => (await import("./app.js")).startApp(),
];
const TRY_AGAIN_MS = 5_000;
const TRIES_MAX = 20;
const LATER_MS = 150;
const NOT_SIGNED_IN = 401;

/** @type {Leave} */
let leave = () => {};

confirmBy(async () => (await import("./views/again.js")).confirmedAgain());
lookBy(async ({ prompt }) => (await import("./views/confirm.js")).confirmed({ title: t("card.confirm"), code: prompt, yes: t("look.yes") }));
showBy(() => import("./views/undo.js"));
oncePressed();
// From here on no click on a notification is lost: what comes before the page is loaded waits for its listener.
navigator.serviceWorker?.addEventListener("message", ({ data }) => data?.type === "pulse:open" && openCard(data.card));

async function boot() {
  const session = get("/session", early("/api/v1/session"));
  const sync = get("/sync", early("/api/v1/sync"));
  [session, sync].forEach((promise) => promise.catch(() => {})); // each failure is met below
  await loadWords(early);
  try {
    await enter(await session, await sync);
  } catch (error) {
    await otherwise(error);
  }
}

/**
 * @param {import("./types").SessionAnswer} session
 * @param {import("./types").SyncAnswer} sync
 */
async function enter(session, sync) {
  const before = state.get();
  const [repositories, folders] = ["repositories", "folders"].map((name) => JSON.parse(localStorage.getItem(`pulse.${name}`) ?? "[]")); // so that nothing jumps
  useHubZone(sync.zone);
  keepCommand(session.command);
  state.set({ ...withSync(before, sync, Date.now()), repositories, folders, session, phase: "ready" });
  await open();
}

/** Show the shell with what is known, and go live. */
async function open() {
  drawShell();
  startLive();
  addEventListener("hashchange", () => void route());
  await route();
  document.documentElement.dataset.ready = "yes";
  setTimeout(() => void later(), LATER_MS); // Safari has no requestIdleCallback
}

/** @param {unknown} error why the hub did not let us in at once */
async function otherwise(error) {
  if (error instanceof Problem && error.status === NOT_SIGNED_IN) return pair(error.code);
  const last = error instanceof Offline ? (await import("./snapshot.js")).recall() : null;
  if (!last) return (await import("./views/trouble.js")).showTrouble(error);
  state.set({ ...last, phase: "ready", link: "lost" });
  return open();
}

/** @param {string} why the code of the hub's refusal */
async function pair(why) {
  state.set({ phase: "pairing" });
  const { showPairing } = await import("./views/pairing.js");
  const session = await showPairing(why);
  await enter(session, await get("/sync"));
}

/** Show the view that the address names. */
async function route() {
  const moved = movedTo(location.hash);
  if (moved) history.replaceState(null, "", moved);
  const address = addressOf(location.hash);
  const { name, part, card } = address;
  const root = document.getElementById("view");
  if (!root) return;
  const isStay = leave.stays?.(address) ?? false;
  Object.assign(document.body.dataset, { view: name, part });
  scrollTo(0, 0);
  if (!isStay) await show(name, root);
  dispatchEvent(new CustomEvent("pulse:view", { detail: { name } }));
  if (!card) return;
  (await import("./views/details.js")).openDetails(card);
  dispatchEvent(new CustomEvent("pulse:front", { detail: card })); // to be answered when the details are closed
}

/** @param {string} name of a place @param {HTMLElement} root */
async function show(name, root) {
  leave();
  leave = () => {};
  root.replaceChildren();
  try {
    leave = await (await VIEWS[name]()).mount(root);
  } catch (error) {
    (await import("./views/trouble.js")).showTrouble(error, root);
  }
}

/** @param {string} [card] */
function openCard(card) {
  if (!card) return;
  const hash = `#card=${encodeURIComponent(card)}`;
  if (location.hash === hash) dispatchEvent(new Event("hashchange")); // it was opened so before, and closed
  else location.hash = hash;
}

/**
 * Load what is not needed to see and answer a card, once the page stands still. What cannot be loaded because the hub
 * went away meanwhile is tried again.
 * @param {(() => Promise<unknown>)[]} [parts]
 * @param {number} [tries] so far
 */
async function later(parts = LATER, tries = 0) {
  const told = await Promise.allSettled(parts.map((part) => part()));
  const failed = parts.filter((_, place) => told[place].status === "rejected");
  if (!failed.length) document.documentElement.dataset.complete = "yes"; // the hub may go away now
  else if (tries < TRIES_MAX) setTimeout(() => void later(failed, tries + 1), TRY_AGAIN_MS);
}

void boot();

/**
 * The live feed: one WebSocket, opened again whenever it is lost, that goes on where it stopped.
 *
 * Whatever was missed is replayed by the hub; when it no longer can (or was started anew), everything is read once over
 * HTTP. Events that arrive during that reading are applied at once and again after it, since applying twice is harmless
 * and leaving one out is not.
 *
 * A browser that was told to go on behind a warning may open no WebSocket there, although it asks over HTTP (Safari):
 * where none was ever open and the hub answers, everything is read now and then instead.
 */

/* global PulseSession */

import { get, isUnpaired } from "./api.js";
import { apply, reduce, state, withSync } from "./state.js";
import { useHubZone } from "./zones.js";

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 5_000;
const QUICK_ATTEMPTS = 16;
const DOUBLINGS_MAX = 10;
const ASK_WHY_EVERY = 6;
const MEANWHILE_MAX = 1_000;
const LOST_AFTER_MS = 700;
const REFRESH_AFTER_MS = 300;
const REVOKED = 1008;
const TASKS_SHOWN_MAX = 10;
/** The channel of the cards that ask whether a task is done. */
const REMINDERS = "tasks";
const MAKE_NEW_FIGURES = new Set(["prediction.executed", "execution.failed", "execution.started"]);

/** @type {WebSocket | null} */
let socket = null;
let attempts = 0;
let stopped = false;
let hasOpened = false;
let isPolled = false;
/** @typedef {ReturnType<typeof setTimeout> | undefined} Timer */
/** @type {Timer} */
let retry;
/** @type {Timer} */
let telling;
/** @type {Timer} */
let refreshing;
/** @type {{type: string, seq: number}[] | null} events heard while everything is read anew */
let meanwhile = null;
/** @type {object | null} said again after each reconnect */
let lastPresence = null;

/**
 * How long to wait before the next attempt: short as long as a hub takes to start, then doubled each time; half of it
 * is by chance, so that pages do not come at once.
 * @param {number} attempt from 0
 * @param {number} chance 0 to 1
 * @returns {number} milliseconds
 */
export function backoffMs(attempt, chance) {
  const doublings = Math.min(Math.max(0, attempt - QUICK_ATTEMPTS), DOUBLINGS_MAX);
  const whole = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** doublings);
  return whole / 2 + (whole / 2) * chance;
}

/** Go live, and stay so. */
export function startLive() {
  stopped = false;
  addEventListener("online", again);
  addEventListener("pageshow", again);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && again());
  connect();
}

/** End the feed: this browser is signed out. */
export function stopLive() {
  stopped = true;
  clearTimeout(retry);
  socket?.close();
}

/**
 * Say whether a person can see this page; kept and said again after a reconnect.
 * @param {boolean} visible
 * @param {number} activeAtMs when a person last touched the page, 0 for never
 */
export function sayPresence(visible, activeAtMs) {
  lastPresence = { type: "presence", visible, activeAt: activeAtMs ? new Date(activeAtMs).toISOString() : null };
  if (state.get().link === "up") say(lastPresence);
}

/**
 * Read everything anew.
 * @returns {Promise<void>}
 */
export async function resync() {
  if (meanwhile) return;
  meanwhile = [];
  try {
    const answer = await get("/sync");
    useHubZone(answer.zone);
    let model = withSync(state.get(), answer, Date.now());
    for (const event of meanwhile) model = reduce(model, event, Date.now());
    state.set(model);
  } catch (error) {
    if (isUnpaired(error)) signedOut();
    else socket?.close(); // the next connection finds out what is missing
  } finally {
    meanwhile = null;
  }
}

function again() {
  if (stopped || (socket && socket.readyState <= WebSocket.OPEN)) return;
  attempts = 0;
  clearTimeout(retry);
  connect();
}

function connect() {
  if (stopped) return;
  const { protocol, host } = location;
  const address = `${protocol === "https:" ? "wss" : "ws"}://${host}/pulse`;
  const fresh = new WebSocket(address);
  socket = fresh;
  fresh.addEventListener("open", () => void introduce(fresh, address));
  fresh.addEventListener("message", (message) => socket === fresh && hear(JSON.parse(message.data)));
  fresh.addEventListener("close", (close) => socket === fresh && lost(close));
}

/**
 * Say who we are: a page cannot send headers with a WebSocket.
 * @param {WebSocket} fresh
 * @param {string} address
 */
async function introduce(fresh, address) {
  hasOpened = true;
  isPolled = false;
  const first = await PulseSession.firstMessage(address).catch(() => "");
  if (first && fresh.readyState === WebSocket.OPEN) fresh.send(first);
}

/** @param {CloseEvent} close */
function lost(close) {
  socket = null;
  if (stopped) return;
  if (close.code === REVOKED) return void resync().then(soon); // over HTTP the hub says more, its time for one
  if (isPolled) return void poll().then(soon);
  // a blink is not worth a banner
  telling ??= setTimeout(() => state.set({ link: "lost" }), LOST_AFTER_MS);
  if (state.get().link === "up") state.set({ link: "connecting" });
  soon();
  if (attempts % ASK_WHY_EVERY === 0) void signedInStill();
}

function soon() {
  if (!stopped) retry = setTimeout(connect, backoffMs(attempts++, Math.random()));
}

/** A handshake that is refused looks like one that is lost; only HTTP tells which. */
async function signedInStill() {
  try {
    await get("/session");
    if (!hasOpened) await poll();
  } catch (error) {
    if (isUnpaired(error)) signedOut();
  }
}

/** Read everything, as long as the hub answers. */
async function poll() {
  isPolled = await get("/session").then(
    () => true,
    () => false,
  );
  if (!isPolled) return state.set({ link: "lost" });
  await resync();
  await readTasks();
  clearTimeout(telling);
  telling = undefined;
  state.set({ link: "up", knownAt: Date.now() });
}

function signedOut() {
  stopLive();
  dispatchEvent(new Event("pulse:signed-out"));
}

/** @param {any} message */
function hear(message) {
  const own = HEARD[message.type];
  if (own) return own(message);
  if (meanwhile && meanwhile.length < MEANWHILE_MAX) meanwhile.push(message);
  apply(message);
  if (MAKE_NEW_FIGURES.has(message.type)) refreshSoon();
  if (message.type === "prediction.settled" && message.prediction.targetChannel === REMINDERS) void readTasks(); // its answer changed one
}

/** @type {Record<string, (message: any) => void>} */
const HEARD = {
  hello({ status }) {
    const { seq, feed } = state.get();
    say({ type: "subscribe", channels: ["crosspoll"], since: seq, ...(feed ? { feed } : {}) });
    state.set({ status });
  },
  subscribed: () => up(),
  resync() {
    up();
    void resync();
  },
  "look-again": ({ what }) => (what === "tasks" ? void readTasks() : dispatchEvent(new CustomEvent("pulse:look-again", { detail: what }))),
  problem() {}, // who is not let in is hung up on
};

function up() {
  attempts = 0;
  clearTimeout(telling);
  telling = undefined;
  state.set({ link: "up", knownAt: Date.now() });
  dispatchEvent(new CustomEvent("pulse:look-again")); // at all of it: what was told meanwhile is not told again
  void readTasks();
  if (lastPresence) say(lastPresence);
}

/**
 * Send, unless the connection is on its way down: what was heard last can come after that, and the next connection
 * introduces itself anew.
 * @param {object} message
 */
function say(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** Read the tasks again. While the hub is away they stay as they are: the next connection reads them. */
async function readTasks() {
  const answer = await get(`/tasks?limit=${TASKS_SHOWN_MAX}`).catch(() => null);
  if (answer) state.set({ tasks: answer.tasks });
}

/** Tokens and costs have no events of their own; they change when work begins or ends. */
function refreshSoon() {
  clearTimeout(refreshing);
  refreshing = setTimeout(() => void resync(), REFRESH_AFTER_MS);
}

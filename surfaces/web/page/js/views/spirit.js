/**
 * The bubble beside the light: which session needs help, and with what. It stands in the head's own free room, so it
 * covers nothing, and nothing moves when it comes. Of all open pages that are in sight only one shows it: the one that
 * holds a lock, which goes with the page. What was put aside stays so, on every page, until the session asks anew.
 */

import { get } from "../api.js";
import { h, icon, need, replace } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { toSession } from "./shell.js";
import { goneFrom, keyOf, withGone } from "./spirit-model.js";

/** @typedef {import("../types").WorldSessionView} WorldSessionView */

const LOCK = "pulse.bubble";
const GONE_AS = "pulse.spirit-gone";
const OWN_IDS = "pred_";

/** @type {HTMLElement} */
let place;
/** @type {WorldSessionView | null} */
let asking = null;
/** What the status said when the session was last asked for. */
let heard = "";
let isMine = false;
/** @type {(() => void) | null} lets the lock go */
let release = null;

/** Begin to tell who needs help. */
export async function start() {
  place = h("div", { class: "bubble-place", role: "status", aria: { live: "polite" } });
  need(".spirit-place").append(place);
  document.addEventListener("visibilitychange", seen);
  addEventListener("storage", ({ key }) => key === GONE_AS && draw());
  state.watch(() => void look());
  seen();
  await look();
}

/** Hold the lock while this page is in sight; another one that is takes over when it is not. */
function seen() {
  const isSeen = document.visibilityState === "visible";
  document.documentElement.classList.toggle("unseen", !isSeen); // nothing moves where nobody looks
  if (!isSeen) {
    release?.();
    release = null;
    return;
  }
  if (release) return;
  const until = new Promise((resolve) => {
    release = () => resolve(null);
  });
  const held = async () => {
    isMine = true;
    draw();
    await until;
    isMine = false;
    draw();
  };
  if (navigator.locks) void navigator.locks.request(LOCK, held);
  else void held();
}

/** Ask for the session that the status names, when that says something new. */
async function look() {
  const world = state.get().status?.world;
  const id = world && world.failed > 0 ? world.asks : "";
  const now = JSON.stringify(id ? world : null);
  if (now === heard) return;
  heard = now;
  const found = id ? await get(`/world/sessions/${encodeURIComponent(id)}`).catch(() => null) : null;
  if (heard !== now) return;
  asking = found?.status === "failed" ? found : null;
  draw();
}

function draw() {
  const isShown = isMine && asking !== null && !goneFrom(localStorage.getItem(GONE_AS)).includes(keyOf(asking));
  need(".spirit-place").classList.toggle("asks", isShown);
  const key = isShown && asking ? keyOf(asking) : "";
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  replace(place, key && asking ? bubble(asking) : null);
}

/** @param {WorldSessionView} session */
function bubble({ id, task, asks }) {
  const session = id.startsWith(OWN_IDS) ? task || id : id; // what Pulse calls a session says nothing to a person
  const words = asks ? t("spirit.help", { session, asks }) : t("spirit.help-plain", { session });
  const close = t("spirit.help-close");
  return h(
    "div",
    { class: "bubble" },
    h("a", { href: `#/activity/sessions/${encodeURIComponent(id)}`, title: words, dir: "auto", on: { click: (/** @type {Event} */ event) => go(event, id) } }, words),
    h("button", { type: "button", class: "bare round small", title: close, aria: { label: close }, on: { click: putAside } }, icon("close")),
  );
}

/** @param {Event} event @param {string} id */
function go(event, id) {
  event.preventDefault();
  toSession(id);
}

function putAside() {
  if (!asking) return;
  const hadFocus = place.contains(document.activeElement);
  localStorage.setItem(GONE_AS, JSON.stringify(withGone(goneFrom(localStorage.getItem(GONE_AS)), keyOf(asking))));
  draw();
  if (hadFocus) need(".spirit").focus();
}

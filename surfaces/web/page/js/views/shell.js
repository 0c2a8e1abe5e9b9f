/**
 * What is around every view: the light with the four states of WORLD, the way to the other views, the stop, and the
 * banners. The light glows while nothing runs, pulses while agents work, sparkles for a moment when work is verified,
 * and leads to what failed.
 */

import { announce, h, icon, isLetterMeant, need, replace, setText } from "../dom.js";
import { age } from "../format.js";
import { phaseOf, state } from "../state.js";
import { waitingCount } from "../together.js";
import { t } from "../words.js";
import { fateOf } from "./history-model.js";
import { openKillSwitch } from "./kill.js"; // with the page, not when it is pressed: Stop waits for no file
import { PLACES, hashOf } from "./places-model.js";
import { canStart, isStopped } from "./stop-state.js";

/** @typedef {import("../state.js").Model} Model */
/** @typedef {import("../state.js").Card} Card */

const TICK_MS = 1_000;
const SPARKLE_MS = 3_000;

let isDrawn = false;

/** Draw the shell once; the view that the address names goes into `#view`. */
export function drawShell() {
  if (isDrawn && document.getElementById("view")) return;
  isDrawn = true;
  const banner = h("div", { class: "banners" });
  /** @type {(() => void)[]} */
  const draws = [() => drawBanners(banner), drawCount];
  replace(
    need("#app"),
    h("a", { class: "skip button", href: "#view", on: { click: toView } }, t("shell.skip")),
    h("header", { class: "top" }, spirit(draws), navigation("nav-top"), killSwitch(draws)),
    banner,
    h("main", { id: "view", tabindex: "-1" }),
    navigation("nav-bottom"),
    h("section", { id: "toasts", aria: { label: t("shell.told") } }),
  );
  const draw = () => draws.forEach((one) => one());
  state.watch(draw);
  addEventListener("pulse:view", markView);
  document.addEventListener("keydown", onKey);
  setInterval(() => document.visibilityState === "visible" && dispatchEvent(new Event("pulse:tick")), TICK_MS);
  addEventListener("pulse:tick", draw);
  addEventListener("pulse:signed-out", () => void signOut());
  draw();
}

/**
 * Which of its states the spirit is in; stopped, nothing else is of weight.
 * @param {Model} model
 * @param {number} now ms
 * @param {number} [sparkledAt] when this page heard that a session was verified (ms)
 * @returns {{mood: "stopped" | "idle" | "working" | "verified" | "failed", failed: Card | null}} `failed` is null where a session is what failed
 */
export function moodOf(model, now, sparkledAt = -Infinity) {
  if (model.status && !model.status.enabled) return { mood: "stopped", failed: null };
  const cards = Object.values(model.cards);
  const failed = cards
    .filter((card) => phaseOf(card, now) === "failed")
    .sort((one, other) => other.endedAt - one.endedAt)[0];
  const world = model.status?.world;
  if (failed || (world && world.failed > 0)) return { mood: "failed", failed: failed ?? null };
  const verified =
    now - sparkledAt < SPARKLE_MS ||
    cards.some(({ prediction, endedAt }) => fateOf(prediction, now) === "executed" && now - endedAt < SPARKLE_MS);
  if (verified) return { mood: "verified", failed: null };
  const works =
    cards.some((card) => phaseOf(card, now) === "running") ||
    model.agents.some((one) => one.state === "running") ||
    (world ? world.active + world.pending > 0 : false);
  return { mood: works ? "working" : "idle", failed: null };
}

/** @param {(() => void)[]} draws how to draw it is added @returns {HTMLElement} */
function spirit(draws) {
  const word = h("span", { class: "word" });
  const names = h("span", { class: "names" }, h("strong", null, t("shell.title")), word);
  const light = h("span", { class: "light", aria: { hidden: true } }, h("i", null), h("i", null), h("i", null));
  const button = h("button", { class: "spirit bare", type: "button", on: { click: toFailed } }, light, names);
  let verifiedAt = state.get().status?.world?.verifiedAt;
  let sparkledAt = -Infinity;
  draws.push(() => {
    const model = state.get();
    const found = model.status?.world?.verifiedAt;
    if (found && found !== verifiedAt) sparkledAt = Date.now();
    verifiedAt = found ?? verifiedAt;
    const { mood, failed } = moodOf(model, Date.now(), sparkledAt);
    if (button.dataset.mood !== mood) {
      button.dataset.mood = mood;
      if (mood === "verified" || mood === "failed") announce(t(`spirit.${mood}`), failed !== null);
    }
    const words = mood === "idle" || mood === "stopped" ? t(`spirit.is-${model.status?.state ?? "watching"}`) : t(`spirit.${mood}`);
    setText(word, model.link === "lost" ? t("spirit.lost") : words);
  });
  return h("div", { class: "spirit-place" }, button);
}

/** What failed stands on its own card; the light leads there, and covers nothing. */
function toFailed() {
  const { failed } = moodOf(state.get(), Date.now());
  const asks = state.get().status?.world?.asks;
  if (!failed && asks) return toSession(asks);
  const show = () => {
    const row = failed && document.querySelector(`.run[data-id="${failed.prediction.id}"]`);
    if (!(row instanceof HTMLElement)) return;
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
  };
  if (document.body.dataset.view === "inbox") return show();
  addEventListener("pulse:view", show, { once: true });
  location.hash = "#/";
}

/** @param {string} id of a session that needs somebody */
export function toSession(id) {
  const hash = `#/activity/sessions/${encodeURIComponent(id)}`;
  if (location.hash === hash) dispatchEvent(new Event("hashchange")); // it was led to before, and left
  else location.hash = hash;
}

/** @param {string} kind */
function navigation(kind) {
  const links = PLACES.map((name) =>
    h(
      "a",
      { href: hashOf(name), dataset: { view: name } },
      icon(name),
      h("span", null, t(`nav.${name}`)),
      name === "inbox" && [h("span", { class: "nav-count", hidden: true, aria: { hidden: true } }), h("span", { class: "nav-waits only-read" })],
    ),
  );
  return h("nav", { class: kind, aria: { label: t("nav.label") } }, links);
}

function markView() {
  const here = document.body.dataset.view ?? "inbox";
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    const isHere = link instanceof HTMLElement && link.dataset.view === here;
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  drawCount();
}

/** What waits stands on the inbox's link and, wherever the person is, in front of the tab's title. */
function drawCount() {
  const count = waitingCount(state.get(), Date.now());
  for (const mark of document.querySelectorAll(".nav-count")) {
    if (mark instanceof HTMLElement) mark.hidden = count === 0;
    setText(mark, String(count));
  }
  document.querySelectorAll(".nav-waits").forEach((node) => setText(node, count ? `, ${t("nav.waits", { count })}` : ""));
  const title = `${t(`nav.${document.body.dataset.view ?? "inbox"}`)} · ${t("shell.title")}`;
  const whole = count ? `(${count}) ${title}` : title;
  if (document.title !== whole) document.title = whole;
}

/** @param {Event} event following the link would change the address, and so the view */
function toView(event) {
  event.preventDefault();
  need("#view").focus();
}

/** While Pulse is stopped it is what starts it again. @param {(() => void)[]} draws how to draw it is added */
function killSwitch(draws) {
  const button = h("button", { class: "kill", type: "button", on: { click: openKillSwitch } });
  draws.push(() => {
    const isOff = isStopped();
    if (button.dataset.off === String(isOff)) return;
    button.dataset.off = String(isOff);
    button.setAttribute("aria-label", t(isOff ? (canStart() ? "kill.open-stopped" : "kill.open-file") : "kill.open"));
    replace(button, icon(isOff ? "play" : "stop"), h("span", null, t(isOff ? (canStart() ? "kill.resume" : "kill.title-stopped") : "kill.button")));
  });
  return button;
}

/** @param {HTMLElement} root */
function drawBanners(root) {
  const { link, status, knownAt } = state.get();
  const isOff = isStopped();
  const wanted = [link === "lost" ? "lost" : "", isOff ? (canStart() ? "off" : "off-file") : ""].filter(Boolean).join(" ");
  document.body.classList.toggle("stale", link === "lost");
  if (root.dataset.shown !== wanted) {
    root.dataset.shown = wanted;
    replace(root, link === "lost" ? lostBanner() : null, isOff ? offBanner() : null);
  }
  const since = root.querySelector(".since");
  if (since) setText(since, knownAt ? t("shell.lost.since", { age: age(knownAt, Date.now()) }) : "");
  const why = root.querySelector(".why");
  if (why && status?.killedBy) setText(why, t(`state.killed-${status.killedBy}`));
}

function lostBanner() {
  return h(
    "div",
    { class: "banner lost", role: "status" },
    icon("away"),
    h("p", { class: "grow" }, h("strong", null, t("shell.lost")), " ", h("span", { class: "since" })),
  );
}

function offBanner() {
  return h(
    "div",
    { class: "banner off", role: "status" },
    icon("stop"),
    h("p", { class: "grow" }, h("strong", null, t("shell.off")), " ", h("span", { class: "why" })),
  );
}

/** @param {KeyboardEvent} event */
async function onKey(event) {
  const isTyping =
    event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable]");
  if (event.key !== "?" || isTyping || !isLetterMeant(event) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  (await import("./keys.js")).openKeys();
}

async function signOut() {
  (await import("../snapshot.js")).forget();
  location.replace("/");
}

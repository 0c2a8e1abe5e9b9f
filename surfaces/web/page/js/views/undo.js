/**
 * What became of an answer, at the foot of the page, with a way back while there is one.
 *
 * One message at a time. Its time stands still while it is pointed at or has the focus.
 */

import { HELD_MS, answer, canUndo, flush, keepHolding, lastAnswered, press, takeBack } from "../answers.js";
import { coded } from "./coded.js";
import { announce, h, icon, need, replace } from "../dom.js";
import { clock } from "../format.js";
import { has, t } from "../words.js";
import { ranOf } from "./face.js";
import { isOurs } from "./permission-model.js";
import { promptOf, worded } from "./wordings.js";

/** @typedef {import("../answers.js").Told} Told */
/** @typedef {import("../types").Prediction} Prediction */

const UNDO_MS = 8_000;
const SAY_MS = 7_000;
const UNDO_KEY_MS = 60_000;
/** However long it is pointed at or typed into, a message ends. */
const STAYS_MS_MAX = 60_000;
const REASONS = ["timing", "useless", "risky"];

/** What a message must not lie over: a press meant for one of these would be lost, or taken for another. */
const PRESSED = '.card[data-depth="0"]:not(.ghost) button, .list-bar button, .card-row button';
const GAP_PX = 12;

const place = need("#toasts");
for (const news of ["scroll", "resize", "pulse:tick"]) addEventListener(news, () => place.firstElementChild && keepClear(), { passive: true });

/**
 * Show a message.
 * @param {string} text
 * @param {string} [tone] "bad" for what went wrong
 */
export function say(text, tone = "") {
  put(toast(tone, SAY_MS, h("p", { class: "grow", dir: "auto" }, coded(text)), closeButton()));
  announce(text, tone === "bad");
}

/**
 * Show a message with a way back from what it tells.
 * @param {string} text
 * @param {() => Promise<void>} goBack
 */
export function offer(text, goBack) {
  const button = h("button", { type: "button", class: "small" }, icon("undo"), t("told.undo"));
  button.addEventListener("click", () => void press(button, goBack));
  put(toast("", SAY_MS * 2, h("p", { class: "grow whole", dir: "auto" }, text), button));
  announce(text);
}

/**
 * Show what became of an answer.
 * @param {Told} told
 */
export function show(told) {
  if (told.kind === "held" && (told.count ?? 1) > 1) return offerOneUndo(told.verb, told.count ?? 1);
  if (told.kind === "held") return told.verb === "reject" ? askReason(told.prediction) : offerSecondThought(told.prediction);
  if (told.kind === "sent" && (told.count ?? 1) > 1) return; // its one undo was offered before
  if (told.kind === "refused") return say(told.message, "bad");
  if (told.kind === "queued") return say(t("told.queued"), "");
  if (!canUndo(told)) return over(told);
  offerUndo(told);
}

/** @param {Told} told */
function offerUndo({ verb, prediction }) {
  const until = prediction.snoozedUntil;
  const words = verb === "snooze" && until ? t("told.snooze", { until: clock(until, Date.now()) }) : t(`told.${verb}`);
  put(toast("", UNDO_MS, named(words, promptOf(prediction)), undoButton()));
  announce(`${words} ${t("told.undo.hint")}`);
}

/** Nothing has begun yet. @param {Prediction} prediction */
function offerSecondThought(prediction) {
  put(toast("", HELD_MS.approve, named(t("told.held"), promptOf(prediction)), undoButton()));
  announce(`${t("told.held")} ${t("told.undo.hint")}`);
}

/** What became of it, and of what: the card is gone by now. @param {string} words @param {string} what */
function named(words, what) {
  return h("p", { class: "grow" }, h("strong", null, words), " ", h("span", { class: "quiet", dir: "auto" }, what));
}

/** @param {string} verb @param {number} count */
function offerOneUndo(verb, count) {
  const words = t(`told.several-${verb}`, { count });
  put(toast("", HELD_MS.several, h("p", { class: "grow" }, h("strong", null, words)), undoButton()));
  announce(`${words} ${t("told.undo.hint")}`);
}

/** There is no way back from here; a permission that was given stands in a list, and is taken back there. @param {Told} told */
function over({ verb, message, option, prediction }) {
  if (verb === "undo") return say(message || t("told.undone"));
  const { outcome, outcomeWorded, permission } = prediction;
  const name = verb === "reject" && permission ? "told.said-no" : `told.${verb}`;
  const isPlain = has(name) && !outcome && permission?.act !== "question";
  const words = isPlain ? t(name) : worded(outcomeWorded, message);
  if (isPlain && !isOurs(option)) {
    const what = ranOf(prediction);
    put(toast("", SAY_MS, named(words.replace(/\.$/, ":"), what), closeButton()));
    return announce(`${words} ${what}`);
  }
  if (!isOurs(option)) return say(words);
  const link = h("a", { href: "#/settings/alone", on: { click: clear } }, t("told.permissions"));
  put(toast("", SAY_MS * 2, h("p", { class: "grow", dir: "auto" }, coded(words)), link));
  announce(words);
}

/** A dismissal waits a moment for its reason. @param {Prediction} prediction */
function askReason(prediction) {
  const said = t(prediction.permission ? "told.said-no" : "told.reject");
  const chips = REASONS.map((name) =>
    h("button", { type: "button", on: { click: () => flush(t(`reason.${name}`)) } }, t(`reason.${name}`)),
  );
  const other = h("button", { type: "button", on: { click: () => askOther(prediction) } }, t("reason.own"));
  const top = h(
    "div",
    { class: "row" },
    h("p", { class: "grow" }, h("strong", null, said), " ", t("reason.why")),
    undoButton(),
  );
  put(
    toast(
      "asks",
      HELD_MS.reject,
      h(
        "div",
        { class: "grow stack" },
        top,
        h("div", { class: "chips", role: "group", aria: { label: t("reason.why") } }, chips, other),
      ),
    ),
    keepHolding,
    () => flush(),
  );
  announce(`${said} ${t("told.undo.hint")}`);
}

/** @param {Prediction} prediction */
function askOther(prediction) {
  keepHolding();
  const field = h("input", {
    name: "reason",
    maxlength: 500,
    placeholder: t("reason.hint"),
    aria: { label: t("reason.hint") },
    dir: "auto",
  });
  const form = h(
    "form",
    { class: "row grow" },
    field,
    h("button", { class: "main", type: "submit" }, t("reason.send")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    flush(field.value.trim());
  });
  field.addEventListener("keydown", (event) => event.key === "Escape" && flush());
  put(toast("asks", 0, form), keepHolding, () => flush());
  place.dataset.card = prediction.id;
  field.focus();
}

/**
 * Take the last answer back, whether it was sent already or not.
 * @param {"tap" | "key"} input
 */
export async function undoLast(input) {
  if (takeBack()) {
    clear();
    return announce(t("told.undone"));
  }
  const last = await lastAnswered();
  if (!last || Date.now() - last.at > UNDO_KEY_MS) return say(t("told.nothing"));
  clear();
  void answer(last.prediction, "undo", input);
}

function undoButton() {
  return h("button", { type: "button", class: "small", on: { click: () => void undoLast("tap") } }, icon("undo"), t("told.undo"));
}

/**
 * @param {string} tone
 * @param {number} lifeMs 0: until something else is shown, or nobody has come for a minute
 * @param {...(HTMLElement)} parts
 */
function toast(tone, lifeMs, ...parts) {
  const left = h("span", { class: "left", aria: { hidden: true } });
  const root = h("div", { class: `toast ${tone}`, dataset: { life: String(lifeMs) } }, parts, lifeMs ? left : null);
  root.style.setProperty("--life", `${lifeMs}ms`);
  return root;
}

/**
 * Put a message up, instead of the one before.
 * @param {HTMLElement} root
 * @param {() => void} [onStay] the person points at it: its time stands still
 * @param {() => void} [onEnd] its time is over
 */
function put(root, onStay = () => {}, onEnd = () => {}) {
  replace(place, root);
  keepClear();
  requestAnimationFrame(keepClear); // by then the next card is there
  const lifeMs = Number(root.dataset.life);
  const isHere = () => root.isConnected;
  const end = () => isHere() && (root.remove(), onEnd());
  let timer = setTimeout(end, lifeMs || STAYS_MS_MAX);
  if (!lifeMs) return;
  const stay = () => (onStay(), clearTimeout(timer), root.classList.add("stays"), (timer = setTimeout(end, STAYS_MS_MAX)));
  const go = () => (clearTimeout(timer), root.classList.remove("stays"), (timer = setTimeout(end, lifeMs)));
  // what appears under a pointer that rests is not pointed at: it would stay for as long as the hand is away
  root.addEventListener("pointermove", (event) => event.pointerType === "mouse" && !root.classList.contains("stays") && stay());
  root.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && go());
  root.addEventListener("focusin", stay);
  root.addEventListener("focusout", go);
}

/** Where a message at the foot of the page would lie over a card's buttons, it comes below the header and the field that is written in. */
function keepClear() {
  const { height, left, right } = place.getBoundingClientRect();
  const buttons = [...document.querySelectorAll(PRESSED)].map((button) => button.getBoundingClientRect()).filter((one) => one.width > 0 && one.left < right && one.right > left);
  const covered = (/** @type {number} */ top) => buttons.filter((one) => one.top < top + height + GAP_PX && one.bottom > top - GAP_PX).length;
  const below = Math.max(...[".top", ".banners", ".askbox"].map((name) => document.querySelector(name)?.getBoundingClientRect().bottom ?? 0)) + GAP_PX;
  place.classList.remove("high");
  const foot = place.getBoundingClientRect().top;
  place.classList.toggle("high", covered(foot) > covered(below));
  place.style.setProperty("--below", `${below}px`);
}

function closeButton() {
  return h(
    "button",
    { type: "button", class: "bare small", aria: { label: t("close") }, on: { click: clear } },
    icon("close"),
  );
}

function clear() {
  place.replaceChildren();
}

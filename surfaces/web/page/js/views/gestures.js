/**
 * Swipes: what a movement means is decided by a pure function; the rest moves the card with the finger.
 *
 * A movement is locked to the axis that it begins on. Right approves, left dismisses, up snoozes, when it went far
 * enough or was fast enough in that direction; anything else springs back. Standing still for a moment opens the details.
 */

import { isLetterMeant, isStill } from "../dom.js";

/** @typedef {"approve" | "reject" | "snooze"} Verb */
/** @typedef {"" | "x" | "y"} Axis */
/** @typedef {{dx: number, dy: number, vx: number, vy: number, width: number, height: number}} Swipe px, px/ms, and the card's size in px */
/** @typedef {{onVerb: (verb: Verb) => void, onLong: () => void, isOpen: () => boolean}} Hooks */

/** Letters answer the card in front wherever the focus is; what scrolls a page answers only a card that has the focus. */
const LETTERS = new Map([
  ["a", "approve"],
  ["d", "reject"],
  ["s", "snooze"],
  ["i", "details"],
  ["e", "edit"],
  ["j", "next"],
  ["k", "back"],
  ["u", "undo"],
]);
const ON_A_CARD = new Map([
  ["ArrowRight", "approve"],
  ["ArrowLeft", "reject"],
  ["ArrowUp", "snooze"],
  ["ArrowDown", "next"],
  ["Enter", "details"],
]);
const SEEN_SHARE_MIN = 0.5;
export const LOCK_PX = 8;
const SHARE_X = 0.32;
const SHARE_Y = 0.28;
const FAR_PX_MAX = 160;
const FLICK_PX_PER_MS = 0.55;
const FLICK_PX_MIN = 28;
const LONG_PRESS_MS = 500;
const TILT_DEG_MAX = 7;
const RESIST = 0.22;
const VELOCITY_MS = 80;
const POINTS_MAX = 9;

/**
 * What a key asks for.
 * @param {string} key
 * @param {boolean} isOnCard whether a card itself has the focus
 * @returns {string} empty where it is not ours
 */
export function verbOfKey(key, isOnCard) {
  return LETTERS.get(key) ?? (isOnCard ? ON_A_CARD.get(key) : undefined) ?? "";
}

/** @param {KeyboardEvent} event @returns {boolean} whether the key is meant for something else */
export function isElsewhere(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return true;
  if (!isLetterMeant(event)) return true;
  const isField = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
  return isField || document.querySelector("dialog[open]") !== null;
}

/**
 * Whether a person can see what they would answer: half of the card, or as much of it as the window holds, and its top,
 * where it says what it is about.
 * @param {{top: number, bottom: number}} card px from the window's top
 * @param {number} from where the window's free part begins, px
 * @param {number} to where it ends, px
 * @returns {boolean}
 */
export function isSeen({ top, bottom }, from, to) {
  const visible = Math.min(bottom, to) - Math.max(top, from);
  return top < to && visible >= Math.min(bottom - top, to - from) * SEEN_SHARE_MIN;
}

/**
 * The axis of a movement, once it is long enough to tell.
 * @param {number} dx
 * @param {number} dy
 * @returns {Axis}
 */
export function axisOf(dx, dy) {
  if (Math.hypot(dx, dy) < LOCK_PX) return "";
  return Math.abs(dx) >= Math.abs(dy) ? "x" : "y";
}

/**
 * What a finished movement means.
 * @param {Swipe} swipe
 * @param {Axis} axis
 * @returns {Verb | null}
 */
export function meaningOf(swipe, axis) {
  if (axis === "x") {
    const far = Math.min(swipe.width * SHARE_X, FAR_PX_MAX);
    if (passes(swipe.dx, swipe.vx, far)) return "approve";
    return passes(-swipe.dx, -swipe.vx, far) ? "reject" : null;
  }
  if (axis === "y") return passes(-swipe.dy, -swipe.vy, Math.min(swipe.height * SHARE_Y, FAR_PX_MAX)) ? "snooze" : null;
  return null;
}

/**
 * How near a movement is to its meaning, for what the card shows meanwhile.
 * @param {Swipe} swipe
 * @param {Axis} axis
 * @returns {{verb: Verb | null, share: number}} share 0 to 1
 */
export function leaningOf(swipe, axis) {
  if (axis === "x") {
    const far = Math.min(swipe.width * SHARE_X, FAR_PX_MAX);
    return { verb: swipe.dx > 0 ? "approve" : "reject", share: Math.min(1, Math.abs(swipe.dx) / far) };
  }
  if (axis === "y" && swipe.dy < 0) {
    return { verb: "snooze", share: Math.min(1, -swipe.dy / Math.min(swipe.height * SHARE_Y, FAR_PX_MAX)) };
  }
  return { verb: null, share: 0 };
}

/** Far enough and not on its way back, or a flick. @param {number} way @param {number} speed @param {number} far */
function passes(way, speed, far) {
  if (speed < -FLICK_PX_PER_MS / 2) return false;
  return way >= far || (way >= FLICK_PX_MIN && speed >= FLICK_PX_PER_MS);
}

/**
 * Let a card be swiped. Buttons and fields in it stay what they are.
 * @param {HTMLElement} card
 * @param {Hooks} hooks
 */
export function makeSwipeable(card, hooks) {
  const hand = new Hand(card, hooks);
  card.addEventListener("pointerdown", (event) => hand.down(event));
  card.addEventListener("pointermove", (event) => hand.move(event));
  card.addEventListener("pointerup", (event) => hand.up(event));
  card.addEventListener("pointercancel", () => hand.cancel());
  // else Chromium takes the end of a swipe for a fling, and the next tap, on Undo, for what stops it: it would not click
  card.addEventListener("touchmove", (event) => hand.isSwiping && event.cancelable && event.preventDefault(), { passive: false });
  card.addEventListener("contextmenu", (event) => hand.isDown && event.preventDefault()); // a long press is ours
}

/** One finger or mouse on one card. */
class Hand {
  /** @param {HTMLElement} card @param {Hooks} hooks */
  constructor(card, hooks) {
    this.card = card;
    this.hooks = hooks;
    /** @type {{id: number, x: number, y: number, axis: Axis, isUp: boolean, points: [number, number, number][]} | null} */
    this.drag = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.pressing = undefined;
  }

  /** @returns {boolean} */
  get isDown() {
    return this.drag !== null;
  }

  /** @returns {boolean} whether a movement is ours; one that begins downwards scrolls the page */
  get isSwiping() {
    return this.drag?.axis === "x" || (this.drag?.axis === "y" && this.drag.isUp);
  }

  /** @param {PointerEvent} event */
  down(event) {
    const isControl = event.target instanceof Element && event.target.closest("button, a, input, textarea, summary");
    if (this.drag || event.button !== 0 || isControl || !this.hooks.isOpen()) return;
    this.drag = { id: event.pointerId, x: event.clientX, y: event.clientY, axis: "", isUp: false, points: [] };
    this.pressing = setTimeout(() => this.#end(this.hooks.onLong), LONG_PRESS_MS);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.drag || event.pointerId !== this.drag.id) return;
    this.drag.points = [...this.drag.points.slice(1 - POINTS_MAX), [event.timeStamp, event.clientX, event.clientY]];
    const swipe = this.#measure(event);
    if (!this.drag.axis) this.#lock(axisOf(swipe.dx, swipe.dy), swipe.dy < 0);
    if (this.drag.axis) this.#follow(swipe, this.drag.axis);
  }

  /** @param {PointerEvent} event */
  up(event) {
    if (!this.drag || event.pointerId !== this.drag.id) return;
    const verb = meaningOf(this.#measure(event), this.drag.axis);
    this.#end(verb ? () => this.hooks.onVerb(verb) : () => this.#springBack());
  }

  cancel() {
    if (this.drag) this.#end(() => this.#springBack());
  }

  /** @param {Axis} axis @param {boolean} isUp */
  #lock(axis, isUp) {
    if (!this.drag || !axis) return;
    Object.assign(this.drag, { axis, isUp });
    clearTimeout(this.pressing);
    this.card.setPointerCapture(this.drag.id);
    this.card.classList.add("dragged");
  }

  /** @param {PointerEvent} event @returns {Swipe} */
  #measure(event) {
    const from = this.drag ?? { x: event.clientX, y: event.clientY, points: [] };
    const recent = from.points.filter(([at]) => event.timeStamp - at <= VELOCITY_MS);
    const [at, x, y] = recent[0] ?? [event.timeStamp, event.clientX, event.clientY];
    const passed = Math.max(1, event.timeStamp - at);
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const speed = { vx: (event.clientX - x) / passed, vy: (event.clientY - y) / passed };
    return { dx: event.clientX - from.x, dy: event.clientY - from.y, ...speed, width, height };
  }

  /** @param {Swipe} swipe @param {Axis} axis */
  #follow(swipe, axis) {
    const dx = axis === "x" ? swipe.dx : 0;
    const dy = axis === "y" ? (swipe.dy < 0 ? swipe.dy : swipe.dy * RESIST) : 0;
    const tilt = isStill() ? 0 : (dx / swipe.width) * TILT_DEG_MAX;
    this.card.style.transform = `translate3d(${dx}px, ${dy}px, 0) rotate(${tilt}deg)`;
    lean(this.card, leaningOf(swipe, axis));
  }

  #springBack() {
    this.card.style.transform = "";
    lean(this.card, { verb: null, share: 0 });
  }

  /** @param {() => void} then */
  #end(then) {
    clearTimeout(this.pressing);
    this.drag = null;
    this.card.classList.remove("dragged");
    then();
  }
}

/**
 * Show on a card what letting go would mean.
 * @param {HTMLElement} card
 * @param {{verb: Verb | null, share: number}} leaning
 */
export function lean(card, { verb, share }) {
  card.dataset.lean = verb ?? "";
  card.style.setProperty("--lean", share.toFixed(2));
  card.classList.toggle("sure", share >= 1);
}

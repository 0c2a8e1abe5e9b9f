/**
 * What slides under a finger is not answered: an answer counts only for what stood still, where it is, for a moment.
 *
 * A card that was answered makes room for the next one, in the same place. Whoever presses twice, or presses just then,
 * has not seen what they would say yes to. Scrolling is the person's own and moves nothing in this sense.
 */

import { announce } from "../dom.js";
import { t } from "../words.js";

const STANDS_MS = 600;
/** A press so soon after the move was on its way before: it was meant for what stood there, and nothing is said. */
const MEANT_MS = 300;
const SAID_MS = 5_000;
const MOVED_PX = 4;
const STANDING = "[data-stands]";
const ANSWERS = 'button:is([data-verb="approve"], [data-verb="reject"], [data-verb="snooze"], [data-option], [data-starts])';
const PRESSED = "button, a, summary, label, input, select";

/** @typedef {{x: number, y: number, since: number, shows: string}} Place */

export class Steady {
  /**
   * @param {HTMLElement} root where what is answered stands
   * @param {HTMLElement} told says that a press was not taken
   * @param {() => Map<HTMLElement, string>} shown what can be answered now, and what exactly each shows
   */
  constructor(root, told, shown) {
    this.told = told;
    this.shown = shown;
    /** @type {Map<HTMLElement, Place>} */
    this.places = new Map();
    this.sizes = new ResizeObserver(() => this.look());
    root.addEventListener("pointerdown", (event) => this.#guard(event, false), true);
    root.addEventListener("click", (event) => this.#guard(event, true), true);
    root.addEventListener("pulse:asked-again", () => this.look());
  }

  /** Watch what can move what is answered. @param {Iterable<Element>} elements */
  watch(elements) {
    for (const one of elements) this.sizes.observe(one);
  }

  end() {
    this.sizes.disconnect();
  }

  /** See what moved, came, or shows something else. */
  look() {
    const now = performance.now();
    const shown = this.shown();
    for (const root of this.places.keys()) {
      if (shown.has(root)) continue;
      this.places.delete(root);
      delete root.dataset.stands;
    }
    let isMoved = false;
    for (const [root, shows] of shown) {
      const [x, y] = placeOf(root);
      const before = this.places.get(root);
      if (before && before.shows === shows && Math.abs(before.x - x) <= MOVED_PX && Math.abs(before.y - y) <= MOVED_PX) continue;
      this.places.set(root, { x, y, shows, since: now });
      root.dataset.stands = "no";
      isMoved = true;
    }
    if (isMoved) setTimeout(() => this.#rest(), STANDS_MS + 1);
  }

  #rest() {
    for (const root of this.places.keys()) if (this.stands(root)) root.dataset.stands = "yes";
  }

  /** @param {HTMLElement} root @param {number} [at] when it was pressed @returns {boolean} whether it stood still then */
  stands(root, at = performance.now()) {
    const place = this.places.get(root);
    return place !== undefined && at - place.since >= STANDS_MS;
  }

  /** Take a key only for what stands still. @param {HTMLElement | undefined} root */
  takesKey(root) {
    if (root && this.stands(root)) return true;
    this.#say();
    return false;
  }

  /** Take a press only for what stands still. @param {HTMLElement} root @param {Event} event @returns {boolean} whether it is taken */
  takes(root, event) {
    if (this.stands(root, event.timeStamp)) return true;
    event.preventDefault();
    event.stopImmediatePropagation();
    const place = this.places.get(root);
    if (event.type !== "pointerdown" && place && event.timeStamp - place.since > MEANT_MS) this.#say();
    return false;
  }

  /** @param {MouseEvent} event @param {boolean} isAnswer whether only a button that answers counts; else what is around it, too */
  #guard(event, isAnswer) {
    if (!(event.target instanceof Element)) return;
    const root = event.target.closest(STANDING);
    const button = event.target.closest(PRESSED);
    if (!(root instanceof HTMLElement) || (isAnswer ? !button?.matches(ANSWERS) : button)) return;
    this.takes(root, event);
  }

  #say() {
    this.told.textContent = t("deck.moved");
    this.told.hidden = false;
    announce(t("deck.moved"));
    setTimeout(() => (this.told.hidden = true), SAID_MS);
  }
}

/** Where its answers stand on the page, whatever a finger or a transition makes of it meanwhile. @param {HTMLElement} root @returns {[number, number]} px */
function placeOf(root) {
  let [x, y] = [0, 0];
  /** @type {Element | null} */
  let at = root.querySelector(":scope > .confirm:not([hidden]), :scope > .answers:not([hidden])") ?? root;
  for (; at instanceof HTMLElement; at = at.offsetParent) {
    x += at.offsetLeft;
    y += at.offsetTop;
  }
  return [x, y];
}

/** The second press of a double click is for what the first one was for, not for what came in its place. */
export function oncePressed() {
  /** @type {Element | null} */
  let first = null;
  const guard = (/** @type {MouseEvent} */ event) => {
    const at = event.target instanceof Element ? event.target.closest(PRESSED) : null;
    const pressed = at instanceof HTMLLabelElement ? (at.control ?? at) : at; // a label's press is pressed on once more
    if (event.detail <= 1) return void (first = pressed);
    if (pressed === null || pressed === first) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("click", guard, true);
}

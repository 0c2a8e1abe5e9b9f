/** Several cards that came at once: which they are while the person sees to them. */

import { deckOf, phaseOf } from "./state.js";

/** @typedef {import("./state.js").Model} Model */
/** @typedef {import("./state.js").Card} Card */

/**
 * The cards that came at once, in their order, while one of them is open; none once the person has seen to them.
 * @param {Model} model
 * @param {number} now ms
 * @returns {Card[]}
 */
export function togetherOf(model, now) {
  const place = new Map((model.together ?? []).map((id, number) => [id, number]));
  const cards = deckOf(model, now).filter(({ prediction }) => place.has(prediction.id));
  const isOpen = cards.some((card) => phaseOf(card, now) === "open");
  const placeOf = (/** @type {Card} */ { prediction }) => place.get(prediction.id) ?? 0;
  const isFree = (/** @type {Card} */ { prediction }) => Number(!prediction.permission); // a blocked agent comes first
  return isOpen ? cards.sort((one, other) => isFree(one) - isFree(other) || placeOf(one) - placeOf(other)) : [];
}

/**
 * How many cards wait for an answer: what the tab, the inbox and the app's icon say.
 * @param {Model} model
 * @param {number} now ms
 */
export const waitingCount = (model, now) => deckOf(model, now).filter((card) => phaseOf(card, now) === "open").length;

/** So many that are alike are listed at once; each is seen whole before a yes to all of them. */
export const ALIKE_MAX = 8;

/**
 * @typedef {object} Pile what lies in one place of the stack
 * @property {string} id
 * @property {Card[]} cards one, or several that are alike, the oldest first
 * @property {number} more how many more are alike and open
 */

/**
 * What lies in the stack: each card by itself, and open requests that are alike in the place of their first.
 * @param {Card[]} cards in their order
 * @param {number} now ms
 * @param {string} [apart] the id of a card that is wanted by itself
 * @returns {Pile[]}
 */
export function pilesOf(cards, now, apart = "") {
  const isOpen = (/** @type {Card} */ card) => phaseOf(card, now) === "open";
  /** @type {Map<string, Pile>} */
  const piles = new Map();
  for (const card of cards) {
    const { id, alike } = card.prediction;
    const several = alike && id !== apart ? cards.filter(({ prediction: one }) => one.alike === alike && one.id !== apart) : [];
    if (several.filter(isOpen).length < 2) piles.set(id, { id, cards: [card], more: 0 });
    else if (!piles.has(`alike-${alike}`)) piles.set(`alike-${alike}`, pileOf(`alike-${alike}`, several, isOpen));
  }
  return [...piles.values()];
}

/** @param {string} id @param {Card[]} several @param {(card: Card) => boolean} isOpen @returns {Pile} */
function pileOf(id, several, isOpen) {
  const sorted = [...several].sort((one, other) => madeAt(one) - madeAt(other) || (one.prediction.id < other.prediction.id ? -1 : 1));
  const listed = new Set(sorted.filter(isOpen).slice(0, ALIKE_MAX));
  const cards = sorted.filter((card) => listed.has(card) || !isOpen(card));
  return { id, cards, more: sorted.length - cards.length };
}

/** @param {Card} card */
const madeAt = ({ prediction }) => Date.parse(prediction.createdAt);

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
  return isOpen ? cards.sort((one, other) => placeOf(one) - placeOf(other)) : [];
}

/** Below the stack: where one is among the cards, and a step either way. */

import { h, icon, replace, setText } from "../dom.js";
import { t } from "../words.js";

const DOTS_MAX = 9;

export class DeckFoot {
  /** @param {(way: number) => void} step */
  constructor(step) {
    this.count = h("p", { class: "count" });
    this.dots = h("span", { class: "dots", aria: { hidden: true } });
    this.back = stepButton("back", () => step(-1));
    this.next = stepButton("next", () => step(1));
    this.root = h("div", { class: "deck-foot" }, this.back, this.dots, this.count, this.next);
  }

  /** @param {string[]} ids @param {string} focused @param {boolean} isHidden */
  draw(ids, focused, isHidden) {
    this.root.hidden = ids.length < 2 || isHidden;
    setText(this.count, ids.length ? t("deck.place", { place: ids.indexOf(focused) + 1, count: ids.length }) : "");
    this.back.disabled = this.next.disabled = ids.length < 2;
    replace(this.dots, ...(ids.length <= DOTS_MAX ? ids : []).map((id) => h("i", { class: id === focused ? "on" : "" })));
  }
}

/** @param {"back" | "next"} name @param {() => void} step */
function stepButton(name, step) {
  return h("button", { type: "button", class: "bare small", aria: { label: t(`deck.${name}`) }, on: { click: step } }, icon(name));
}

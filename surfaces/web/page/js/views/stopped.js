/** While Pulse is stopped nothing may start: every yes says so before it is pressed, and what starts Pulse again stands once on the screen. */

import { announce, h } from "../dom.js";
import { t } from "../words.js";
import { openKillSwitch } from "./kill.js";
import { canStart, isStopped } from "./stop-state.js";

const STARTS = '[data-verb="approve"], [data-starts]';

/** @returns {string} why a yes is of no use now */
function why() {
  return t(canStart() ? "card.held" : "card.held-file");
}

/** What stands above a card's answers while Pulse is stopped. */
export class StopNote {
  /** @param {string} id of the note in the page @param {boolean} [isAlone] whether it hides the banner, so that it offers the start itself */
  constructor(id, isAlone = false) {
    this.isAlone = isAlone;
    this.said = h("p", { id, class: "grow" });
    this.start = h("button", { type: "button", class: "small", on: { click: openKillSwitch } }, t("shell.off.resume"));
    this.root = h("div", { class: "note bad row wrap held", hidden: true }, this.said, this.start);
    this.shown = "";
  }

  /** Show how things stand, and hold each yes below `card` accordingly. @param {HTMLElement} card */
  update(card) {
    const words = isStopped() ? why() : "";
    if (words !== this.shown) this.said.textContent = words;
    this.shown = words;
    this.root.hidden = !words;
    this.start.hidden = !this.isAlone || !canStart();
    for (const button of card.querySelectorAll(STARTS)) {
      if (words) {
        button.setAttribute("aria-disabled", "true");
        button.setAttribute("aria-describedby", this.said.id);
      } else if (button.getAttribute("aria-describedby") === this.said.id) {
        button.removeAttribute("aria-disabled");
        button.removeAttribute("aria-describedby");
      }
    }
  }
}

/**
 * Say why nothing comes of an answer, where nothing would.
 * @param {string} verb
 * @returns {boolean} whether it is held
 */
export function isHeld(verb) {
  if ((verb !== "approve" && verb !== "edit") || !isStopped()) return false;
  announce(why(), true);
  return true;
}

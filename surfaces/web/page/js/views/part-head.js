/** The head of a part of Activity: the way back, its name, and what may be chosen in it. */

import { h, icon } from "../dom.js";
import { t } from "../words.js";

/** @returns {HTMLAnchorElement} the way back to the timeline */
export const backLink = () => h("a", { class: "back-link", href: "#/activity" }, icon("back"), t("nav.activity"));

/**
 * @param {string} title
 * @param {...Node} more
 * @returns {HTMLElement}
 */
export function partHead(title, ...more) {
  return h("header", { class: "view-head" }, h("div", null, backLink(), h("h1", null, title)), more);
}

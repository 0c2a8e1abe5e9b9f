/** What a view says where it could not read what it shows, with a button that tries again. */

import { wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { h } from "../dom.js";
import { t } from "../words.js";

/**
 * @param {unknown} error
 * @param {() => void} again
 */
export function troubleNote(error, again) {
  const retry = h("button", { type: "button", class: "small", on: { click: again } }, t("trouble.again"));
  return h("div", { class: "note bad stack", role: "alert" }, h("p", null, coded(wordsOf(error))), h("div", null, retry));
}

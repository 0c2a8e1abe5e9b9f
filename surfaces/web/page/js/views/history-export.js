/** All that happened, as a file. */

import { press } from "../answers.js";
import { download } from "../api.js";
import { h } from "../dom.js";
import { t } from "../words.js";

const SAVED_AFTER_MS = 60_000;

/** @returns {HTMLElement} the formats, folded */
export function exports() {
  const link = (/** @type {string} */ format) => {
    const button = h("button", { type: "button", class: "small", dataset: { format } }, t(`history.export-${format}`));
    button.addEventListener("click", () => void press(button, () => save(format)));
    return button;
  };
  return h("details", { class: "exports" }, h("summary", { class: "facts" }, t("history.export")), h("div", { class: "row" }, link("jsonl"), link("csv")));
}

/** A link could not show who asks: the file is read first, then saved. @param {string} format */
async function save(format) {
  const address = URL.createObjectURL(await download(`/export?format=${format}`));
  h("a", { href: address, download: `pulse.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_AFTER_MS);
}

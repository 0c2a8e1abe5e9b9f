/** Asks before something that cannot be taken back. */

import { h } from "../dom.js";
import { t } from "../words.js";
import { openDialog } from "./dialog.js";

const YES = "yes";

/**
 * @param {{title: string, text?: string, code?: string, yes: string}} question `code` is shown as what would run
 * @returns {Promise<boolean>} whether the person said yes; closing it is a no
 */
export function confirmed({ title, text = "", code = "", yes }) {
  const dialog = openDialog(title, "sheet ask");
  const no = h("button", { type: "button", on: { click: () => dialog.close() } }, t("controls.cancel"));
  const doIt = h("button", { type: "button", class: "bad", on: { click: () => dialog.close(YES) } }, yes);
  dialog.append(h("div", { class: "stack" }, code ? h("pre", { class: "asked mono", tabindex: 0, dir: "ltr" }, code) : h("p", null, text), h("div", { class: "ask-buttons" }, no, doIt)));
  no.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === YES));
  });
}

/** The keys, at a glance. */

import { h } from "../dom.js";
import { t } from "../words.js";
import { openDialog } from "./dialog.js";

const KEYS = [
  [["A"], "approve"],
  [["D"], "reject"],
  [["S"], "snooze"],
  [["I"], "details"],
  [["E"], "edit"],
  [["U"], "undo"],
  [["J"], "next"],
  [["K"], "back"],
  [["?"], "keys"],
  [["Esc"], "close"],
];

/** Show the keys. */
export function openKeys() {
  const rows = KEYS.map(([keys, name]) =>
    h(
      "div",
      { class: "row between" },
      h("dt", null, t(`keys.${name}`)),
      h(
        "dd",
        { class: "row" },
        /** @type {string[]} */ (keys).map((key) => h("kbd", null, key)),
      ),
    ),
  );
  openDialog(t("keys.title"), "sheet keys").append(
    h("dl", { class: "stack" }, rows),
    h("p", { class: "quiet" }, t("keys.arrows")),
    h("p", { class: "quiet" }, t("keys.touch")),
  );
}

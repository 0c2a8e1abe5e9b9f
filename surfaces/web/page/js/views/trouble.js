/** What is shown when there is nothing to show: the hub is away and nothing is known, or a view could not be loaded. */

import { wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { announce, h, icon, need, replace } from "../dom.js";
import { t } from "../words.js";

/**
 * @param {unknown} error
 * @param {HTMLElement} [root]
 */
export function showTrouble(error, root = need("#app")) {
  const again = h(
    "button",
    { type: "button", class: "main", on: { click: () => location.reload() } },
    icon("retry"),
    t("trouble.again"),
  );
  replace(
    root,
    h(
      "div",
      { class: "empty trouble" },
      icon("away"),
      h("p", { class: "big" }, t("trouble.title")),
      h("p", { class: "quiet" }, coded(wordsOf(error))),
      again,
    ),
  );
  announce(t("trouble.title"), true);
}

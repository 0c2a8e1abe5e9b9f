/** A terminal that asks to be let in is named on every place of the page, with its code one press away. */

import { announce, h, icon, replace } from "../dom.js";
import { terminalsHere } from "../terminals-here.js";
import { t } from "../words.js";

const SHOWS_CODE = ".word";

/** Name those that ask, now and whenever that changes. */
export function start() {
  const root = h("div", { class: "asking-terminals" });
  /** @param {HTMLElement | undefined} dialog on top of all; what lies below it cannot be pressed */
  const place = (dialog) => {
    if (!dialog?.matches(SHOWS_CODE)) (dialog?.querySelector(".head") ?? document.querySelector(".banners"))?.after(root);
  };
  addEventListener("pulse:dialog", (event) => place(/** @type {CustomEvent} */ (event).detail));
  place([...document.querySelectorAll("dialog")].filter(({ open }) => open).at(-1));
  let shown = "";
  const draw = () => {
    const { asking } = terminalsHere.get();
    const key = JSON.stringify(asking);
    if (key === shown) return;
    shown = key;
    replace(root, ...asking.map(banner));
    if (asking.length) announce(t("terminals.banner", { name: asking[0].title }));
  };
  terminalsHere.watch(draw);
  draw();
}

/** @param {import("../types").AskingTerminal} terminal */
function banner(terminal) {
  const open = async () => void (await (await import("./pair-device.js")).letTerminalIn(terminal));
  return h("div", { class: "banner terminal" }, icon("details"), h("p", { class: "grow", dir: "auto" }, t("terminals.banner", { name: terminal.title })), h("button", { type: "button", class: "small", on: { click: open } }, t("terminals.let-in")));
}

/** The terminals that were let in: what they are, taking one back, and a code for one more. */

import { send, wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { announce, h, replace } from "../dom.js";
import { lookForTerminals, terminalsHere } from "../terminals-here.js";
import { t } from "../words.js";
import { confirmed } from "./confirm.js";
import { action, panel, tried } from "./controls-parts.js";
import { letTerminalIn } from "./pair-device.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").AskingTerminal} AskingTerminal */
/** @typedef {import("../types").TerminalView} TerminalView */

/** @returns {{node: HTMLElement, ready: Promise<unknown>, end: () => void}} */
export function terminalsPanel() {
  const list = h("ul", { class: "control-list", aria: { busy: true } });
  let shown = "";

  function draw() {
    const { terminals, asking, needed } = terminalsHere.get();
    const key = JSON.stringify([terminals, asking, needed]);
    if (key === shown) return;
    shown = key;
    replace(list, ...asking.map(askingItem), ...terminals.map(item));
    if (!list.childElementCount) replace(list, h("li", { class: "facts" }, t(needed ? "terminals.none-left" : "terminals.none")));
  }

  async function read() {
    try {
      await lookForTerminals();
      draw();
    } catch (error) {
      replace(list, h("li", { class: "note bad" }, coded(wordsOf(error))));
    }
    list.removeAttribute("aria-busy");
  }

  return { node: panel(t("terminals.title"), t("terminals.says"), list), ready: read(), end: terminalsHere.watch(draw) };
}

/** @param {AskingTerminal} one */
function askingItem(one) {
  return h(
    "li",
    { class: "row" },
    h("span", { class: "grow" }, h("span", { class: "control-label", dir: "auto" }, one.title), h("span", { class: "facts" }, t("terminals.asks"))),
    action({ words: t("terminals.let-in"), tone: "main", work: () => letTerminalIn(one) }),
  );
}

/** @param {TerminalView} one */
function item(one) {
  return h(
    "li",
    { class: "row" },
    h("span", { class: "grow" }, h("span", { class: "control-label", dir: "auto" }, one.title), h("span", { class: "facts" }, worded(one.howWorded, one.how))),
    action({ words: t("terminals.shut-out"), tone: "device-revoke", work: () => shutOut(one) }),
  );
}

/** @param {TerminalView} one */
async function shutOut(one) {
  const question = { title: t("terminals.shut-out-title", { name: one.title }), text: t("terminals.shut-out-text"), yes: t("terminals.shut-out") };
  if (!(await confirmed(question))) return undefined;
  return tried(async () => {
    await send("DELETE", `/terminals/${encodeURIComponent(one.id)}`);
    announce(t("terminals.shut-out-done", { name: one.title }));
    return lookForTerminals();
  });
}

/** The terminals that were let in: what they are, taking one back, and a word for one more. */

import { get, send, wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { announce, h, replace } from "../dom.js";
import { t } from "../words.js";
import { confirmed } from "./confirm.js";
import { action, panel, tried } from "./controls-parts.js";
import { letTerminalIn } from "./pair-device.js";

/** @typedef {import("../types").AskingTerminal} AskingTerminal */
/** @typedef {import("../types").TerminalView} TerminalView */
/** @typedef {() => Promise<void>} Reload */

/** @returns {{node: HTMLElement, ready: Promise<unknown>}} */
export function terminalsPanel() {
  const list = h("ul", { class: "control-list", aria: { busy: true } });

  async function reload() {
    try {
      const { terminals, asking } = await get("/terminals");
      const ask = asking.map((/** @type {AskingTerminal} */ one) => askingItem(one, reload));
      replace(list, ...ask, ...terminals.map((/** @type {TerminalView} */ one) => item(one, reload)));
    } catch (error) {
      replace(list, h("li", { class: "note bad" }, coded(wordsOf(error))));
    }
    list.removeAttribute("aria-busy");
  }

  const node = panel(t("terminals.title"), t("terminals.says"), list, action({ words: t("terminals.look"), work: reload }));
  return { node, ready: reload() };
}

/**
 * @param {AskingTerminal} one
 * @param {Reload} reload
 */
function askingItem(one, reload) {
  return h(
    "li",
    { class: "row" },
    h("span", { class: "grow" }, h("span", { class: "control-label", dir: "auto" }, one.title), h("span", { class: "facts" }, t("terminals.asks"))),
    action({ words: t("terminals.let-in"), tone: "main", work: () => letTerminalIn(one).then(reload) }),
  );
}

/**
 * @param {TerminalView} one
 * @param {Reload} reload
 */
function item(one, reload) {
  return h(
    "li",
    { class: "row" },
    h("span", { class: "grow" }, h("span", { class: "control-label", dir: "auto" }, one.title), h("span", { class: "facts" }, one.how)),
    action({ words: t("terminals.shut-out"), tone: "device-revoke", work: () => shutOut(one, reload) }),
  );
}

/**
 * @param {TerminalView} one
 * @param {Reload} reload
 */
async function shutOut(one, reload) {
  const question = { title: t("terminals.shut-out-title", { name: one.title }), text: t("terminals.shut-out-text"), yes: t("terminals.shut-out") };
  if (!(await confirmed(question))) return undefined;
  return tried(async () => {
    await send("DELETE", `/terminals/${encodeURIComponent(one.id)}`);
    announce(t("terminals.shut-out-done", { name: one.title }));
    return reload();
  });
}

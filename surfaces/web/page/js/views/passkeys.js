/** Passkeys: who has one confirms with a finger or a security key what no program may do for them. */

import { get, send } from "../api.js";
import { h, replace } from "../dom.js";
import { knowsPasskeys, makePasskey } from "../passkey.js";
import { fullDay } from "../format.js";
import { t } from "../words.js";
import { confirmed } from "./confirm.js";
import { action, panel, tried } from "./controls-parts.js";

/** @typedef {import("../types").PasskeyView} PasskeyView */
/** @typedef {import("./controls-desk.js").Outcome} Outcome */

/** @returns {{node: HTMLElement, ready: Promise<unknown>}} */
export function passkeysPanel() {
  const list = h("ul", { class: "control-list plain" });
  async function reload() {
    const { passkeys } = await get("/passkeys").catch(() => ({ passkeys: [] })); // the page says by itself that the hub is away
    replace(list, passkeys.map((/** @type {PasskeyView} */ one) => item(one, reload)));
  }
  const add = () =>
    tried(async () => {
      const { options } = await send("POST", "/passkeys/options", { purpose: "add" });
      const credential = await made(options);
      if (credential) await send("POST", "/passkeys", { credential, title: t("passkeys.name") });
      await reload();
    });
  const foot = knowsPasskeys() ? action({ words: t("passkeys.add"), work: add }) : h("p", { class: "facts" }, t("passkeys.unknown"));
  return { node: panel(t("passkeys.title"), t("passkeys.says"), list, foot), ready: reload() };
}

/** @param {string} options @returns {Promise<string>} empty: the person thought better of it */
async function made(options) {
  try {
    return await makePasskey(options);
  } catch {
    return "";
  }
}

/** @param {PasskeyView} one @param {() => Promise<void>} reload */
function item({ id, title, host, createdAt }, reload) {
  const question = { title: t("passkeys.remove-title"), text: t("passkeys.remove-text"), yes: t("passkeys.remove") };
  const remove = async () => {
    if (!(await confirmed(question))) return undefined;
    return tried(async () => {
      await send("DELETE", `/passkeys/${encodeURIComponent(id)}`);
      await reload();
    });
  };
  const words = h("span", { class: "grow" }, `${title} · ${host} · ${fullDay(createdAt)}`);
  return h("li", { class: "row wrap" }, words, action({ words: t("passkeys.remove"), work: remove }));
}

/** Lets in the browser of a phone that warned of the certificate: by what that browser itself shows of it. */

import { get, newKey, send, wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { announce, h, replace, setText } from "../dom.js";
import { t } from "../words.js";

/** @typedef {import("../types").WaitingBrowser} WaitingBrowser */

const LOOK_MS = 1_000;
const NONE = "none";
const TRUSTED = "trusted";

/**
 * @param {readonly string[]} certificates beginnings of fingerprints, of which one is Pulse's own
 * @param {() => HTMLElement} again offers a new code, once somebody was turned away
 * @returns {HTMLElement}
 */
export function certificateCheck(certificates, again) {
  const who = h("p", { class: "check-who", role: "status" }, t("devices.check-waits"));
  const told = h("p", { class: "note bad", role: "alert", hidden: true });
  const yes = h("button", { type: "submit", class: "main", hidden: true }, t("devices.check-let-in"));
  const no = h("button", { type: "button", hidden: true, on: { click: () => void answer(NONE) } }, t("devices.check-not-mine"));
  const form = h("form", { class: "check stack" }, choices(certificates), who, told, h("div", { class: "row wrap" }, yes, no));
  /** @type {WaitingBrowser | undefined} */
  let waiting;

  async function look() {
    const found = /** @type {WaitingBrowser | undefined} */ ((await get("/pairing/waiting")).waiting.at(-1));
    if (!form.isConnected || found?.id === waiting?.id) return;
    waiting = found;
    setText(who, found ? t("devices.check-number", { name: found.title, host: found.host, number: found.number }) : t("devices.check-waits"));
    yes.hidden = no.hidden = !found;
  }

  /** @param {string} said */
  async function answer(said) {
    if (!waiting) return;
    const path = `/pairing/waiting/${encodeURIComponent(waiting.id)}`;
    if (!said) return tell(t("devices.check-choose"));
    yes.disabled = no.disabled = true;
    try {
      if (said === NONE) {
        await send("DELETE", path, {}, { key: newKey() });
        return over(t("devices.check-turned-away"));
      }
      await send("POST", path, said === TRUSTED ? { warned: false } : { certificate: said }, { key: newKey() });
      yes.hidden = no.hidden = true;
      setText(who, t("devices.check-letting-in"));
    } catch (error) {
      over(wordsOf(error));
    }
  }

  /** @param {string} words */
  function tell(words) {
    replace(told, coded(words));
    told.hidden = false;
  }

  /** @param {string} words */
  function over(words) {
    replace(form, h("p", { class: "note bad", role: "alert" }, coded(words)), again());
    announce(words, true);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void answer(String(new FormData(form).get("certificate") ?? ""));
  });
  const looking = setInterval(() => (form.isConnected ? void look().catch(() => {}) : clearInterval(looking)), LOOK_MS); // away: the page says so
  return form;
}

/** @param {readonly string[]} certificates */
function choices(certificates) {
  const option = (/** @type {string} */ value, /** @type {string} */ words, looks = "") =>
    h("label", { class: "check-choice" }, h("input", { type: "radio", name: "certificate", value }), h("span", { class: looks }, words));
  return h(
    "fieldset",
    { class: "check-choices" },
    h("legend", null, t("devices.check-legend")),
    h("p", { class: "facts" }, t("devices.check-android")),
    h("p", { class: "facts" }, t("devices.check-iphone")),
    h("p", { class: "facts" }, t("devices.check-only")),
    certificates.map((one) => option(one, one, "mono")),
    option(TRUSTED, t("devices.check-trusted")),
    option(NONE, t("devices.check-none")),
  );
}

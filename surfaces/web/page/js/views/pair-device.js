/** Pairs one more device: a code, its address as a QR code, and how long both are good for. */

import { newKey, send, wordsOf } from "../api.js";
import { h, replace, setText } from "../dom.js";
import { ms } from "../format.js";
import { t } from "../words.js";
import { openDialog } from "./dialog.js";
import { leftWords } from "./pair-model.js";
import { qrCode } from "./qr.js";

/** @typedef {import("../types").PairingAnswer} PairingAnswer */

const TICK_MS = 1_000;

/**
 * Show the dialog.
 * @returns {Promise<void>} settles when it is closed
 */
export function pairDevice() {
  const body = h("div", { class: "pair-body stack" });
  const dialog = openDialog(t("devices.pair-title"), "sheet pair");
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;

  async function ask() {
    clearInterval(ticking);
    replace(body, h("p", { class: "quiet" }, t("devices.pair-wait")));
    try {
      ticking = show(await send("POST", "/pairing", {}, { key: newKey() }));
    } catch (error) {
      replace(body, h("p", { class: "note bad", role: "alert" }, wordsOf(error)), again(ask));
    }
  }

  /** @param {PairingAnswer} pairing */
  function show(pairing) {
    const left = h("p", { class: "facts", role: "timer", aria: { live: "off" } });
    replace(body, ...content(pairing), left);
    const tick = () => {
      const words = leftWords(ms(pairing.expiresAt) - Date.now());
      if (words !== null) return setText(left, t("devices.pair-left", { time: words }));
      clearInterval(ticking);
      return replace(body, h("p", { class: "note warn" }, t("devices.pair-over")), again(ask));
    };
    tick();
    return setInterval(tick, TICK_MS);
  }

  dialog.append(body);
  void ask();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      clearInterval(ticking);
      resolve();
    });
  });
}

/** @param {PairingAnswer} pairing */
function content({ code, url, qr }) {
  return [
    h("p", null, t("devices.pair-how")),
    qr.length ? qrCode(qr, t("devices.pair-qr")) : h("p", null, t("devices.pair-here")),
    h("p", { class: "pair-code mono" }, h("span", { class: "only-read" }, `${t("devices.pair-code")} `), code),
    h("p", { class: "facts mono" }, url),
  ];
}

/** @param {() => void} ask */
function again(ask) {
  return h("button", { type: "button", class: "main", on: { click: ask } }, t("devices.pair-again"));
}

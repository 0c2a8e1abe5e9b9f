/** Pairs one more device: a code, its address as a QR code, and how long both are good for. */

import { get, newKey, send, wordsOf } from "../api.js";
import { asCalled, coded } from "./coded.js";
import { h, replace, setText } from "../dom.js";
import { ms } from "../format.js";
import { lookForTerminals, terminalsHere } from "../terminals-here.js";
import { t } from "../words.js";
import { certificateCheck } from "./pair-check.js";
import { commandLine } from "./command-line.js";
import { openDialog } from "./dialog.js";
import { leftWords } from "./pair-model.js";
import { qrCode } from "./qr.js";
import { needStyles } from "./styles.js";
import { say } from "./undo.js";

/** @typedef {import("../types").AskingTerminal} AskingTerminal */
/** @typedef {import("../types").OutsideView} OutsideView */
/** @typedef {import("../types").PairingAnswer} PairingAnswer */
/** @typedef {{made: (ask: () => void) => Node[], isOver: () => Promise<boolean>}} Before what is said first, with the way to a code, until that is over */
/** @typedef {{look: () => Promise<string>, waits: string, done: (name: string) => string}} Awaited `look` returns the name of what has come meanwhile, else "" */

const TICK_MS = 1_000;
const LOOK_MS = 2_000;

await needStyles("set-up.css");

/**
 * Show the dialog that pairs a device. It closes by itself once one has paired.
 * @returns {Promise<void>} settles when it is closed
 */
export async function pairDevice() {
  const done = (/** @type {string} */ name) => t("devices.pair-done", { name });
  const outside = /** @type {OutsideView | null} */ (await get("/outside").catch(() => null)); // away: the code says so
  const made = outside?.wifi ? (/** @type {() => void} */ ask) => overWifi(outside, ask) : noPhone;
  const before = !outside || outside.publicUrl ? null : { made, isOver: isReached };
  return showCode(t("devices.pair-title"), {}, content, { look: newcomer(), waits: t("devices.pair-waits"), done }, before);
}

/** @returns {Promise<boolean>} whether a phone can open the address of this Pulse */
const isReached = async () => (await get("/outside")).publicUrl !== "";

/** @returns {() => Promise<string>} looks for a device that was not there at the first look; its name, else empty */
function newcomer() {
  /** @type {Set<string> | null} */
  let known = null;
  return async () => {
    const devices = (await get("/devices")).devices;
    const keyOf = (/** @type {import("../types").DeviceView} */ { surface, device }) => `${surface} ${device}`;
    const fresh = devices.find((/** @type {import("../types").DeviceView} */ one) => known !== null && !known.has(keyOf(one)));
    known ??= new Set(devices.map(keyOf));
    return fresh ? fresh.title || fresh.device : "";
  };
}

/**
 * Show the code that lets a terminal in. It stands on the page alone: what a terminal shows, programs there can read.
 * The dialog closes once the code was used, or nothing in the terminal waits for it any more.
 * @param {AskingTerminal} asking
 * @returns {Promise<void>} settles when it is closed
 */
export function letTerminalIn({ id, title }) {
  const look = async () => {
    await lookForTerminals();
    return terminalsHere.get().asking.some((one) => one.id === id) ? "" : title;
  };
  const done = () => {
    const isIn = terminalsHere.get().terminals.some((one) => one.title === title);
    return t(isIn ? "terminals.let-in-done" : "terminals.ended", { name: title });
  };
  return showCode(t("terminals.word-title", { name: title }), { purpose: "terminal", terminal: id }, wordContent, { look, waits: t("terminals.waits"), done });
}

/**
 * @param {string} title
 * @param {object} wanted
 * @param {(pairing: PairingAnswer, again: () => void) => Node[]} made
 * @param {Awaited} awaited
 * @param {Before | null} [before]
 * @returns {Promise<void>}
 */
function showCode(title, wanted, made, { look, waits, done }, before = null) {
  const body = h("div", { class: "pair-body stack" });
  let first = before;
  const dialog = openDialog(title, `sheet pair ${made === wordContent ? "word" : ""}`.trim());
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let looking;

  async function ask() {
    first = null;
    clearInterval(ticking);
    replace(body, h("p", { class: "quiet" }, t("devices.pair-wait")));
    try {
      await watch();
      if (!dialog.open) return;
      ticking = show(await send("POST", "/pairing", wanted, { key: newKey() }));
    } catch (error) {
      replace(body, h("p", { class: "note bad", role: "alert" }, coded(wordsOf(error))), again(ask));
    }
  }

  /** Look now, and again as long as nothing has come. */
  async function watch() {
    clearTimeout(looking);
    const name = await look();
    if (!dialog.open) return;
    if (!name) return (await isReadyNow()) ? ask() : lookLater();
    dialog.close();
    say(done(name));
  }

  /** What is said first may also have been skipped by a press while this looked. */
  async function isReadyNow() {
    return first !== null && (await first.isOver()) && first !== null && dialog.open;
  }

  function lookLater() {
    looking = setTimeout(() => void watch().catch(() => dialog.open && lookLater()), LOOK_MS); // away: the page says so by itself
  }

  /** @param {PairingAnswer} pairing */
  function show(pairing) {
    const left = h("p", { class: "facts", role: "timer", aria: { live: "off" } });
    replace(body, ...made(pairing, ask), pairing.certificates.length ? null : h("p", { class: "facts" }, waits), left);
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
  if (first) {
    replace(body, ...first.made(ask), h("p", { class: "facts" }, waits));
    void watch().catch(() => dialog.open && lookLater());
  } else void ask();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      clearInterval(ticking);
      clearTimeout(looking);
      resolve();
    });
  });
}

/** What can be scanned is offered to be scanned. @param {PairingAnswer} pairing @param {() => void} ask for another */
function content({ code, url, qr, certificates }, ask) {
  if (certificates.length) {
    const address = h("p", { class: "facts mono" }, `${url.split("/#")[0]} · ${code}`);
    const scan = h("div", { class: "stack" }, h("p", null, t("devices.check-scan")), qrCode(qr, t("devices.pair-qr")), address);
    return [h("div", { class: "pair-steps" }, scan, certificateCheck(certificates, () => again(ask)))];
  }
  const address = [
    h("p", { class: "pair-code mono" }, h("span", { class: "only-read" }, `${t("devices.pair-code")} `), code),
    h("p", { class: "facts mono" }, url),
  ];
  if (qr.length) return [h("p", null, t("devices.pair-how")), qrCode(qr, t("devices.pair-qr")), ...address];
  return [h("p", null, t("devices.pair-browser")), ...address];
}

/** One press opens Pulse to this Wi-Fi. @param {OutsideView} outside @param {() => void} ask for the code */
function overWifi({ wifi, tailscale }, ask) {
  const told = h("p", { class: "note bad", role: "alert", hidden: true });
  const open = h("button", { type: "button", class: "main" }, t("devices.wifi-open"));
  open.addEventListener("click", async () => {
    open.disabled = true;
    try {
      await send("POST", "/outside/wifi", {}, { key: newKey() });
      ask();
    } catch (error) {
      replace(told, coded(wordsOf(error)));
      told.hidden = open.disabled = false;
    }
  });
  const first = tailscale ? [h("p", null, t("devices.wifi-tailscale")), commandLine(asCalled("pulse phone --tailscale"))] : [];
  const others = tailscale ? [] : [h("p", { class: "facts" }, t("devices.wifi-other")), commandLine(asCalled("pulse phone"))];
  return [
    ...first,
    h("p", null, t("devices.wifi-says", { address: wifi.replace("https://", "") })),
    open,
    told,
    ...others,
    h("button", { type: "button", class: "pair-browser", on: { click: ask } }, t("devices.pair-browser-show")),
  ];
}

/** That no phone gets here yet, before anything has to be confirmed for a code. @param {() => void} ask for one all the same */
function noPhone(ask) {
  return [
    h("p", null, t("devices.pair-no-phone")),
    commandLine(asCalled("pulse phone")),
    h("p", { class: "facts" }, t("devices.pair-phone-ways")),
    h("button", { type: "button", class: "pair-browser", on: { click: ask } }, t("devices.pair-browser-show")),
  ];
}

/** @param {PairingAnswer} pairing */
function wordContent({ code }) {
  return [
    h("p", null, t("terminals.word-how")),
    h("p", { class: "pair-code mono" }, h("span", { class: "only-read" }, `${t("terminals.word")} `), code),
  ];
}

/** @param {() => void} ask */
function again(ask) {
  return h("button", { type: "button", class: "main", on: { click: ask } }, t("devices.pair-again"));
}

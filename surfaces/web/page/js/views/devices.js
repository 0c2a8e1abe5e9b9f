/** Devices: this browser, the others that are paired, and pairing one more. */
/* global PulseSession */

import { get, newKey, send, wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { announce, h, replace } from "../dom.js";
import { age, clock } from "../format.js";
import { has, t } from "../words.js";
import { confirmed } from "./confirm.js";
import { action, choice, panel, textField, tried } from "./controls-parts.js";
import { thisDevicePanel } from "./device-here.js";
import { pairDevice } from "./pair-device.js";
import { passkeysPanel } from "./passkeys.js";
import { whyNot } from "./reach.js";
import { terminalsPanel } from "./terminals.js";

/** @typedef {import("../types").DeviceView} DeviceView */
/** @typedef {import("./controls-desk.js").Outcome} Outcome */
/** @typedef {() => Promise<void>} Reload */

const TITLE_CHARS_MAX = 80;
const TEST_LOOK_MS = 1_500;
const TEST_MS_MAX = 60_000;

/**
 * @param {HTMLElement} root
 * @returns {(() => void) & {ready: Promise<unknown>}} ends them; `ready` once all that they show is there
 */
export function devicesPanels(root) {
  const list = h("ul", { class: "control-list", aria: { busy: true } });
  const open = new Set();
  let isGone = false;

  async function reload() {
    for (const one of list.querySelectorAll("details")) open[one.open ? "add" : "delete"](one.dataset.key);
    try {
      const { devices } = await get("/devices");
      if (!isGone) replace(list, devices.map((/** @type {DeviceView} */ one) => deviceItem(one, reload, open.has(keyOf(one)))));
    } catch (error) {
      if (!isGone) replace(list, h("li", { class: "note bad" }, coded(wordsOf(error))));
    }
    list.removeAttribute("aria-busy");
    await get("/outside").then((outside) => replace(reached, overWifi(outside, reload)), () => {}); // away: the page says so
  }

  const pair = action({ words: t("devices.pair"), tone: "main", work: () => pairDevice().then(reload) });
  const reached = h("div");
  const terminals = terminalsPanel();
  const others = [thisDevicePanel({ signOut }), terminals, passkeysPanel()];
  replace(root, panel(t("devices.paired"), t("devices.paired-says"), list, pair, reached), others.map(({ node }) => node));
  const ready = Promise.all([reload(), ...others.map((one) => one.ready)]);
  const end = () => {
    isGone = true;
    terminals.end();
  };
  return Object.assign(end, { ready });
}

/** @param {import("../types").OutsideView} outside @param {Reload} reload @returns {Node[]} that phones on this Wi-Fi reach Pulse, and its end */
function overWifi({ ownCertificate, publicUrl }, reload) {
  if (!ownCertificate) return [];
  const address = publicUrl.replace("https://", "");
  const close = async () => {
    const question = { title: t("devices.wifi-close-title"), text: t("devices.wifi-close-text"), yes: t("devices.wifi-close") };
    return (await confirmed(question)) ? tried(() => send("DELETE", "/outside/wifi").then(reload)) : undefined;
  };
  return [h("p", { class: "facts" }, t("devices.wifi-is-open", { address })), action({ words: t("devices.wifi-close"), work: close })];
}

/** @returns {Promise<Outcome | void>} */
async function signOut() {
  const question = { title: t("devices.sign-out-title"), text: t("devices.sign-out-text"), yes: t("devices.sign-out") };
  if (!(await confirmed(question))) return undefined;
  return tried(async () => {
    await send("DELETE", "/session");
    await PulseSession.forget();
    leave();
  });
}

/** This browser is a stranger from now on; the shell forgets what it knows and begins anew. */
function leave() {
  dispatchEvent(new Event("pulse:signed-out"));
}

/**
 * @param {DeviceView} device
 * @param {Reload} reload
 * @param {boolean} isOpen
 */
function deviceItem(device, reload, isOpen) {
  const name = device.title || device.device;
  return h(
    "li",
    null,
    h(
      "details",
      { class: "device", open: isOpen, dataset: { key: keyOf(device) } },
      h(
        "summary",
        null,
        h("span", { class: `device-light ${device.online || device.this ? "on" : ""}`, aria: { hidden: true } }),
        h("span", { class: "grow" }, h("span", { class: "control-label", dir: "auto" }, name), h("span", { class: "facts" }, factsOf(device))),
        device.this && h("span", { class: "badge accent" }, t("devices.this")),
      ),
      deviceBody(device, name, reload),
    ),
  );
}

/** @param {DeviceView} device */
function factsOf(device) {
  const seen = device.personActiveAt ? t("devices.seen", { age: age(device.personActiveAt, Date.now()) }) : "";
  const paired = device.pairedAt ? t("devices.paired-at", { time: clock(device.pairedAt, Date.now()) }) : "";
  const arrives = device.arrivesSince && !device.unreached ? t("devices.arrives", { time: clock(device.arrivesSince, Date.now()) }) : "";
  const kind = has(`devices.is-${device.surface}`) ? t(`devices.is-${device.surface}`) : device.surface;
  return [kind, reachedWords(device), seen, paired, arrives].filter(Boolean).join(" · ");
}

/** @param {DeviceView} device @returns {string} a device that is used right now is there, whatever the hub has heard of it yet */
function reachedWords(device) {
  if (device.this || device.online) return t("devices.online");
  return t(device.unreached ? "devices.unreached" : "devices.offline");
}

/**
 * @param {DeviceView} device
 * @param {string} name
 * @param {Reload} reload
 */
function deviceBody(device, name, reload) {
  const path = `/devices/${encodeURIComponent(device.surface)}/${encodeURIComponent(device.device)}`;
  const patch = (/** @type {object} */ body) => tried(() => send("PATCH", path, body, { key: newKey() }).then(reload));
  const title = textField({ label: t("devices.name"), maxlength: TITLE_CHARS_MAX, change: (text) => rename(text, patch) });
  title.show(name);
  const levels = ["full", "title", "nothing"].map((level) => /** @type {[string, string]} */ ([level, t(`devices.privacy-${level}`)]));
  const privacy = choice({ label: t("devices.privacy"), choices: levels, change: (level) => patch({ privacy: level }) });
  privacy.show(device.privacy);
  const buttons = h(
    "div",
    { class: "row wrap" },
    action({ words: t("devices.test"), work: () => test(path, device) }),
    action({ words: t("devices.revoke"), tone: "device-revoke", work: () => revoke(device, name, path, reload) }),
  );
  const why = device.unreached && h("p", { class: "note warn" }, coded(whyNot(device.unreached)));
  return h("div", { class: "device-body stack" }, why, h("div", { class: "control-fields" }, title.node, privacy.node), buttons);
}

/**
 * @param {string} text
 * @param {(body: object) => Promise<Outcome>} patch
 * @returns {Promise<Outcome>}
 */
async function rename(text, patch) {
  const title = text.trim();
  return title === "" ? { isTaken: false, message: t("devices.bad-name") } : patch({ title });
}

/**
 * Send a test, and wait until it is seen or known not to arrive.
 * @param {string} path
 * @param {DeviceView} device
 * @returns {Promise<Outcome>}
 */
async function test(path, { surface }) {
  let message = t("devices.test-silent");
  let isTaken = false;
  const sent = await tried(async () => {
    const before = (await get(`${path}/test`)).at;
    await send("POST", `${path}/test`, {}, { key: newKey() });
    for (const until = Date.now() + TEST_MS_MAX; Date.now() < until; await pause(TEST_LOOK_MS)) {
      const found = await get(`${path}/test`);
      if (found.at === before) continue;
      if (found.state === "accepted" && surface === "browser") message = t("devices.test-unseen"); // it says itself what it shows
      else if (found.state !== "queued" || found.detail) {
        isTaken = ["shown", "acted", "cleared", "accepted"].includes(found.state);
        message = outcomeOf(found);
        return;
      }
    }
  });
  return sent.isTaken ? { isTaken, message } : sent;
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** @param {import("../types").DeviceTest} found @returns {string} what became of a test */
function outcomeOf({ state, detail, fix }) {
  if (state === "accepted") return t("devices.test-taken");
  if (state === "dead") return t("devices.test-gone");
  if (state === "queued" || state === "unknown") return `${t("devices.test-failed", { why: detail.replace(/\.$/, "") || "?" })} ${fix}`.trim();
  return t("devices.test-shown");
}

/**
 * @param {DeviceView} device
 * @param {string} name
 * @param {string} path
 * @param {Reload} reload
 */
async function revoke(device, name, path, reload) {
  const question = { title: t("devices.revoke-title", { name }), text: t(device.this ? "devices.revoke-this" : "devices.revoke-text"), yes: t("devices.revoke") };
  if (!(await confirmed(question))) return undefined;
  return tried(async () => {
    await send("DELETE", path);
    if (device.this) return leave();
    announce(t("devices.revoked", { name }));
    return reload();
  });
}

/** @param {DeviceView} device */
function keyOf({ surface, device }) {
  return `${surface}/${device}`;
}

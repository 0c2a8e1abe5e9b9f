/** What holds for this browser alone: notifications, the language, and signing out. */

import { get, wordsOf } from "../api.js";
import { LETTERS_KEPT_AS, SET_UP_HIDDEN_AS, h, replace, setText } from "../dom.js";
import { lang, languages, setLang, t } from "../words.js";
import { action, choice, panel, toggle } from "./controls-parts.js";

/** @typedef {import("./controls-desk.js").Outcome} Outcome */

const PAIRS = 8;
/** @typedef {{supported: boolean, permission: string, subscribed: boolean, hasButtons: boolean, isTrusted: boolean, reason: string}} PushState */

/**
 * @param {{signOut: () => Promise<Outcome | void>}} doors
 * @returns {{node: HTMLElement, ready: Promise<unknown>}}
 */
export function thisDevicePanel({ signOut }) {
  const parts = [notifications(), languageChoice()];
  const [push, language] = parts.map(({ node }) => node);
  const node = panel(t("devices.here"), "", push, letters(), setUpList(), language, h("p", { class: "facts" }, t("devices.theme")), action({ words: t("devices.sign-out"), work: signOut }));
  return { node, ready: Promise.all(parts.map((one) => one.ready)) };
}

function notifications() {
  const says = h("p", { class: "facts", role: "status" });
  const bare = h("p", { class: "facts", hidden: true }, t("devices.notify-no-buttons"));
  const steps = h("div");
  const knob = toggle({ label: t("devices.notify"), hint: t("devices.notify-hint"), change: (on) => turn(on) });
  const show = (/** @type {PushState} */ push) => {
    knob.show(push.subscribed, !push.supported || push.permission === "denied");
    setText(says, wordsFor(push));
    bare.hidden = !push.supported || push.hasButtons;
    if (!push.isTrusted && !steps.firstChild) void certificateSteps().then((made) => replace(steps, made), () => {}); // away: the page says so
  };
  /**
   * @param {boolean} on
   * @returns {Promise<Outcome>}
   */
  async function turn(on) {
    try {
      const { enablePush, disablePush } = await import("../push.js");
      const push = await (on ? enablePush() : disablePush());
      show(push);
      return { isTaken: push.subscribed === on, message: push.subscribed === on ? "" : wordsFor(push) };
    } catch (error) {
      return { isTaken: false, message: wordsOf(error) };
    }
  }
  knob.show(false, true);
  const ready = import("../push.js").then(({ pushState }) => pushState()).then(show, () => setText(says, t("devices.notify-unknown")));
  return { node: h("div", null, knob.node, says, steps, bare), ready };
}

/** How this phone is given the certificate, over the connection that was checked when it was paired. */
async function certificateSteps() {
  const { fingerprint } = await get("/outside");
  const isApple = /iPhone|iPad/.test(navigator.userAgent);
  return h(
    "div",
    { class: "note stack" },
    h("a", { class: "button", href: isApple ? "/pulse.mobileconfig" : "/pulse.crt", download: isApple ? null : "pulse.crt" }, t("devices.cert-get")),
    h("p", null, t(isApple ? "devices.cert-iphone" : "devices.cert-android")),
    h("p", { class: "facts" }, t("devices.cert-shows"), " ", h("span", { class: "mono" }, fingerprint.split(":").slice(0, PAIRS).join(" "))),
  );
}

/** @param {PushState} push */
function wordsFor({ supported, permission, subscribed, reason }) {
  if (!supported) return reason || t("devices.notify-unsupported");
  if (permission === "denied") return t("devices.notify-denied");
  if (subscribed) return t("devices.notify-on");
  return reason || t("devices.notify-off");
}

/** Whether letters answer cards from anywhere on the page. */
function letters() {
  const knob = toggle({ label: t("devices.letters"), hint: t("devices.letters-hint"), change: turn });
  const isOn = () => localStorage.getItem(LETTERS_KEPT_AS) !== "off";
  /** @param {boolean} on @returns {Promise<Outcome>} */
  async function turn(on) {
    localStorage.setItem(LETTERS_KEPT_AS, on ? "on" : "off");
    knob.show(isOn());
    return { isTaken: true, message: "" };
  }
  knob.show(isOn());
  return knob.node;
}

/** Whether the inbox lists what is left to set up: who hid it finds it again here. */
function setUpList() {
  const knob = toggle({ label: t("devices.set-up"), hint: t("devices.set-up-hint"), change: turn });
  const isOn = () => localStorage.getItem(SET_UP_HIDDEN_AS) !== "yes";
  /** @param {boolean} on @returns {Promise<Outcome>} */
  async function turn(on) {
    localStorage.setItem(SET_UP_HIDDEN_AS, on ? "no" : "yes");
    knob.show(isOn());
    return { isTaken: true, message: "" };
  }
  knob.show(isOn());
  return knob.node;
}

function languageChoice() {
  const place = h("div");
  const ready = languages().then(
    (names) => {
      const change = async (/** @type {string} */ one) => {
        setLang(one);
        return { isTaken: true, message: "" };
      };
      const select = choice({ label: t("devices.language"), choices: Object.entries(names), change });
      select.show(lang());
      place.append(select.node);
    },
    () => place.append(h("p", { class: "facts" }, t("devices.no-languages"))),
  );
  return { node: place, ready };
}

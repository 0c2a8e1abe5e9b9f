/** The screen of a browser that is not signed in: a code that a person got from Pulse signs it in. */
/* global PulseSession */

import { Offline, Problem, signIn, wordsOf } from "../api.js";
import { announce, h, need, replace } from "../dom.js";
import { has, t } from "../words.js";
import { coded, recallCommand } from "./coded.js";
import { deviceTitle } from "./set-up-model.js";

/** @typedef {(session: import("../types").SessionAnswer) => void} OnSession */

const CODE_CHARS_MAX = 32;
const OVER = "session-over";
const WAIT_MS = 1_500;

/**
 * Show the screen until a code was taken; a code in the address is tried at once.
 * @param {string} why the code of the problem that brought us here
 * @returns {Promise<import("../types").SessionAnswer>}
 */
export async function showPairing(why) {
  const fromAddress = codeOf(location.hash);
  if (fromAddress) history.replaceState(null, "", "/"); // a code is not for the address bar, nor for the history
  addEventListener("hashchange", () => codeOf(location.hash) && location.reload()); // a link that is opened in this very tab
  const says = why === OVER ? "over" : "first";
  if (why !== OVER) void forgetSubscription();
  await forgetCards();
  return new Promise((resolve) => {
    if (!PulseSession.isPossible()) drawImpossible();
    else if (fromAddress) void pairBy(fromAddress, says, resolve);
    else draw(says, resolve);
  });
}

/** Whoever was signed in here is so no more: what was pushed to them is not for whoever comes next. */
async function forgetSubscription() {
  const { unsubscribe } = await import("../push.js");
  await unsubscribe().catch(() => {}); // it had none, or has no push at all
}

/** Whoever comes next sees no card of theirs, and sends no answer that waited to be sent. */
async function forgetCards() {
  const [{ forget }, { drop, waiting }] = await Promise.all([import("../snapshot.js"), import("../keep.js")]);
  forget();
  const left = await waiting().catch(() => []); // a browser that keeps nothing has kept none
  await Promise.allSettled(left.map(({ key }) => drop(key)));
}

/**
 * The code in a fragment.
 * @param {string} hash for example `#pair=ABCD-EFGH`
 * @returns {string} empty where there is none
 */
export function codeOf(hash) {
  return decodeURIComponent(/^#pair=([^&]+)$/.exec(hash)?.[1] ?? "");
}

/** Over plain http a browser makes keys only for pages of its own machine. */
function drawImpossible() {
  const here = `http://localhost${location.port ? `:${location.port}` : ""}`;
  const help = h("div", { class: "note" }, h("p", null, t("pair.insecure-here")), h("p", null, h("code", { class: "mono" }, here)));
  replace(need("#app"), screen("insecure", help, h("p", { class: "quiet" }, t("pair.insecure-elsewhere"))));
  announce(t("pair.insecure-title"), true);
}

/**
 * A link mostly pairs at once: the form would only flash, so it waits until the link turns out to be void.
 * @param {string} code
 * @param {"first" | "over"} says
 * @param {OnSession} onSession
 */
async function pairBy(code, says, onSession) {
  replace(need("#app"), h("main", { class: "pairing" }, h("p", { class: "quiet late" }, t("pair.by-link"))));
  announce(t("pair.by-link"));
  try {
    const session = await signedIn(code);
    announce(""); // it is paired: nobody is to find there later that it is being paired
    onSession(session);
  } catch (error) {
    draw(says, onSession, { code, error });
  }
}

/**
 * Sign in; where the person has to let this browser in on the computer, show the number that stands there until they have.
 * @param {string} code
 * @returns {Promise<import("../types").SessionAnswer>}
 */
async function signedIn(code) {
  let number = "";
  for (;;) {
    try {
      const said = await signIn(code, deviceTitle(navigator.userAgent));
      if (!said.number) return said;
      if (!number) drawWaiting((number = said.number));
    } catch (error) {
      if (!number || !(error instanceof Offline)) throw error; // a Wi-Fi that drops for a moment ends no waiting
    }
    await pause();
  }
}

function pause() {
  return new Promise((resolve) => {
    setTimeout(resolve, WAIT_MS);
  });
}

/** @param {string} number */
function drawWaiting(number) {
  const shown = h("p", { class: "pair-number mono" }, number);
  const how = h("div", { class: "note" }, h("p", null, t("pair.wait-look")), h("p", { class: "quiet" }, t("pair.wait-later")));
  replace(need("#app"), screen("wait", shown, how));
  announce(`${t("pair.wait-title")} ${number}`);
}

/**
 * @param {"first" | "over"} says
 * @param {OnSession} onSession
 * @param {{code: string, error: unknown}} [refused] what was tried before
 */
function draw(says, onSession, refused) {
  const field = codeField(refused?.code ?? "");
  const button = h("button", { class: "main", type: "submit" }, t("pair.submit"));
  const trouble = h("p", { class: "note bad", role: "alert", hidden: true });
  const form = h("form", { class: "stack" }, h("label", { for: "code" }, t("pair.code")), field, trouble, button);
  const refuse = (/** @type {unknown} */ error) => {
    trouble.hidden = false;
    trouble.textContent = kindWords(error);
    button.disabled = false;
    field.select();
  };
  const submit = async () => {
    button.disabled = true;
    try {
      onSession(await signedIn(field.value.trim()));
    } catch (error) {
      if (form.isConnected) refuse(error);
      else draw(says, onSession, { code: field.value, error }); // it waited meanwhile
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  replace(need("#app"), screen(says, form, howTo()));
  if (refused) refuse(refused.error);
  else announce(t(`pair.${says}-title`));
  field.focus();
}

/** @param {string} value */
function codeField(value) {
  return h("input", {
    id: "code",
    name: "code",
    value,
    maxlength: CODE_CHARS_MAX,
    required: true,
    autocomplete: "one-time-code",
    autocapitalize: "characters",
    spellcheck: "false",
    class: "code mono",
    aria: { describedby: "code-help" },
  });
}

function howTo() {
  const called = recallCommand();
  const help = [
    h("p", null, t("pair.how")),
    h("p", null, h("code", { class: "mono" }, `${called || "pulse"} open`)),
    called ? null : h("p", { class: "quiet" }, coded(t("pair.as-up"))),
    h("p", { class: "quiet" }, t("pair.elsewhere")),
  ];
  return h("div", { class: "note", id: "code-help" }, help);
}

/** @param {"first" | "over" | "insecure" | "wait"} says @param {...HTMLElement} parts */
function screen(says, ...parts) {
  return h(
    "main",
    { class: "pairing" },
    h("span", { class: "light", aria: { hidden: true } }, h("i", null), h("i", null), h("i", null)),
    h("h1", null, t(`pair.${says}-title`)),
    h("p", { class: "quiet" }, t(`pair.${says}`)),
    ...parts,
  );
}

/** @param {unknown} error */
function kindWords(error) {
  if (error instanceof PulseSession.NoKeys) return t("pair.no-keys");
  const key = error instanceof Problem ? `pair.error.${error.code}` : "";
  return has(key) ? t(key) : wordsOf(error);
}

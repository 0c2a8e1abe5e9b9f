/** The screen of a browser that is not signed in: a code that a person got from Pulse signs it in. */

import { Problem, send, wordsOf } from "../api.js";
import { announce, h, need, replace } from "../dom.js";
import { has, t } from "../words.js";

const CODE_CHARS_MAX = 32;

/**
 * Show the screen until a code was taken; a code in the address is tried at once.
 * @returns {Promise<import("../types").SessionAnswer>}
 */
export function showPairing() {
  const fromAddress = codeOf(location.hash);
  if (fromAddress) history.replaceState(null, "", "/"); // a code is not for the address bar, nor for the history
  return new Promise((resolve) => {
    draw(fromAddress, resolve);
  });
}

/**
 * The code in a fragment.
 * @param {string} hash for example `#pair=ABCD-EFGH`
 * @returns {string} empty where there is none
 */
export function codeOf(hash) {
  return decodeURIComponent(/^#pair=([^&]+)$/.exec(hash)?.[1] ?? "");
}

/** @param {string} code @param {(session: import("../types").SessionAnswer) => void} onSession */
function draw(code, onSession) {
  const field = codeField(code);
  const button = h("button", { class: "main", type: "submit" }, t("pair.submit"));
  const trouble = h("p", { class: "note bad", role: "alert", hidden: true });
  const form = h("form", { class: "stack" }, h("label", { for: "code" }, t("pair.code")), field, trouble, button);
  const submit = async () => {
    button.disabled = true;
    try {
      onSession(await send("POST", "/session", { code: field.value.trim(), title: deviceTitle() }));
    } catch (error) {
      trouble.hidden = false;
      trouble.textContent = kindWords(error);
      button.disabled = false;
      field.select();
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  replace(need("#app"), screen(form));
  if (code) void submit();
  else field.focus();
  announce(t("pair.title"));
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

/** @param {HTMLFormElement} form */
function screen(form) {
  const help = [
    h("p", null, t("pair.how")),
    h("p", null, h("code", { class: "mono" }, "./pulse open")),
    h("p", { class: "quiet" }, t("pair.elsewhere")),
  ];
  return h(
    "main",
    { class: "pairing" },
    h("span", { class: "light", aria: { hidden: true } }, h("i", null), h("i", null), h("i", null)),
    h("h1", null, t("pair.title")),
    h("p", { class: "quiet" }, t("pair.intro")),
    form,
    h("div", { class: "note", id: "code-help" }, help),
  );
}

/** @param {unknown} error */
function kindWords(error) {
  const key = error instanceof Problem ? `pair.error.${error.code}` : "";
  return has(key) ? t(key) : wordsOf(error);
}

/** @returns {string} what this browser is called until its person says otherwise, such as `Firefox on Linux` */
function deviceTitle() {
  const agent = navigator.userAgent;
  const browser = [
    ["Edg/", "Edge"],
    ["Firefox/", "Firefox"],
    ["Chrome/", "Chrome"],
    ["Safari/", "Safari"],
  ].find(([mark]) => agent.includes(mark));
  const system = [
    ["iPhone", "iPhone"],
    ["iPad", "iPad"],
    ["Android", "Android"],
    ["Windows", "Windows"],
    ["Mac", "Mac"],
    ["Linux", "Linux"],
  ].find(([mark]) => agent.includes(mark));
  return t("pair.device", { browser: browser?.[1] ?? "Browser", system: system?.[1] ?? "" }).trim();
}

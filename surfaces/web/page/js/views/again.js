/** Asks again who is there, before something is changed that Pulse may do: by the passkey, or by a code. */

import { Problem, send, wordsOf } from "../api.js";
import { asCalled, coded } from "./coded.js";
import { h, replace } from "../dom.js";
import { signWithPasskey } from "../passkey.js";
import { t } from "../words.js";
import { commandLine } from "./command-line.js";
import { openDialog } from "./dialog.js";

const CODE_CHARS_MAX = 32;
/** A code as the terminal shows it; a whole one is tried at once. */
const WHOLE_CODE = /^[A-Za-z2-7]{5}-?[A-Za-z2-7]{5}$/;
const DECLINED = "NotAllowedError";

/** @type {Promise<boolean> | null} several requests at once are asked about once */
let asking = null;

/** @returns {Promise<boolean>} whether the person has confirmed; closing it is a no */
export function confirmedAgain() {
  asking ??= ask().finally(() => (asking = null));
  return asking;
}

/** @returns {Promise<boolean>} */
async function ask() {
  const dialog = openDialog(t("again.title"), "sheet ask again");
  const body = h("div", { class: "stack" }, h("p", { class: "quiet" }, t("again.wait")));
  const trouble = h("p", { class: "note bad", role: "alert", hidden: true });
  let isConfirmed = false;
  dialog.append(body, trouble);
  const closed = new Promise((done) => {
    dialog.addEventListener("close", () => done(isConfirmed));
  });
  /** @param {() => Promise<object>} said what is shown to the hub */
  const confirm = async (said) => {
    try {
      await send("POST", "/session/confirm", await said());
      isConfirmed = true;
      dialog.close();
    } catch (error) {
      trouble.hidden = false;
      trouble.textContent = kindWords(error);
    }
  };
  replace(body, ...(await way(confirm)));
  /** @type {HTMLElement | null} */ (body.querySelector("input, button"))?.focus();
  return closed;
}

/**
 * @param {(said: () => Promise<object>) => Promise<void>} confirm
 * @returns {Promise<Node[]>} the way that there is for this person, at this address
 */
async function way(confirm) {
  try {
    const { options } = await send("POST", "/passkeys/options", { purpose: "confirm" });
    return byPasskey(options, confirm);
  } catch (error) {
    if (error instanceof Problem && error.code === "no-passkey") return [byCode(confirm)];
    const isElsewhere = error instanceof Problem && error.code === "passkey-elsewhere";
    return [h("p", { class: "note warn" }, isElsewhere ? t("again.elsewhere") : coded(wordsOf(error))), h("p", null, isElsewhere ? coded(error.fix) : "")];
  }
}

/**
 * @param {string} options
 * @param {(said: () => Promise<object>) => Promise<void>} confirm
 */
function byPasskey(options, confirm) {
  let fresh = options;
  const button = h("button", { type: "button", class: "main" }, t("again.passkey"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    await confirm(async () => {
      const asked = fresh || (await send("POST", "/passkeys/options", { purpose: "confirm" })).options;
      fresh = ""; // each is good once
      return { credential: await signWithPasskey(asked) };
    });
    button.disabled = false;
  });
  return [h("p", null, t("again.why")), button];
}

/** @param {(said: () => Promise<object>) => Promise<void>} confirm */
function byCode(confirm) {
  const field = h("input", {
    id: "again-code",
    maxlength: CODE_CHARS_MAX,
    required: true,
    autocomplete: "one-time-code",
    autocapitalize: "characters",
    spellcheck: "false",
    class: "code mono",
  });
  const button = h("button", { class: "main", type: "submit" }, t("again.confirm"));
  const how = [h("p", null, t("again.how")), commandLine(asCalled("pulse confirm")), h("p", null, t("again.then"))];
  const form = h("form", { class: "stack" }, h("p", null, t("again.why")), how, h("label", { for: "again-code" }, t("pair.code")), field, button);
  let tried = "";
  field.addEventListener("input", () => WHOLE_CODE.test(field.value.trim()) && field.value.trim() !== tried && form.requestSubmit());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    tried = field.value.trim();
    button.disabled = true;
    await confirm(async () => ({ code: tried }));
    button.disabled = false;
    field.select();
  });
  return form;
}

/** @param {unknown} error */
function kindWords(error) {
  if (error instanceof DOMException) return t(error.name === DECLINED ? "again.declined" : "again.failed");
  if (error instanceof Problem && (error.code === "bad-code" || error.code === "code-ended")) return t("again.bad-code");
  return wordsOf(error);
}

/** Change until when, or for which files, a permission lasts; it is shown in full before it is kept. */

import { send, wordsOf } from "../api.js";
import { h, icon, setText } from "../dom.js";
import { t } from "../words.js";
import { ENDS, grantEnd, grantPaths } from "./permission-model.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").GrantPreview} GrantPreview */
/** @typedef {import("../types").PermissionOption} PermissionOption */
/** @typedef {import("./permission.js").Act} Act */

/**
 * A form that chooses; its button is there for exactly what stands beside it.
 * @param {string} cardId
 * @param {readonly PermissionOption[]} options the hub's own ones
 * @param {Act} act
 * @returns {HTMLElement}
 */
export function chooser(cardId, options, act) {
  const which = h("select", null, options.map(({ id, label, labelWorded }) => h("option", { value: id }, worded(labelWorded, label))));
  const end = h("select", null, ENDS.map((one) => h("option", { value: one }, t(`permission.grant-${one}`))));
  const day = h("input", { type: "date" });
  const dayField = labelled(t("permission.grant-day"), day);
  const files = h("textarea", { rows: 2, maxlength: 3_000, dir: "auto", spellcheck: false });
  const filesField = labelled(t("permission.grant-files"), files);
  const says = h("p", { class: "facts", role: "status", dir: "auto" });
  const button = h("button", { type: "submit", class: "small", disabled: true }, icon("approve"), t("permission.grant-yes"));
  const fields = [options.length > 1 && labelled(t("permission.grant-which"), which), labelled(t("permission.grant-end"), end), dayField, filesField];
  const form = h("form", { class: "stack" }, ...fields, says, h("div", { class: "row end" }, button));
  /** @type {object | null} what the button would say */
  let shown = null;
  let looks = 0;
  const look = async () => {
    const mine = ++looks;
    shown = null;
    button.disabled = true;
    dayField.hidden = end.value !== "date";
    const until = grantEnd(end.value, day.value, new Date());
    if (end.value === "date" && until === null) return setText(says, "");
    const paths = grantPaths(files.value);
    const choice = { option: which.value, ...(until && { until: until.toISOString() }), ...(paths.length && { paths }) };
    try {
      const found = await send("POST", `/predictions/${encodeURIComponent(cardId)}/grant`, choice);
      if (mine !== looks) return; // something else was chosen meanwhile
      filesField.hidden = found.proposed.length === 0;
      files.placeholder = found.proposed.join("\n");
      setText(says, toldOf(found));
      shown = found.whyNot ? null : choice;
    } catch (error) {
      if (mine === looks) setText(says, wordsOf(error));
    }
    button.disabled = shown === null;
  };
  which.addEventListener("change", () => (files.value = ""));
  form.addEventListener("change", () => void look());
  files.addEventListener("input", () => {
    looks += 1; // what is being written is not what was shown
    button.disabled = true;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (shown) act("approve", "tap", { permission: shown });
  });
  void look();
  return form;
}

/** @param {GrantPreview} found */
function toldOf({ label, labelWorded, note, noteWorded, whyNot, whyNotWorded }) {
  return whyNot ? worded(whyNotWorded, whyNot) : `${worded(labelWorded, label)}. ${worded(noteWorded, note)}`;
}

/** @param {string} words @param {HTMLElement} field */
function labelled(words, field) {
  return h("label", { class: "stack" }, words, field);
}

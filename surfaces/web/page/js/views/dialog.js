/** Dialogs: the browser's own, which keep the focus inside, close with Escape, and give the focus back. */

import { h, icon } from "../dom.js";
import { t } from "../words.js";

let opened = 0;

/**
 * Open a modal dialog with a title and a way out. It removes itself when it is closed.
 * @param {string} title
 * @param {string} [looks] classes; "sheet" rises from the foot of a small screen
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, looks = "sheet") {
  const id = `dialog-${(opened += 1)}`;
  const dialog = h("dialog", { class: looks, aria: { labelledby: id } });
  const close = h(
    "button",
    { type: "button", class: "bare round", aria: { label: t("close") }, on: { click: () => dialog.close() } },
    icon("close"),
  );
  dialog.append(h("div", { class: "head" }, h("h2", { id, class: "dialog-title" }, title), close));
  dialog.addEventListener("click", (event) => event.target === dialog && isOutside(dialog, event) && dialog.close());
  dialog.addEventListener("close", () => {
    dispatchEvent(new CustomEvent("pulse:dialog", { detail: openDialogs().at(-1) })); // first, so that what is in it can leave
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  dispatchEvent(new CustomEvent("pulse:dialog", { detail: dialog }));
  return dialog;
}

/** @returns {HTMLDialogElement[]} those that are open, the one on top last */
function openDialogs() {
  return [...document.querySelectorAll("dialog")].filter(({ open }) => open);
}

/** @param {HTMLDialogElement} dialog @param {MouseEvent} event */
function isOutside(dialog, event) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
}

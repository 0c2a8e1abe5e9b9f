/** A bar for each drive that presses: its load, what is enough by itself, and what stands open in it. Bars fill by themselves. */

import { h, replace, setText } from "../dom.js";
import { age, clock } from "../format.js";
import { has, locale, t } from "../words.js";
import { loadAfter } from "./drives-model.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").DriveView} DriveView */
/** @typedef {import("../types").WantView} WantView */
/** @typedef {{full: number, threshold: number, singleThreshold: number}} Scale loads; at `full` a bar is full */
/** @typedef {{node: HTMLElement, show: (drive: DriveView, scale: Scale) => void, grow: (sinceMs: number) => void}} Row */

const WANTS_AT_ONCE = 3;

/**
 * A plain name for a drive; those of the person are called as they called them.
 * @param {string} name
 */
export function driveTitle(name) {
  return has(`drives.is-${name}`) ? t(`drives.is-${name}`) : name;
}

/**
 * One decimal, always: a bar that fills does not make its number jump about.
 * @param {number} load
 */
export function loadWords(load) {
  return load.toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/**
 * @param {string} name
 * @returns {Row}
 */
export function barRow(name) {
  const title = driveTitle(name);
  const figures = h("span", { class: "drive-load" });
  const meter = bar(title);
  const rests = h("p", { class: "facts" });
  const wants = h("div", { class: "drive-wants" });
  const node = h("li", { class: "drive", dataset: { drive: name } }, h("p", { class: "drive-head" }, h("span", { class: "drive-name", dir: "auto" }, title), figures), meter.node, rests, wants);
  /** @type {DriveView | null} */
  let known = null;
  /** @type {Scale} */
  let scale = { full: 1, threshold: 1, singleThreshold: 1 };
  const grow = (/** @type {number} */ sinceMs) => {
    if (!known) return;
    const load = loadAfter(known, sinceMs);
    setText(figures, t("drives.of", { load: loadWords(load), threshold: loadWords(scale.threshold) }));
    meter.show(load, scale);
  };
  const show = (/** @type {DriveView} */ drive, /** @type {Scale} */ fresh) => {
    [known, scale] = [drive, fresh];
    node.classList.toggle("rests", !drive.counts);
    rests.hidden = drive.counts;
    setText(rests, drive.open > 0 ? t("drives.rests") : t("drives.fades"));
    drawWants(wants, drive);
    grow(0);
  };
  return { node, show, grow };
}

/**
 * A meter with a mark at what is enough for one drive alone.
 * @param {string} label
 * @returns {{node: HTMLElement, show: (load: number, scale: Scale, line?: number) => void}} `line` is where the mark is
 */
export function bar(label) {
  const fill = h("span", { class: "drive-fill" });
  const tick = h("i", { class: "drive-tick" });
  const node = h("div", { class: "drive-bar", role: "meter", aria: { label, valuemin: 0 } }, fill, tick);
  return {
    node,
    show: (load, { full, threshold, singleThreshold }, line = singleThreshold) => {
      fill.style.setProperty("inline-size", `${(100 * Math.min(load, full)) / full}%`);
      tick.style.setProperty("inset-inline-start", `${(100 * line) / full}%`);
      node.classList.toggle("enough", load >= line);
      node.setAttribute("aria-valuemax", String(full));
      node.setAttribute("aria-valuenow", String(Math.min(load, full)));
      node.setAttribute("aria-valuetext", t("drives.of", { load: loadWords(load), threshold: loadWords(threshold) }));
    },
  };
}

/**
 * Draw what stands open anew only where it is something else, so that what was opened stays open.
 * @param {HTMLElement} root
 * @param {DriveView} drive
 */
function drawWants(root, { wants, open }) {
  const key = JSON.stringify([wants, open]);
  if (root.dataset.key === key) return;
  root.dataset.key = key;
  const isOpen = root.querySelector("details")?.open ?? false;
  const [first, rest] = [wants.slice(0, WANTS_AT_ONCE), wants.slice(WANTS_AT_ONCE)];
  const hidden = open - wants.length;
  replace(
    root,
    h("ul", null, first.map(wantItem)),
    open > first.length &&
      h(
        "details",
        { open: isOpen },
        h("summary", null, t("drives.more", { count: open - first.length })),
        h("ul", null, rest.map(wantItem), hidden > 0 && h("li", { class: "facts" }, t("drives.unshown", { count: hidden }))),
      ),
  );
}

/** @param {WantView} want */
function wantItem({ says, saysWorded, since, broughtAt }) {
  const now = Date.now();
  const facts = [t("drives.since", { time: clock(since, now) }), broughtAt && t("drives.brought", { age: age(broughtAt, now) })];
  return h("li", { class: "drive-want" }, h("span", { dir: "auto" }, worded(saysWorded, says)), h("span", { class: "facts" }, facts.filter(Boolean).join(" · ")));
}

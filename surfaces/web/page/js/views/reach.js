/** Which devices do not reach the person now: the one line, and each with why and what to do. */

import { coded } from "./coded.js";
import { h, replace } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../words.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").Unreached} Unreached */

/**
 * @param {Unreached} one
 * @returns {string} why nothing arrives there, since when, and what to do
 */
export function whyNot({ why, worded: wording, since, fix, fixWorded }) {
  const said = worded(wording, why);
  const whole = since ? t("reach.since", { why: said, time: clock(since, Date.now()) }) : t("reach.why", { why: said });
  return `${whole} ${worded(fixWorded, fix)}`.trim();
}

/** By then this page counts as one of the devices: until it does, "nothing can reach you" would be a false alarm. */
const ARRIVED_MS = 2_500;
/** @type {import("../state.js").Model} what is known when the page has arrived */
let newest;
let isWaiting = false;

/** @param {HTMLElement} root */
function arrive(root) {
  isWaiting = false; // a timer may be early by a moment: then it waits once more
  drawReach(root, newest);
}

/** @param {HTMLElement} root @param {import("../state.js").Model} model nothing, while all that is there is reached */
export function drawReach(root, model) {
  newest = model;
  const reach = model.status?.reach;
  const early = reach?.nobody ? ARRIVED_MS - performance.now() : 0;
  if (early > 0) {
    if (!isWaiting) setTimeout(arrive, early, root);
    isWaiting = true;
    return;
  }
  const shown = JSON.stringify(reach ?? null);
  if (root.dataset.shown === shown) return;
  root.dataset.shown = shown;
  root.hidden = !reach?.line;
  if (!reach?.line) return;
  const named = reach.unreached.filter((one) => reach.nobody || !one.absent);
  const items = named.map((one) => h("li", null, h("strong", { dir: "auto" }, one.title), ": ", coded(whyNot(one))));
  const line = worded(reach.worded, reach.line);
  replace(root, items.length > 0 ? h("details", null, h("summary", null, coded(line)), h("ul", null, items)) : coded(line));
}

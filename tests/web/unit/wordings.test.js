import assert from "node:assert/strict";
import { test } from "node:test";
import { useWords } from "../../../surfaces/web/page/js/words.js";
import { worded } from "../../../surfaces/web/page/js/views/wordings.js";

const WORDS = {
  "worded.grant.label": "Immer erlauben: {about} in {place}, bis {day}",
  "worded.grant.calls": "{listed}",
  "worded.unusual.gaps": "Darin sind große Lücken.",
};

/** @param {string} code @param {Partial<import("../../../surfaces/web/page/js/types").Phrasing>} [more] */
const wording = (code, more = {}) => ({ code, values: {}, listed: [], day: null, about: null, ...more });

test("a sentence of the hub's is said in the page's language", () => {
  useWords("de", WORDS);
  assert.equal(worded(wording("unusual.gaps"), "It has long gaps."), "Darin sind große Lücken.");
  const about = wording("grant.calls", { listed: ["`a`", "`{place}`"] });
  const label = wording("grant.label", { values: { place: "shop" }, day: "2026-06-08", about });
  assert.equal(worded(label, "Always allow …"), "Immer erlauben: `a` und `{place}` in shop, bis 8. Juni 2026");
});

test("what the page has no words for is said as the hub says it", () => {
  useWords("de", WORDS);
  assert.equal(worded(null, "Plain."), "Plain.");
  assert.equal(worded(wording("unusual.later"), "Plain."), "Plain.");
  assert.equal(worded(wording("grant.label", { about: wording("grant.later") }), "Plain."), "Plain.");
});

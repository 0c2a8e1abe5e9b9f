import assert from "node:assert/strict";
import { test } from "node:test";
import { useWords } from "../../../surfaces/web/page/js/words.js";
import { useHubZone } from "../../../surfaces/web/page/js/zones.js";
import { promptOf, worded, wordedWithCode } from "../../../surfaces/web/page/js/views/wordings.js";

const WORDS = {
  "worded.grant.label": "Künftig {about} in {place} erlauben, bis {end}",
  "worded.grant_end.day": "{day}",
  "worded.grant.calls": "{listed}",
  "worded.unusual.gaps": "Darin sind große Lücken.",
  "worded.drive.goals": "Ziele",
  "worded.wake.single": "„{drive}“ allein drückt mit {load} von {line}",
  "worded.rest.below_until": "von selbst reicht es um {time}",
};

/** @param {string} code @param {Partial<import("../../../surfaces/web/page/js/types").Phrasing>} [more] */
const wording = (code, more = {}) => ({ code, values: {}, listed: [], day: null, about: null, numbers: {}, parts: {}, moment: null, ...more });

test("a sentence of the hub's is said in the page's language", () => {
  useWords("de", WORDS);
  assert.equal(worded(wording("unusual.gaps"), "It has long gaps."), "Darin sind große Lücken.");
  const about = wording("grant.calls", { listed: ["`a`", "`{place}`"] });
  const parts = { end: wording("grant_end.day", { day: "2026-06-08" }) };
  const label = wording("grant.label", { values: { place: "shop" }, parts, about });
  assert.equal(worded(label, "Allow …"), "Künftig `a` und `{place}` in shop erlauben, bis 8. Juni 2026");
});

test("the first line of a request is the page's, unless it is a command", () => {
  useWords("de", { "permission.asks-edit": "{agent} möchte {target}{place} ändern", "permission.place": " in {name}", "agent.is-claude-code": "Claude" });
  const permission = { act: "edit", agent: "claude-code", target: "a.py", otherFiles: ["b.py"], folder: "/home/me/shop", effects: [], questions: [] };
  const card = /** @type {any} */ ({ permission, prompt: "Change a.py, b.py\n+ x\n+ y" });
  assert.equal(promptOf(card), "Claude möchte a.py, b.py in shop ändern\n+ x\n+ y");
  assert.equal(promptOf({ ...card, permission: { ...permission, act: "command" }, prompt: "make" }), "make");
});

test("what is put in may be empty or a time of the hub's, and goes deeper than a card shows at first", () => {
  const deep = (/** @type {number} */ depth) => wording(depth ? "say.outer" : "say.inner", depth ? { parts: { part: deep(depth - 1) } } : { values: { of: "", time: "14:30" } });
  useWords("de", { "worded.say.outer": "({part})", "worded.say.inner": "Tests{of} um {time}" });
  assert.equal(worded(deep(0), "Tests at 14:30"), "Tests um 14:30");
  assert.equal(worded(deep(5), "Tests"), "(((((Tests um 14:30)))))");
});

test("an hour of the hub's in a sentence names its zone where the clock here is another", () => {
  useWords("de", { "worded.say.inner": "Tests{of} um {time}" });
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const other = own === "Asia/Tokyo" ? "America/New_York" : "Asia/Tokyo";
  useHubZone(other);
  assert.equal(worded(wording("say.inner", { values: { of: " von 10:00", time: "14:30" } }), ""), `Tests von 10:00 um 14:30 (${other})`);
  useHubZone("");
});

test("what the page has no words for is said as the hub says it", () => {
  useWords("de", WORDS);
  assert.equal(worded(null, "Plain."), "Plain.");
  assert.equal(worded(wording("unusual.later"), "Plain."), "Plain.");
  assert.equal(worded(wording("grant.label", { about: wording("grant.later") }), "Plain."), "Plain.");
});

test("numbers, phrases within and moments are written as the page writes them", () => {
  useWords("de", WORDS);
  const parts = { drive: wording("drive.goals") };
  const single = wording("wake.single", { parts, numbers: { load: 4.2, line: 5 } });
  assert.equal(worded(single, "goals alone …"), "„Ziele“ allein drückt mit 4,2 von 5,0");
  const own = wording("wake.single", { values: { drive: "garten" }, numbers: { load: 12.25, line: 5 } });
  assert.equal(worded(own, "garten alone …"), "„garten“ allein drückt mit 12,3 von 5,0");
  assert.equal(worded(wording("wake.single", { parts: { drive: wording("drive.later") } }), "Plain."), "Plain.");
  const moment = new Date(new Date().setHours(21, 5, 0, 0)).toISOString();
  assert.equal(worded(wording("rest.below_until", { moment }), "by 21:05"), "von selbst reicht es um 21:05");
});

test("a moment is written by the page's clock, whatever the hub's is", () => {
  useWords("en-US", { "worded.rest.below_until": "it gets there by {time} by itself" });
  const moment = new Date(new Date().setHours(21, 5, 0, 0)).toISOString();
  assert.equal(worded(wording("rest.below_until", { moment }), "by 21:05").replace(/\s/gu, " "), "it gets there by 21:05 by itself");
});

test("an agent is called by its name, and a command in a sentence is set as code", () => {
  class Made {
    children = /** @type {any[]} */ ([]);
    setAttribute() {}
    append(/** @type {any[]} */ ...more) {
      this.children.push(...more);
    }
  }
  Object.assign(globalThis, { Node: Made, document: { createElement: () => new Made() } });
  useWords("en", { "worded.grant.summary": "{agent}: {about} in {place}", "worded.grant.exactly": "“{text}”, word for word,", "worded.grant.calls": "{listed}", "agent.is-claude-code": "Claude" });
  const values = { agent: "claude-code", place: "shop" };
  const shown = (/** @type {any} */ about) => wordedWithCode(wording("grant.summary", { values, about }), "…").map((part) => (typeof part === "string" ? part : `<${/** @type {any} */ (part).children.join("")}>`)).join("");
  assert.equal(shown(wording("grant.exactly", { values: { text: "echo `id` “x”" } })), "Claude: <echo `id` “x”>, word for word, in shop");
  assert.equal(shown(wording("grant.calls", { listed: ["`rm -rf build`", "`make all`"] })), "Claude: <rm -rf build> and <make all> in shop");
  assert.equal(wordedWithCode(null, "Plain.").join(""), "Plain.");
});

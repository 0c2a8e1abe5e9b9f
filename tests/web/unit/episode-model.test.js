import assert from "node:assert/strict";
import { test } from "node:test";

import { keyStep } from "../../../surfaces/web/page/js/views/chart-frame.js";
import { longDay, shortDay } from "../../../surfaces/web/page/js/views/days.js";
import { dayOf } from "../../../surfaces/web/page/js/format.js";
import { folded, isAside, LINES_SHOWN, numberName, saidOnce, tally } from "../../../surfaces/web/page/js/views/episode-model.js";
import { leftWords } from "../../../surfaces/web/page/js/views/pair-model.js";
import { useWords } from "../../../surfaces/web/page/js/words.js";

useWords("en", {});

test("a step folds what is long, and never a single line", () => {
  const lines = Array.from({ length: LINES_SHOWN + 2 }, (_, index) => `line ${index}`);
  assert.deepEqual(folded(lines), { shown: lines.slice(0, LINES_SHOWN), folded: lines.slice(LINES_SHOWN) });
  assert.deepEqual(folded(lines.slice(1)), { shown: lines.slice(1), folded: [] });
  assert.deepEqual(folded([]), { shown: [], folded: [] });
});

test("deliveries are asides, answers are not", () => {
  assert.equal(isAside({ kind: "delivery" }), true);
  assert.equal(isAside({ kind: "decided" }), false);
});

test("a rail's number says its unit", () => {
  assert.deepEqual(numberName("day_cap_usd"), { name: "day cap", unit: "usd" });
  assert.deepEqual(numberName("interval_s"), { name: "interval", unit: "s" });
  assert.deepEqual(numberName("rejections_in_row"), { name: "rejections in row", unit: "" });
  assert.deepEqual(numberName("times"), { name: "times", unit: "" });
});

test("verdicts are counted", () => {
  assert.deepEqual(tally([{ outcome: "pass" }, { outcome: "block" }, { outcome: "pass" }]), { pass: 2, ask: 0, block: 1 });
});

test("a code counts down in minutes and seconds, and is over at nought", () => {
  assert.deepEqual([600_000, 599_001, 65_000, 1, 0, -5].map(leftWords), ["10:00", "10:00", "1:05", "0:01", null, null]);
});

test("keys move along the marks and stop at both ends", () => {
  assert.deepEqual([keyStep("ArrowRight", 3, 29), keyStep("ArrowLeft", 0, 29), keyStep("End", 3, 29), keyStep("Home", 3, 29)], [4, 0, 29, 0]);
  assert.deepEqual([keyStep("PageUp", 28, 29), keyStep("Tab", 3, 29), keyStep("ArrowUp", 0, 0)], [29, null, 0]);
});

test("a plain day is never shifted by a zone; an instant is named as people do", () => {
  assert.equal(shortDay("2026-11-20"), "20 Nov");
  assert.equal(longDay("2026-01-01"), "Thursday 1 January");
  const now = new Date(2026, 10, 22, 0, 5);
  assert.equal(dayOf(new Date(2026, 10, 22, 0, 1).toISOString(), now), "Today");
  assert.equal(dayOf(new Date(2026, 10, 21, 23, 59).toISOString(), now), "Yesterday");
  assert.equal(dayOf(new Date(2025, 10, 21).toISOString(), now), "Friday 21 November 2025");
});

test("why nothing runs by itself is said once, and every other reason to ask stays", () => {
  const verdict = (/** @type {"pass" | "ask" | "block"} */ outcome, /** @type {string} */ rule) => ({ stage: rule.split(".")[0], outcome, rule, reason: rule, numbers: {} });
  const firstDay = [verdict("pass", "cost.ok"), verdict("ask", "gate.risk"), verdict("ask", "gate.novel"), verdict("ask", "gate.first-run"), verdict("ask", "gate.earned"), verdict("ask", "gate.plan"), verdict("ask", "gate.not-autonomous")];
  assert.deepEqual(saidOnce(firstDay).map(({ rule }) => rule), ["cost.ok", "gate.risk", "gate.first-run", "gate.plan"]);
  assert.deepEqual(saidOnce([verdict("ask", "gate.novel")]).length, 1);
  assert.deepEqual(saidOnce([verdict("block", "gate.confidence"), verdict("ask", "gate.earned")]).length, 2);
});

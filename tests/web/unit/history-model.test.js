import assert from "node:assert/strict";
import { test } from "node:test";

import { EMPTY, fateOf, inDays, isPlain, joined, ofSpan, pathOf, PLAIN, ranAt, SEARCH_CHARS_MAX, spanOf, within } from "../../../surfaces/web/page/js/views/history-model.js";

const row = (id, more = {}) => ({ id, status: "pending", createdAt: "2026-11-20T10:00:00Z", outcome: "", ...more });
const page = (ids, nextBefore = null) => ({ predictions: ids.map((id) => row(id)), count: ids.length, nextBefore });

test("the address carries what is wanted and nothing else", () => {
  assert.equal(pathOf({ search: "  ", filter: "all" }, null), "/predictions?limit=100");
  const path = pathOf({ search: " a&b ü ", filter: "failed" }, "2026-11-20T10:00:00+01:00");
  const query = new URL(path, "http://x").searchParams;
  assert.deepEqual([query.get("search"), query.get("status"), query.get("before")], ["a&b ü", "failed", "2026-11-20T10:00:00+01:00"]);
  assert.equal(new URL(pathOf({ search: "x".repeat(999), filter: "all" }, null), "http://x").searchParams.get("search").length, SEARCH_CHARS_MAX);
});

test("a span of days is counted from today, also over the end of a month", () => {
  assert.equal(spanOf("any", "2026-03-01"), null);
  assert.deepEqual(spanOf("today", "2026-03-01"), { from: "2026-03-01", to: "2026-03-01" });
  assert.deepEqual(spanOf("yesterday", "2026-03-01"), { from: "2026-02-28", to: "2026-02-28" });
  assert.deepEqual(spanOf("week", "2026-03-01"), { from: "2026-02-23", to: "2026-03-01" });
  assert.ok(within(null, "2020-01-01"));
  assert.ok(!within(spanOf("yesterday", "2026-03-01"), "2026-03-01"));
  assert.ok(isPlain(PLAIN) && !isPlain({ ...PLAIN, when: "today" }));
});

test("of a page only the wanted days are left, and the list ends once it has reached what lies before them", () => {
  const of = (days, nextBefore) => ({ predictions: days.map((day) => row(day, { createdAt: `${day}T10:00:00Z` })), count: days.length, nextBefore });
  const dayOf = (instant) => instant.slice(0, 10);
  const yesterday = spanOf("yesterday", "2026-11-20");
  const today = ofSpan(of(["2026-11-20", "2026-11-20"], "t1"), yesterday, dayOf);
  assert.deepEqual([today.predictions, today.count, today.nextBefore], [[], 0, "t1"]);
  const rest = ofSpan(of(["2026-11-20", "2026-11-19", "2026-11-18"], "t2"), yesterday, dayOf);
  assert.deepEqual([rest.predictions.map(({ id }) => id), rest.nextBefore], [["2026-11-19"], null]);
});

test("pages join without repeats", () => {
  const first = joined(EMPTY, page(["a", "b"], "t1"));
  assert.deepEqual(first.fresh.map(({ id }) => id), ["a", "b"]);
  const second = joined(first.history, page(["b", "c"], null));
  assert.deepEqual(second.fresh.map(({ id }) => id), ["c"]);
  assert.deepEqual(second.history.rows.map(({ id }) => id), ["a", "b", "c"]);
  assert.equal(second.history.nextBefore, null);
});

test("a page that brings nothing new and leads nowhere ends the list", () => {
  const first = joined(EMPTY, page(["a"], "t1"));
  assert.equal(joined(first.history, page(["a"], "t1")).history.nextBefore, null);
});

test("one word says what became of a card", () => {
  const now = Date.parse("2026-11-20T12:00:00Z");
  assert.equal(fateOf(row("a"), now), "pending");
  assert.equal(fateOf(row("a", { snoozedUntil: "2026-11-20T13:00:00Z" }), now), "snoozed");
  assert.equal(fateOf(row("a", { snoozedUntil: "2026-11-20T11:00:00Z" }), now), "pending");
  assert.equal(fateOf(row("a", { status: "confirmed", runState: "active" }), now), "running");
  assert.equal(fateOf(row("a", { status: "cancelled", statusReason: "blocked", outcome: "The day's budget is used up." }), now), "blocked");
  assert.equal(fateOf(row("a", { status: "cancelled", statusReason: "withdrawn", outcome: "The agent is no longer waiting." }), now), "cancelled");
  assert.equal(fateOf(row("a", { status: "cancelled", outcome: "stopped", executionId: "e" }), now), "cancelled");
  assert.equal(fateOf(row("a", { status: "executed" }), now), "executed");
  const reported = (code) => fateOf(row("a", { status: "confirmed", permission: {}, outcomeWorded: code && { code } }), now);
  assert.deepEqual(["", "over.reported_done", "over.tested", "over.reported_failed"].map(reported), ["confirmed", "executed", "answered", "failed"]);
  const gone = (code) => fateOf(row("a", { status: "cancelled", statusReason: "overruled", settled: { verb: "approve" }, outcomeWorded: { code } }), now);
  assert.deepEqual(["over.gone", "over.gone_running", "over.refused"].map(gone), ["unreported", "unreported", "cancelled"]);
  assert.equal(fateOf(row("a", { status: "executed", result: { handedOver: true } }), now), "handed-over");
  assert.equal(fateOf(row("a", { status: "failed" }), now), "failed");
  assert.equal(fateOf(row("a", { status: "failed", settled: { verb: "ignore" } }), now), "ignored");
  assert.equal(fateOf(row("a", { status: "failed", mendedAt: "2026-11-20T11:00:00Z" }), now), "mended");
  assert.equal(fateOf(row("a", { status: "expired", statusReason: "passed" }), now), "passed");
});

test("a row says when it ran or ended, where that is not when it was made", () => {
  const [createdAt, at, endedAt, expiresAt] = ["2026-11-20T01:22:00Z", "2026-11-20T01:27:00Z", "2026-11-20T01:31:00Z", "2026-11-21T01:22:00Z"];
  const card = row("a", { createdAt, settled: { at }, endedAt, expiresAt });
  const told = (fate) => ranAt(card, fate);
  assert.deepEqual(["running", "executed", "failed", "handed-over", "expired"].map(told), [at, endedAt, endedAt, endedAt, expiresAt]);
  assert.deepEqual(["pending", "rejected", "confirmed"].map(told), [null, null, null]);
  assert.equal(ranAt({ ...card, settled: null }, "running"), createdAt);
});

test("days are split once, also over a page's end", () => {
  const rows = [row("a"), row("b", { createdAt: "2026-11-19T10:00:00Z" }), row("c", { createdAt: "2026-11-19T09:00:00Z" })];
  const days = inDays(rows, (at) => at.slice(0, 10), "2026-11-20");
  assert.deepEqual(days.map((one) => [one.day, one.isNew, one.rows.length]), [["2026-11-20", false, 1], ["2026-11-19", true, 2]]);
});

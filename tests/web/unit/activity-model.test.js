import assert from "node:assert/strict";
import { test } from "node:test";

import { mixed, nameOf, othersOf, wantedOf } from "../../../surfaces/web/page/js/views/activity-model.js";

const session = (id, heardAt, more = {}) => ({ id, heardAt, task: `Task of ${id}`, said: "", agent: "", ...more });
const wake = (id, at, more = {}) => ({ id, at, says: "Woke because goals pressed", predictionId: null, ...more });
const use = (text, minute, more = {}) => ({ grantId: "grant_1", at: at(minute), what: "used", by: "claude", text, ...more });
const task = (id, createdAt, more = {}) => ({ id, createdAt, title: `Task ${id}`, notes: "", predictionId: null, ...more });
const card = (id, createdAt) => ({ id, createdAt });
const ids = (entries) => entries.map((one) => one.session?.id ?? one.wake?.id ?? one.line?.text ?? one.task?.id ?? one.id);
const at = (minute) => `2026-11-20T10:${String(minute).padStart(2, "0")}:00Z`;

test("sessions and wake-ups stand in the order in which they happened", () => {
  assert.deepEqual(ids(othersOf([session("s1", at(1)), session("s3", at(3))], [wake("w2", at(2))], [], [])), ["s3", "w2", "s1"]);
});

test("what a permission let through stands there once, and so do its beginning, its end and every stop", () => {
  const lines = [use("npm test", 4), use("npm test", 4, { grantId: "grant_2" }), use("npm test", 2), use("", 3, { what: "made" }), use("", 5, { what: "ended" }), use("", 6, { what: "stopped", by: "browser/desk" })];
  assert.deepEqual(othersOf([], [], lines, []).map(({ kind, createdAt }) => [kind, createdAt]), [["stop", at(6)], ["permission", at(5)], ["permission", at(4)], ["permission", at(3)], ["permission", at(2)]]);
});

test("what a permission let through is one row, its card's, where there is one", () => {
  const others = othersOf([], [], [use("npm test", 4), use("ls", 2)], []);
  const { entries } = mixed([{ ...card("c4", at(4)), permission: { act: "command" } }, card("c2", at(2))], others, true);
  assert.deepEqual(ids(entries), ["c4", "c2", "ls"]);
});

test("among a page of cards stands what is no older than its last, and the rest waits", () => {
  const others = othersOf([session("s9", at(9)), session("s5", at(5)), session("s1", at(1))], [], [], []);
  const { entries, left } = mixed([card("c8", at(8)), card("c4", at(4))], others, false);
  assert.deepEqual(ids(entries), ["s9", "c8", "s5", "c4"]);
  assert.deepEqual(ids(left), ["s1"]);
  assert.deepEqual(ids(mixed([card("c0", at(0))], left, true).entries), ["s1", "c0"]);
});

test("while no wanted card has come yet, what stands beside them waits", () => {
  const others = othersOf([session("s1", at(1))], [], [], []);
  assert.deepEqual(mixed([], others, false), { entries: [], left: others });
});

test("at the end, and without any card, nothing is left out", () => {
  const others = othersOf([session("s1", at(1))], [], [], []);
  assert.deepEqual(ids(mixed([], others, true).entries), ["s1"]);
  assert.deepEqual(mixed([card("c4", at(4))], others, true).left, []);
});

test("a filter and a search leave what they name", () => {
  const others = othersOf([session("s1", at(1))], [wake("w2", at(2)), wake("w3", at(3), { predictionId: "pred_1" })], [], []);
  const left = (filter, search = "") => ids(wantedOf(others, { filter, search }));
  assert.deepEqual(left("all"), ["w2", "s1"]);
  assert.deepEqual(left("sessions"), ["s1"]);
  assert.deepEqual(left("wakes"), ["w3", "w2"]);
  assert.deepEqual(left("failed"), []);
  assert.deepEqual(left("all", "TASK s1"), ["s1"]);
});

test("a card's own run is told by its card, and is a session only among the sessions", () => {
  const others = othersOf([session("pred_7", at(2)), session("mine", at(1))], [], [], []);
  assert.deepEqual(ids(wantedOf(others, { filter: "all", search: "" })), ["mine"]);
  assert.deepEqual(ids(wantedOf(others, { filter: "sessions", search: "" })), ["pred_7", "mine"]);
});

test("uses of permissions can be searched by what ran and for whom, and shown alone", () => {
  const others = othersOf([session("s1", at(1))], [], [use("npm test", 2), use("make docs", 3, { by: "codex" })], []);
  const left = (filter, search = "") => ids(wantedOf(others, { filter, search }));
  assert.deepEqual(left("all"), ["make docs", "npm test", "s1"]);
  assert.deepEqual(left("permissions"), ["make docs", "npm test"]);
  assert.deepEqual(left("all", "NPM claude"), ["npm test"]);
});

test("an id is a name only where nothing else is said", () => {
  assert.equal(nameOf(session("pred_1", at(1))), "Task of pred_1");
  assert.equal(nameOf(session("pred_1", at(1), { task: "", said: "3 of 5 done" })), "3 of 5 done");
  assert.equal(nameOf(session("pred_1", at(1), { task: "" })), "pred_1");
});

test("a task of the person's own stands where it was added; one that a card did is told by the card", () => {
  const others = othersOf([session("s1", at(1))], [], [], [task("t2", at(2), { notes: "by phone" }), task("t3", at(3), { predictionId: "pred_1" })]);
  const left = (filter, search = "") => ids(wantedOf(others, { filter, search }));
  assert.deepEqual(left("all"), ["t2", "s1"]);
  assert.deepEqual(left("tasks"), ["t3", "t2"]);
  assert.deepEqual(left("all", "phone"), ["t2"]);
});

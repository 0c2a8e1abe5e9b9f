import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "../../../surfaces/web/page/js/shared/notices.js";

const { PulseNotices } = globalThis;
const own = JSON.parse(readFileSync(new URL("../../../surfaces/web/page/words/en.json", import.meta.url), "utf8"));
// What the hub puts in from the phrasebook when it serves them.
const phrases = { "push.approve": "Approve", "push.reject": "Dismiss", "push.told-approve": "Approved", "push.something": "Pulse has news" };
const words = { ...own, ...phrases };
const say = PulseNotices.sayFrom(words);
const DATA = {
  deliveryId: "dlv_1",
  event: "prediction.new",
  cardId: "card_1",
  cardHash: "h",
  token: "t",
  verbs: ["approve", "reject"],
  risk: "low",
  loudness: "notify",
  expiresAt: "2026-03-02T10:30:00Z",
  at: "2026-03-02T10:00:00Z",
  lang: "en",
};

function message(data = {}, note = {}) {
  return {
    web_push: 8030,
    app_badge: 3,
    notification: { title: "Suggestion", body: "Run it", tag: "card_1", silent: false, data: { ...DATA, ...data }, ...note },
  };
}

function actions(data) {
  return PulseNotices.noticeOf(message(data), say).options.actions.map((one) => one.action);
}

test("a card is shown with its text, its tag and two buttons", () => {
  const { title, options, badge } = PulseNotices.noticeOf(message(), say);
  assert.equal(title, "Suggestion");
  assert.equal(options.body, "Run it");
  assert.equal(options.tag, "card_1");
  assert.equal(options.silent, false);
  assert.equal(options.renotify, true);
  assert.equal(badge, 3);
  assert.deepEqual(options.actions, [
    { action: "approve", title: "Approve" },
    { action: "reject", title: "Dismiss" },
  ]);
});

test("approve is a button for neither what is risky nor what it is not offered for", () => {
  assert.deepEqual(actions({ risk: "high" }), ["open", "reject"]);
  assert.deepEqual(actions({ verbs: ["reject"] }), ["open", "reject"]);
  assert.deepEqual(actions({ verbs: ["approve"] }), []);
});

const CHOICES = [
  { question: "q1", label: "Red" },
  { question: "q1", label: "Blue" },
];

test("a question's two choices are its buttons", () => {
  const data = { verbs: ["reject"], asks: true, choices: CHOICES };
  const { options } = PulseNotices.noticeOf(message(data), say);
  assert.deepEqual(options.actions, [
    { action: "choice-0", title: "Red" },
    { action: "choice-1", title: "Blue" },
  ]);
  assert.deepEqual(PulseNotices.choiceOf(options.data, "choice-1"), CHOICES[1]);
  for (const action of ["choice-2", "choice-", "approve", ""]) assert.equal(PulseNotices.choiceOf(options.data, action), undefined);
});

test("any other question leads to the page", () => {
  assert.deepEqual(actions({ verbs: ["reject"], asks: true }), ["answer", "reject"]);
  assert.deepEqual(actions({ verbs: [], asks: true }), ["answer"]);
  assert.deepEqual(actions({ verbs: ["reject"], asks: true, choices: [CHOICES[0]] }), ["choice-0", "answer"]);
  assert.deepEqual(actions({ verbs: [], token: "", asks: true }), ["answer"]);
});

test("where the browser shows no buttons, none are asked for, and the text keeps its card", () => {
  const { options } = PulseNotices.noticeOf(message(), say, 0);
  assert.deepEqual([options.actions, options.body, options.data.cardId], [[], "Run it", "card_1"]);
  const shown = { title: "Suggestion", body: "Run it", data: DATA };
  for (const kind of ["queued", "refused"]) {
    const outcome = PulseNotices.outcomeNotice(shown, kind, say, "", 0).options;
    assert.deepEqual([outcome.actions, outcome.data.cardId], [[], "card_1"]);
  }
});

test("other verbs", () => {
  assert.deepEqual(actions({ verbs: ["stop"] }), ["stop", "open"]);
  assert.deepEqual(actions({ verbs: ["undo"] }), ["undo", "open"]);
  assert.deepEqual(actions({ verbs: ["retry"] }), ["retry", "open"]);
  assert.deepEqual(actions({ verbs: ["retry"], risk: "high" }), []);
  assert.deepEqual(actions({ verbs: ["approve", "reject"], token: "" }), []);
});

test("what cannot be read is shown all the same, silently and without buttons", () => {
  for (const bad of [null, undefined, 1, "x", {}, { notification: null }, { notification: { title: "" } }, { notification: { title: 7 } }]) {
    const { title, options } = PulseNotices.noticeOf(bad, say);
    assert.equal(title, "Pulse has news");
    assert.equal(options.silent, true);
    assert.equal(options.actions, undefined);
  }
});

test("a silent message does not sound again, and a wrong count is no badge", () => {
  const { options, badge } = PulseNotices.noticeOf(message({}, { silent: true, app_badge: -1 }), say);
  assert.equal(options.silent, true);
  assert.equal(options.renotify, false);
  assert.equal(badge, null);
});

test("an alert stays until somebody has seen it", () => {
  assert.equal(PulseNotices.noticeOf(message({ loudness: "alert" }), say).options.requireInteraction, true);
  assert.equal(PulseNotices.noticeOf(message(), say).options.requireInteraction, false);
});

test("the language is the message's, and nothing else gets into an address", () => {
  assert.equal(PulseNotices.langOf(message({ lang: "de" })), "de");
  for (const lang of ["../../x", "", "EN-us", 5, undefined]) assert.equal(PulseNotices.langOf(message({ lang })), "en");
});

test("an answer's outcome replaces the card, silently", () => {
  const shown = { title: "Suggestion", body: "Run it", data: DATA };
  const taken = PulseNotices.outcomeNotice(shown, "approve", say);
  assert.equal(taken.title, "Approved");
  assert.deepEqual([taken.options.tag, taken.options.silent, taken.options.actions], ["card_1", true, []]);
  assert.deepEqual([taken.options.data.token, taken.options.data.verbs], ["", []]);
  assert.equal(taken.options.data.at, DATA.at);
  const refused = PulseNotices.outcomeNotice(shown, "refused", say, "Approved on terminal/desk");
  assert.equal(refused.options.body, "Approved on terminal/desk\nRun it");
  assert.deepEqual(
    refused.options.actions.map((one) => one.action),
    ["open"],
  );
  for (const kind of ["approve", "reject", "stop", "undo", "queued", "refused", "expired"]) {
    assert.ok(!PulseNotices.outcomeNotice(shown, kind, say).title.startsWith("push."), kind);
  }
});

test("what was said later wins, and nothing is older than what has no time", () => {
  assert.equal(PulseNotices.isOlder(DATA, { ...DATA, at: "2026-03-02T10:00:01Z" }), true);
  assert.equal(PulseNotices.isOlder(DATA, DATA), false);
  assert.equal(PulseNotices.isOlder({ ...DATA, at: "2026-03-02T10:00:02Z" }, DATA), false);
  assert.equal(PulseNotices.isOlder(DATA, {}), false);
  assert.equal(PulseNotices.isOlder({}, DATA), false);
});

test("endings are no news, even in quiet hours a card is", () => {
  for (const event of ["prediction.settled", "prediction.snoozed", "prediction.expired"]) {
    assert.equal(PulseNotices.isNews({ ...DATA, event }), false);
  }
  assert.equal(PulseNotices.isNews({ ...DATA, loudness: "silent" }), true);
  assert.equal(PulseNotices.isNews({ ...DATA, event: "execution.started", loudness: "silent" }), true);
});

test("words keep what has no value", () => {
  assert.equal(PulseNotices.sayFrom({ a: "x {b} {c}" })("a", { b: "1" }), "x 1 {c}");
  assert.equal(PulseNotices.sayFrom({})("push.open"), "push.open");
});

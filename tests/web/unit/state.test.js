import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DONE_SHOWN_MS,
  LINES_MAX,
  SETTLED_SHOWN_MS,
  deckOf,
  makeStore,
  phaseOf,
  reduce,
  withSync,
  workOf,
} from "../../../surfaces/web/page/js/state.js";
import { pilesOf, togetherOf } from "../../../surfaces/web/page/js/together.js";
import { NOW, at, card, model, prediction, settled, sync } from "./cards.js";

const ids = (cards) => cards.map((one) => one.prediction.id);
const withCards = (...shown) => model({ cards: Object.fromEntries(shown.map((one) => [one.prediction.id, one])) });
const hear = (before, type, more = {}, seq = before.seq + 1) => reduce(before, { type, seq, ...more }, NOW);

test("a new card lies in the stack, newest first", () => {
  let now = model();
  now = hear(now, "prediction.new", { prediction: prediction("old", { createdAt: at(-9) }) });
  now = hear(now, "prediction.new", { prediction: prediction("new", { createdAt: at(-1) }) });
  assert.deepEqual(ids(deckOf(now, NOW)), ["new", "old"]);
  assert.equal(now.seq, 7);
});

test("an event that was heard before changes nothing", () => {
  const before = withCards(card(prediction("a")));
  assert.equal(hear(before, "prediction.expired", { predictionId: "a" }, 5), before);
});

test("cards that come at once are together, in their order, while one of them is open", () => {
  let now = hear(model(), "prediction.new", { prediction: prediction("other") });
  now = hear(now, "digest.ready", { cards: [prediction("b"), prediction("a")], more: 0 });
  assert.deepEqual(ids(togetherOf(now, NOW)), ["b", "a"]);
  assert.equal(deckOf(now, NOW).length, 3);
  now = hear(now, "digest.ready", { cards: [], more: 0 });
  assert.deepEqual(now.together, ["b", "a"]);
  for (const id of ["a", "b"]) {
    now = hear(now, "prediction.settled", { prediction: prediction(id, { status: "rejected", settled: settled("reject") }) });
  }
  assert.deepEqual(togetherOf(now, NOW), []);
});

test("an unknown event only moves the place in the feed", () => {
  const before = withCards(card(prediction("a")));
  const after = hear(before, "something.else");
  assert.equal(after.seq, 6);
  assert.equal(after.cards, before.cards);
});

test("a card that somebody else settled is shown in place for a moment, then leaves", () => {
  const told = { prediction: prediction("a", { status: "rejected", settled: settled("reject") }) };
  const after = hear(withCards(card(prediction("a"))), "prediction.settled", told);
  assert.equal(phaseOf(after.cards.a, NOW), "settled");
  assert.deepEqual(ids(deckOf(after, NOW)), ["a"]);
  assert.deepEqual(ids(deckOf(after, NOW + SETTLED_SHOWN_MS)), []);
});

test("a card that was answered here has flown off and does not come back to show who settled it", () => {
  const before = withCards(card(prediction("a"), { sending: "reject" }));
  assert.deepEqual(ids(deckOf(before, NOW)), []);
  const told = { prediction: prediction("a", { status: "rejected", settled: settled("reject") }) };
  const after = hear(before, "prediction.settled", told);
  assert.equal(phaseOf(after.cards.a, NOW), "past");
  assert.equal(after.cards.a.sending, "");
});

test("a failure leaves once the same command is offered or run anew, and no other failure does", () => {
  const tests = { prompt: "none", argv: ["make", "test"], folder: "/home/me/shop" };
  const failed = (id, minutes, runs) => prediction(id, { status: "failed", createdAt: at(minutes), runs });
  const agent = { prompt: "argument", argv: ["agent", "{prompt}"], folder: "/home/me/shop" };
  let now = model();
  for (const one of [
    failed("before", -9, tests),
    failed("elsewhere", -8, { ...tests, folder: "/home/me/blog" }),
    failed("words", -7, agent),
    failed("other words", -6, agent),
  ]) now = hear(now, "execution.failed", { prediction: one, error: "", kind: "failed" });
  assert.deepEqual(ids(workOf(now, NOW)), ["other words", "words", "elsewhere", "before"]);
  now = hear(now, "prediction.new", { prediction: prediction("again", { createdAt: at(-1), runs: tests }) });
  assert.deepEqual(ids(workOf(now, NOW)), ["other words", "words", "elsewhere"]);
  const read = withSync(model(), sync({ open: [prediction("again", { createdAt: at(-1), runs: tests })], recent: [failed("before", -9, tests)] }), NOW);
  assert.deepEqual(workOf(read, NOW), [], "nor is it there after the page was opened anew");
  const ran = hear(now, "execution.failed", { prediction: failed("again", -1, tests), error: "", kind: "failed" });
  assert.deepEqual(ids(workOf(ran, NOW))[0], "again", "the latest failure stays");
});

test("snoozed cards sleep until their time, expired ones leave after a moment", () => {
  const asleep = card(prediction("a", { snoozedUntil: at(10), expiresAt: at(60) }));
  assert.equal(phaseOf(asleep, NOW), "snoozed");
  assert.equal(phaseOf(asleep, NOW + 10 * 60_000), "open");
  const over = card(prediction("b", { expiresAt: at(0) }));
  assert.equal(phaseOf(over, NOW), "open");
  assert.equal(phaseOf(over, NOW + SETTLED_SHOWN_MS), "past");
});

test("a card that comes back is open again, without its last run", () => {
  const failed = card(prediction("a", { status: "failed" }), { endedAt: NOW, error: "boom", lines: ["x"] });
  const after = hear(withCards(failed), "prediction.returned", { prediction: prediction("a"), reason: "retried" });
  assert.deepEqual(after.cards.a, card(prediction("a")));
});

test("a run is at work, tells its lines, and its agent shows it", () => {
  const agents = [
    { channel: "koji-core", state: "idle", lastLine: "" },
    { channel: "other", state: "idle" },
  ];
  const running = prediction("a", { status: "confirmed", settled: settled("approve") });
  let now = hear({ ...withCards(card(prediction("a"))), agents }, "execution.started", {
    prediction: running,
    executionId: "e",
  });
  assert.equal(now.agents[0].state, "running");
  assert.equal(now.agents[1].state, "idle");
  for (let number = 0; number <= LINES_MAX; number++) {
    now = hear(now, "execution.progress", { predictionId: "a", line: `line ${number}` });
  }
  assert.equal(now.cards.a.lines.length, LINES_MAX);
  assert.equal(now.agents[0].lastLine, `line ${LINES_MAX}`);
  const later = NOW + SETTLED_SHOWN_MS;
  assert.deepEqual(ids(workOf(now, later)), ["a"]);
  const done = prediction("a", { status: "executed", settled: settled("approve") });
  now = hear(now, "prediction.executed", { prediction: done, predictionId: "a", taskId: "t", result: "12 passed" });
  assert.equal(now.agents[0].state, "idle");
  assert.equal(now.cards.a.prediction.outcome, "12 passed");
  assert.equal(phaseOf(now.cards.a, later), "done");
  assert.equal(phaseOf(now.cards.a, NOW + DONE_SHOWN_MS), "past");
});

test("a failure stays at work until somebody helps; a stopped run is no failure of its agent", () => {
  const agents = [{ channel: "koji-core", state: "running" }];
  const failed = prediction("a", { status: "failed", settled: settled("approve") });
  const before = { ...withCards(card(prediction("a", { status: "confirmed" }))), agents };
  const after = hear(before, "execution.failed", { prediction: failed, kind: "failed", error: "2 tests failed" });
  assert.equal(after.cards.a.error, "2 tests failed");
  assert.equal(after.agents[0].state, "failed");
  assert.deepEqual(ids(workOf(after, NOW)), ["a"]);
  const stopped = hear(before, "execution.failed", {
    prediction: prediction("a", { status: "cancelled" }),
    kind: "stopped",
    error: "",
  });
  assert.equal(stopped.agents[0].state, "idle");
});

test("an approved question of an agent is over: Pulse runs nothing for it", () => {
  assert.equal(phaseOf(card(prediction("a", { status: "confirmed", source: "ask" })), NOW), "past");
});

test("reading everything anew keeps what only the page knows, and drops what is no more", () => {
  const running = prediction("a", { status: "confirmed" });
  const before = withCards(card(running, { lines: ["x"] }), card(prediction("gone")));
  const after = withSync(before, sync({ recent: [running], open: [prediction("b")], seq: 9, feed: "g" }), NOW);
  assert.deepEqual(Object.keys(after.cards).sort(), ["a", "b"]);
  assert.deepEqual(after.cards.a.lines, ["x"]);
  assert.deepEqual([after.seq, after.feed], [9, "g"]);
});

test("a card settled while the page was away is shown settled; one settled before the page came is not", () => {
  const told = prediction("a", { status: "rejected", settled: settled("reject") });
  const back = withSync(withCards(card(prediction("a"))), sync({ recent: [told] }), NOW);
  assert.equal(phaseOf(back.cards.a, NOW), "settled");
  const first = withSync(model({ knownAt: 0 }), sync({ recent: [told] }), NOW);
  assert.equal(phaseOf(first.cards.a, NOW), "past");
});

test("the cards that are over are bounded, the open ones are not", () => {
  let now = model();
  for (let number = 0; number < 200; number++) {
    const status = number % 2 ? "pending" : "rejected";
    now = hear(now, "prediction.new", { prediction: prediction(`p${number}`, { status, createdAt: at(-number) }) });
  }
  assert.equal(deckOf(now, NOW).length, 100);
  assert.equal(Object.keys(now.cards).length, 160);
});

test("watchers of a store hear of each change until they end it", () => {
  const store = makeStore({ a: 1, b: 2 });
  const heard = [];
  const end = store.watch((now) => heard.push(now.a));
  store.set({ a: 5 });
  end();
  store.set({ a: 6 });
  assert.deepEqual(heard, [5]);
  assert.deepEqual(store.get(), { a: 6, b: 2 });
});

test("what failed leaves when it was put aside or handed to an agent", () => {
  const failed = (verb) => card(prediction("a", { status: "failed", settled: settled(verb) }));
  assert.equal(phaseOf(failed("approve"), NOW), "failed");
  assert.equal(phaseOf(failed("ignore"), NOW), "past");
  assert.equal(phaseOf(failed("fix"), NOW), "past");
});

test("an agent that is blocked comes before other questions, whatever their age", () => {
  const cards = [
    prediction("soon", { source: "ask", expiresAt: at(5) }),
    prediction("blocked", { source: "ask", expiresAt: at(50), permission: { act: "command" } }),
  ];
  assert.deepEqual(ids(deckOf(withCards(...cards.map((one) => card(one))), NOW)), ["blocked", "soon"]);
});

test("questions come first, the one whose time ends first before the others", () => {
  const cards = [
    prediction("idea", { createdAt: at(-1) }),
    prediction("late", { source: "ask", expiresAt: at(50) }),
    prediction("soon", { source: "ask", expiresAt: at(5) }),
  ];
  assert.deepEqual(ids(deckOf(withCards(...cards.map((one) => card(one))), NOW)), ["soon", "late", "idea"]);
});

test("open requests that are alike lie in one place, the oldest first, and at most eight are listed", () => {
  const alike = (id, minutes, changes = {}) => card(prediction(id, { source: "ask", alike: "a1", createdAt: at(minutes), ...changes }));
  const other = card(prediction("other", { source: "ask", alike: "a2" }));
  const none = [card(prediction("n1", { alike: "" })), card(prediction("n2", { alike: "" }))];
  const two = [alike("late", -1), other, alike("early", -3)];
  const piles = pilesOf([...two, ...none], NOW);
  assert.deepEqual(piles.map(({ id }) => id), ["alike-a1", "other", "n1", "n2"]);
  assert.deepEqual([ids(piles[0].cards), piles[0].more], [["early", "late"], 0]);
  const ten = Array.from({ length: 10 }, (_, number) => alike(`c${number}`, number - 20));
  const [{ cards, more }] = pilesOf(ten, NOW);
  assert.deepEqual([ids(cards), more], [ten.slice(0, 8).map((one) => one.prediction.id), 2]);
});

test("one that is left of those alike is a card by itself; what was settled elsewhere is seen beside two", () => {
  const alike = (id, changes = {}) => prediction(id, { source: "ask", alike: "a1", ...changes });
  const gone = { ...card(alike("gone", { status: "rejected", settled: settled("reject") })), settledAt: NOW };
  assert.deepEqual(pilesOf([card(alike("a")), gone], NOW).map(({ id }) => id), ["a", "gone"]);
  const [pile, ...rest] = pilesOf([card(alike("a")), gone, card(alike("b"))], NOW);
  assert.deepEqual([pile.cards.length, pile.more, rest], [3, 0, []]);
  const three = ["a", "b", "c"].map((id) => card(alike(id)));
  assert.deepEqual(pilesOf(three, NOW, "b").map(({ id }) => id), ["alike-a1", "b"]);
});

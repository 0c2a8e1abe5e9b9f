import assert from "node:assert/strict";
import { test } from "node:test";
import { useWords } from "../../../surfaces/web/page/js/words.js";
import { NOW, at, card, model, prediction, pretendBrowser, settled } from "./cards.js";

pretendBrowser();
const { state } = await import("../../../surfaces/web/page/js/state.js");
const { backoffMs } = await import("../../../surfaces/web/page/js/live.js");
const { moodOf } = await import("../../../surfaces/web/page/js/views/shell.js");
const { nowOf } = await import("../../../surfaces/web/page/js/views/agents-panel.js");
const { recentOf, seenIn } = await import("../../../surfaces/web/page/js/views/aside.js");
const { seenNow } = await import("../../../surfaces/web/page/js/repositories.js");
const { understood, whoAnswers } = await import("../../../surfaces/web/page/js/views/askbox.js");
const { choicesOf } = await import("../../../surfaces/web/page/js/views/snooze.js");
const { codeOf } = await import("../../../surfaces/web/page/js/views/pairing.js");
const { heldWords, isGuess, placeOf, quotesOf, settledWords } = await import("../../../surfaces/web/page/js/views/face.js");
const { runsParts } = await import("../../../surfaces/web/page/js/views/runs.js");
const { whyQuiet } = await import("../../../surfaces/web/page/js/views/quiet.js");

const STATUS = {
  enabled: true,
  state: "watching",
  reason: "",
  costToday: 1,
  costCapPerDay: 10,
  dndUntil: null,
  quiet: false,
};

test("what was kept says how its sentence was understood, and what else it could have meant", () => {
  useWords("en", {
    "askbox.kept": "Kept, without a time.",
    "askbox.kept-until": "{moment}.",
    "askbox.past": "That moment has passed.",
    "askbox.doubt-hour": "If you meant {other}, say so.",
    "askbox.doubt-weekday": "Today is {weekday}, too.",
  });
  const task = (deadline, doubt = "") => ({ deadline, doubt });
  assert.equal(understood(task(null), NOW), "Kept, without a time.");
  assert.equal(understood(task(null, "past"), NOW), "That moment has passed.");
  assert.match(understood(task("2026-03-03T15:00:00"), NOW), /^Tomorrow, Tuesday 3 March, 15:00\.$/);
  assert.match(understood(task("2026-03-03T15:00:00", "hour"), NOW), /If you meant 03:00, say so\.$/);
  assert.match(understood(task("2026-03-09T18:00:00", "weekday"), NOW), /Today is Monday, too\.$/);
});

test("a place is named with the word that belongs to it, also where its device has a title", () => {
  useWords("en", {
    "settled.you": "You",
    "settled.approve": "{who} approved it {where}",
    "surface.named": "on {name}",
    "surface.inside": "in {name}",
    "surface.terminal": "in the terminal",
  });
  state.set({ titles: { "terminal/local": "Terminal", "phone/pixel": "Ada's phone", "browser/b1": "Firefox on Linux" } });
  const words = (surface, device) => settledWords(prediction("a", { settled: settled("approve", { surface, device }) }));
  assert.match(words("terminal", "local"), /^You approved it in the terminal · /);
  assert.match(words("phone", "pixel"), /^You approved it on Ada's phone · /);
  assert.match(words("browser", "b1"), /^You approved it in Firefox on Linux · /);
  state.set({ titles: {} });
});

test("waiting for the hub stays short for a while, grows, never exceeds its cap, and differs by chance", () => {
  assert.equal(backoffMs(0, 1), 250);
  assert.equal(backoffMs(0, 0), 125);
  assert.equal(backoffMs(19, 1), 2_000);
  assert.equal(backoffMs(1_000, 1), 5_000);
});

test("the spirit: idle, working, verified, failed; a failure outshines the rest", () => {
  const cards = { a: card(prediction("a", { status: "confirmed" })) };
  assert.equal(moodOf(model(), NOW).mood, "idle");
  assert.equal(moodOf(model({ cards }), NOW).mood, "working");
  cards.b = card(prediction("b", { status: "executed" }), { endedAt: NOW });
  assert.equal(moodOf(model({ cards }), NOW).mood, "verified");
  assert.equal(moodOf(model({ cards }), NOW + 60_000).mood, "working");
  cards.c = card(prediction("c", { status: "failed", settled: settled("approve") }), { endedAt: NOW });
  assert.equal(moodOf(model({ cards }), NOW).failed?.prediction.id, "c");
});

test("the spirit: sessions of the world log count as cards do", () => {
  const world = (more) => model({ status: { ...STATUS, world: { active: 0, pending: 0, failed: 0, verifiedAt: null, asks: "", ...more } } });
  assert.equal(moodOf({ ...world({ active: 1, failed: 1 }), status: { enabled: false } }, NOW).mood, "stopped");
  assert.equal(moodOf(world({}), NOW).mood, "idle");
  assert.equal(moodOf(world({ active: 1 }), NOW).mood, "working");
  assert.equal(moodOf(world({ pending: 1 }), NOW).mood, "working");
  assert.equal(moodOf(world({ active: 1 }), NOW, NOW - 1_000).mood, "verified");
  assert.equal(moodOf(world({ active: 1 }), NOW, NOW - 60_000).mood, "working");
  assert.deepEqual(moodOf(world({ failed: 1, active: 1, asks: "abc" }), NOW, NOW), { mood: "failed", failed: null });
});

test("recent work is tasks and settled cards, latest first, each once", () => {
  const tasks = [{ id: "t", title: "Deploy", status: "completed", updatedAt: at(-2), predictionId: "a" }];
  const cards = {
    a: card(prediction("a", { status: "executed", settled: settled("approve") })),
    b: card(prediction("b", { status: "rejected", settled: settled("reject", { at: at(-1) }) })),
    c: card(prediction("c")),
  };
  assert.deepEqual(
    recentOf(model({ tasks, cards }), NOW).map((one) => one.id),
    ["b", "t"],
  );
});

test("an agent that neither waits nor works shows what it last asked", () => {
  const permission = /** @type {any} */ ({ act: "command" });
  const its = { source: "ask", targetAgent: "claude-code", permission, expiresAt: at(600) };
  const cards = {
    a: card(prediction("a", { ...its, prompt: "make", status: "confirmed", createdAt: at(-90) })),
    b: card(prediction("b", { ...its, prompt: "git push --force", status: "rejected", createdAt: at(-9) })),
  };
  const now = nowOf("claude-code", model({ cards, agents: [] }), NOW);
  assert.deepEqual([now.state, now.words, now.isCommand, now.askedAt], ["idle", "git push --force", true, at(-9)]);
  assert.deepEqual(nowOf("codex", model({ cards, agents: [] }), NOW).words, "");
});

test("recent work tells when a card ended, never when it would have run out", () => {
  const cards = {
    a: card(prediction("a", { status: "confirmed", settled: null, source: "ask", createdAt: at(-90), expiresAt: at(-2) })),
    b: card(prediction("b", { status: "expired", settled: null, createdAt: at(-90), expiresAt: at(-2) })),
    c: card(prediction("c", { status: "expired", statusReason: "passed", settled: null, createdAt: at(-90), expiresAt: at(600) })),
  };
  const times = Object.fromEntries(recentOf(model({ cards }), NOW).map((one) => [one.id, one.at]));
  assert.deepEqual(times, { a: at(-90), b: at(-2), c: at(-90) });
});

test("snooze: tonight only while it is far off, the morning is the next one", () => {
  const noon = choicesOf(new Date(2026, 2, 2, 12, 0));
  assert.deepEqual(
    noon.map((one) => one.name),
    ["minutes", "hour", "tonight", "morning"],
  );
  assert.equal(noon[3].at.getDate(), 3);
  const late = choicesOf(new Date(2026, 2, 2, 23, 30));
  assert.deepEqual(
    late.map((one) => one.name),
    ["minutes", "hour", "morning"],
  );
  assert.equal(
    choicesOf(new Date(2026, 2, 2, 2, 0))
      .at(-1)
      ?.at.getDate(),
    2,
  );
});

test("a pairing code is taken from the address", () => {
  assert.equal(codeOf("#pair=ABCD-EFGH"), "ABCD-EFGH");
  assert.equal(codeOf("#/history"), "");
});

test("the empty stack says why it is quiet", () => {
  useWords("en", {});
  const why = (changes, cards = {}) => whyQuiet({ status: { ...STATUS, ...changes }, cards }, NOW);
  assert.equal(why({}), "empty.watching");
  assert.equal(why({ enabled: false }), "empty.off");
  assert.equal(why({ state: "paused" }), "empty.paused");
  assert.equal(why({ costToday: 10 }), "empty.cap");
  assert.equal(why({ quiet: true }), "empty.quiet");
  assert.equal(why({ dndUntil: at(9) }), "empty.dnd");
  assert.equal(why({}, { a: card(prediction("a", { snoozedUntil: at(9) })) }), "empty.snoozed");
  assert.equal(whyQuiet({ status: null, cards: {} }, NOW), "empty.unknown");
});

test("a card says what it quotes, or that the model worded it; what is Pulse's own says nothing", () => {
  useWords("en", {
    "card.quotes": "quotes {sources}",
    "card.reworded": "reworded",
    "quoted.calendar": "the calendar",
    "quoted.task": "a task",
  });
  assert.equal(quotesOf(prediction("a", { origin: "world", quotes: ["calendar", "task"] })), "quotes the calendar, a task");
  assert.equal(quotesOf(prediction("a", { origin: "model", quotes: ["model"] })), "reworded");
  assert.equal(quotesOf(prediction("a")), "");
  assert.equal(quotesOf(prediction("a", { source: "ask", origin: "world", quotes: ["agent"] })), "");
});

test("a card names its repository and branch, else who asks, else what kind of work it is", () => {
  useWords("en", { "card.asks": "{name} asks", "channel.research": "Research", "agent.is-claude-code": "Claude" });
  const shop = [{ path: "/home/me/shop", name: "shop", branch: "main" }];
  const where = (changes) => Object.values(placeOf(prediction("a", changes), shop)).join(" ").trim();
  assert.equal(where({ runs: { folder: "/home/me/shop/src" } }), "shop main");
  assert.equal(where({ runs: { folder: "/home/me/shopping" } }), "shopping");
  assert.equal(where({ runs: { folder: "", problem: "no tests" } }), "shop main");
  const both = [...shop, { path: "/home/me/blog", name: "blog", branch: "dev" }];
  const cannot = prediction("a", { runs: { folder: "", problem: "no tests" }, repository: "blog", branch: "dev" });
  assert.deepEqual(placeOf(cannot, both), { name: "blog", branch: "dev" }, "of several, also where nothing can be planned");
  assert.equal(where({ source: "ask" }), "Claude asks");
  assert.equal(where({ targetChannel: "research" }), "Research");
  assert.equal(where({ targetChannel: "mine" }), "mine");
});

test("how sure an idea is, is said only where something was learnt", () => {
  assert.equal(isGuess(prediction("a", { confidence: 0.71, confidenceLearnt: false })), false);
  assert.equal(isGuess(prediction("a", { confidence: 0.4, confidenceLearnt: true })), true);
  assert.equal(isGuess(prediction("a", { confidence: 1, source: "ask", confidenceLearnt: true })), false);
});

test("what the checks stopped is not among the recent work", () => {
  const cards = { a: card(prediction("a", { status: "cancelled", statusReason: "blocked" })) };
  assert.deepEqual(recentOf(model({ cards }), NOW), []);
});

test("a question goes to an agent of the person's, best to research, and to nobody where there is none", () => {
  const own = { agent: "playbook", channel: "research" };
  assert.equal(whoAnswers([own]), "");
  assert.equal(whoAnswers([own, { agent: "claude-code", channel: "koji-core" }]), "koji-core");
  assert.equal(whoAnswers([{ agent: "a", channel: "x" }, { agent: "a", channel: "research" }]), "research");
});

test("what could not be looked at stays as it was seen; what is gone goes", () => {
  const before = { repositories: [{ name: "shop" }] };
  assert.deepEqual(seenNow(before, { repositories: [], folders: [], problems: ["shop: it took too long"] }), { ...before, folders: [] });
  assert.deepEqual(seenNow(before, { repositories: [], folders: [], problems: [] }), { repositories: [], folders: [] });
});

test("of a repository only what is so is said", () => {
  useWords("en", { "repositories.changed.other": "{count} changed", "repositories.failed": "failed {at}", "repositories.untested.one": "{count} since" });
  const quiet = { changedFiles: 0, changedModules: 3, unpushed: null, lastTestRunAt: null, lastTestRunPassed: null, ci: "unknown" };
  assert.deepEqual(seenIn(quiet, NOW), ["repositories.clean"]);
  const busy = { ...quiet, changedFiles: 2, changedModules: 1, lastTestRunAt: at(-60 * 24 * 30), lastTestRunPassed: false };
  const said = seenIn(busy, NOW);
  assert.equal(said[0], "2 changed");
  assert.match(said[1], /^failed /);
  assert.equal(said[2], "1 since");
});

test("each command of a plan's line is code, and what is said of it is not", () => {
  const then = { command: "./.venv/bin/pytest", summary: "./.venv/bin/pytest in shop" };
  const plan = { command: "make", summary: "make in shop, then ./.venv/bin/pytest in shop", then };
  assert.deepEqual(runsParts(/** @type {any} */ (plan)), [
    ["make", true],
    [" in shop, then ", false],
    ["./.venv/bin/pytest", true],
    [" in shop", false],
  ]);
  useWords("de", { "worded.say.what_in_place": "{what} im Ordner {place}", "worded.say.whole_then_after": "{whole}, dann {after}" });
  const within = (/** @type {string} */ what) => ({ code: "say.what_in_place", values: { what, place: "shop" } });
  const german = { command: "make", summary: "make in shop, then true in shop", summaryWorded: { code: "say.whole_then_after", values: {}, parts: { whole: within("make"), after: within("true") } }, then: { command: "true", summary: "true in shop", summaryWorded: within("true"), then: null } };
  assert.deepEqual(runsParts(/** @type {any} */ (german)), [["make", true], [" im Ordner shop, dann ", false], ["true", true], [" im Ordner shop", false]]);
  useWords("en", {});
  assert.deepEqual(runsParts(/** @type {any} */ ({ command: "", summary: "Pulse's own tidy", then: null })), [["Pulse's own tidy", false]]);
});

test("in quiet hours a card that waits says what it waits for", () => {
  useWords("en", { "card.held-breakpoint": "waiting", "card.held-quiet": "no notification", "card.held-digest": "digest" });
  const words = (until) => heldWords(prediction("a", { held: { until } }));
  state.set({ status: { ...STATUS, quiet: true } });
  assert.deepEqual([words("breakpoint"), words("digest")], ["no notification", "digest"]);
  state.set({ status: STATUS });
  assert.equal(words("breakpoint"), "waiting");
  state.set({ status: null });
});

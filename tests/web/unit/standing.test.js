import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { awayIn, progressIn } from "../../../surfaces/web/page/js/views/standing.js";
import { useWords } from "../../../surfaces/web/page/js/words.js";

const AWAY = { since: "2026-03-01T10:00:00Z", until: "2026-03-01T13:00:00Z", alone: 2, failed: 0, approved: 1, rejected: 0, made: 3, waiting: 1 };
const LEARNING = { phase: "learning", answers: 9, row: 5, left: 0, needed: 16, allowed: 0 };

/** @param {string} language */
const speak = (language) => useWords(language, JSON.parse(readFileSync(`surfaces/web/page/words/${language}.json`, "utf8")));

test("what happened meanwhile is told in the page's language, and only what did", () => {
  speak("en");
  assert.equal(awayIn(AWAY), "While you were away (3 h): 2 done on autopilot, 3 new suggestions, 1 waiting.");
  speak("de");
  assert.equal(awayIn(AWAY), "Während du weg warst (3 h): 2 mit Autopilot erledigt, 3 neue Vorschläge, 1 wartet.");
});

test("the person's own answers are no news of their absence", () => {
  speak("en");
  assert.equal(awayIn({ ...AWAY, alone: 0, made: 0, waiting: 0, approved: 3, rejected: 1 }), "");
});

test("how far Pulse has come is told in the page's language", () => {
  speak("en");
  assert.equal(progressIn({ autonomous: true }), "");
  assert.match(progressIn({ progress: { ...LEARNING, phase: "new", left: 1 } }), /^Pulse asks about everything\. After 1 more answer it /);
  assert.match(progressIn({ progress: LEARNING, grants: 1 }), /^You gave 1 permission; Pulse asks about everything else\. After 16/);
  assert.match(progressIn({ progress: LEARNING, grants: 0 }), /After 16 approvals in a row .*; your longest streak so far is 5\.$/);
  assert.match(progressIn({ progress: { ...LEARNING, row: 0 } }), /it offers autopilot\.$/);
  assert.match(progressIn({ progress: { ...LEARNING, needed: 0 } }), /never offers autopilot\.$/);
  const trusted = { ...LEARNING, phase: "trusted", allowed: 2 };
  assert.equal(progressIn({ progress: trusted, autonomous: true }), "You allowed 2 things to run without asking.");
  assert.match(progressIn({ progress: trusted, autonomous: false }), /so Pulse asks about that, too\.$/);
  speak("de");
  assert.match(progressIn({ progress: LEARNING }), /^Pulse fragt bei allem nach\. Nach 16 Genehmigungen /);
  assert.match(progressIn({ progress: trusted, autonomous: true }), /^2 Dinge dürfen ohne Nachfrage laufen/);
});

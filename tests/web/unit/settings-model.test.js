import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { SECTIONS, isFound, wordsIn } from "../../../surfaces/web/page/js/views/settings-model.js";

test("the sections begin with what holds for everything, and none is there twice", () => {
  assert.equal(SECTIONS[0], "general");
  assert.equal(new Set(SECTIONS).size, SECTIONS.length);
});

test("every word has to be there, however it is written", () => {
  assert.ok(isFound(wordsIn("QUIET  hours"), "Quiet hours from 23:00"));
  assert.ok(!isFound(wordsIn("quiet days"), "Quiet hours from 23:00"));
  assert.deepEqual(wordsIn("   "), []);
});

test("a section is found by the words that people use for it", () => {
  const meant = {
    en: { devices: ["phone", "mobile", "smartphone", "sound", "notifications"], interruptions: ["sound", "notifications"], agents: ["agents", "claude"], general: ["pause"] },
    de: { devices: ["Handy", "Telefon", "Smartphone", "Ton", "Benachrichtigungen"], interruptions: ["Ton", "Benachrichtigung"], agents: ["Agenten", "Claude"], general: ["Pause"] },
  };
  for (const [language, sections] of Object.entries(meant)) {
    const words = JSON.parse(readFileSync(new URL(`../../../surfaces/web/page/words/${language}.json`, import.meta.url), "utf8"));
    for (const [section, terms] of Object.entries(sections)) for (const term of terms) assert.ok(isFound(wordsIn(term), words[`settings.${section}-also`]), `${language} ${section}: ${term}`);
    assert.ok(SECTIONS.every((section) => words[`settings.${section}-also`]));
  }
});

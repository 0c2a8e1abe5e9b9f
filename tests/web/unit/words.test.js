import assert from "node:assert/strict";
import { test } from "node:test";
import { has, lang, t, useWords } from "../../../surfaces/web/page/js/words.js";

const WORDS = { hello: "Hello {name}", "cards.one": "{count} card", "cards.other": "{count} cards" };

test("values take the place of their names, and stay text", () => {
  useWords("en", WORDS);
  assert.equal(lang(), "en");
  assert.equal(t("hello", { name: "<b>{name}</b>" }), "Hello <b>{name}</b>");
  assert.equal(t("hello"), "Hello {name}");
});

test("a count chooses the plural form of its language", () => {
  assert.equal(t("cards", { count: 1 }), "1 card");
  assert.equal(t("cards", { count: 1_200 }), "1,200 cards");
  useWords("pl", { "cards.few": "{count} karty", "cards.other": "{count} karty?" });
  assert.equal(t("cards", { count: 3 }), "3 karty");
  assert.equal(t("cards", { count: 1 }), "1 karty?");
});

test("what has no text is shown as its key", () => {
  useWords("en", WORDS);
  assert.equal(t("nothing.here"), "nothing.here");
  assert.equal(has("nothing.here"), false);
});

/** The configuration as it runs, and the one way to change it: the hub judges, and what it answers is what is shown. */

import { get, newKey, send, wordsOf } from "../api.js";
import { announce } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { notTaken } from "./controls-model.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").ConfigAnswer} ConfigAnswer */
/** @typedef {import("../types").ConfigPatch} ConfigPatch */
/** @typedef {{isTaken: boolean, message: string}} Outcome `message` is empty when the change was taken */

const CALM_MS = 400;

export class Desk {
  /** @param {ConfigAnswer} config */
  constructor(config) {
    this.config = config;
    /** @type {Set<(config: ConfigAnswer) => void>} */
    this.watchers = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.planned = undefined;
    this.asked = 0;
    this.taken = 0;
    this.unwatch = state.watch(({ status }) => status !== this.config.status && this.again());
  }

  /**
   * Read the configuration; what the page heard meanwhile may be newer than the answer, so it is read again.
   * @returns {Promise<Desk>}
   * @throws {import("../api.js").Problem | import("../api.js").Offline}
   */
  static async open() {
    const { status } = state.get();
    const desk = new Desk(await get("/crosspoll/config"));
    if (state.get().status !== status) desk.again();
    return desk;
  }

  /** Hear no more of the hub. */
  close() {
    clearTimeout(this.planned);
    this.unwatch();
    this.watchers.clear();
  }

  /**
   * Show the configuration now and after every change.
   * @param {(config: ConfigAnswer) => void} watcher
   */
  show(watcher) {
    this.watchers.add(watcher);
    watcher(this.config);
  }

  /**
   * Ask the hub for one change.
   * @param {Partial<ConfigPatch>} patch
   * @returns {Promise<Outcome>}
   */
  async change(patch) {
    const turn = ++this.asked;
    try {
      const answer = await send("PATCH", "/crosspoll/config", patch, { key: newKey() });
      this.take(turn, answer);
      const isTaken = notTaken(patch, answer).length === 0;
      if (isTaken) announce(t("controls.saved"));
      return { isTaken, message: isTaken ? "" : t("controls.not-taken", { reason: worded(answer.status.reasonWorded, answer.status.reason) }) };
    } catch (error) {
      return { isTaken: false, message: wordsOf(error) };
    }
  }

  /**
   * Pause acting alone, or go on.
   * @param {"pause" | "resume"} verb
   * @returns {Promise<Outcome>}
   */
  async steer(verb) {
    const turn = ++this.asked;
    try {
      const status = await send("POST", `/crosspoll/${verb}`, {}, { key: newKey() });
      this.take(turn, { ...this.config, status });
      return { isTaken: true, message: "" };
    } catch (error) {
      return { isTaken: false, message: wordsOf(error) };
    }
  }

  /**
   * Show what the hub answered; an answer that a later request has overtaken may be out of date, so it is asked for again.
   * @param {number} turn which request it answers
   * @param {ConfigAnswer} config
   */
  take(turn, config) {
    if (turn < this.taken) return this.again();
    this.taken = turn;
    this.config = config;
    if (state.get().status !== config.status) state.set({ status: config.status });
    clearTimeout(this.planned);
    this.planned = undefined;
    this.watchers.forEach((watcher) => watcher(config));
  }

  /** Somebody changed something elsewhere: read it again. */
  again() {
    this.planned ??= setTimeout(() => {
      this.planned = undefined;
      const turn = ++this.asked;
      get("/crosspoll/config").then(
        (config) => this.take(turn, config),
        () => {}, // the hub is away; the page says so by itself, and what it knows stays
      );
    }, CALM_MS);
  }
}

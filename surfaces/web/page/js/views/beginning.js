/**
 * How to begin: what is still to be set up, until it is done or put away. Where something waits or failed it is one row,
 * which unfolds.
 */

import { agentsLooked } from "../coding-agents.js";
import { SET_UP_HIDDEN_AS, h } from "../dom.js";
import { repositoriesLooked } from "../repositories.js";
import { deckOf } from "../state.js";
import { t } from "../words.js";

/** @typedef {import("../state.js").Model} Model */

/** Put the list away, with a way back. @param {() => void} tell */
async function hide(tell) {
  localStorage.setItem(SET_UP_HIDDEN_AS, "yes");
  tell();
  const { offer } = await import("./undo.js");
  offer(t("begin.hidden"), async () => {
    localStorage.removeItem(SET_UP_HIDDEN_AS);
    tell();
  });
}

export class Beginning {
  constructor() {
    this.root = h("section", { class: "begin panel", hidden: true, aria: { labelledby: "begin-title" } });
    /** Whether what stands beside the cards is known, so that nothing has to make room for it. */
    this.isRead = false;
    /** @type {import("./set-up.js").SetUpList | null} */
    this.list = null;
    /** @type {Set<() => void>} */
    this.watchers = new Set();
    void this.#load();
  }

  /** @param {() => void} watcher called when there is something else to show @returns {() => void} ends it */
  watch(watcher) {
    this.watchers.add(watcher);
    return () => {
      this.watchers.delete(watcher);
      if (!this.watchers.size) this.list?.end();
    };
  }

  /** @param {Model} model @param {boolean} isQuiet whether nothing failed and nothing runs */
  update(model, isQuiet) {
    const isFree = isQuiet && deckOf(model, Date.now()).length === 0;
    this.root.hidden = !this.isRead || !this.list || this.list.isDone() || localStorage.getItem(SET_UP_HIDDEN_AS) === "yes";
    if (this.root.hidden) this.list?.rest();
    else this.list?.draw(isFree);
  }

  async #load() {
    const tell = () => this.watchers.forEach((watcher) => watcher());
    try {
      const { SetUpList } = await import("./set-up.js");
      this.list = new SetUpList(this.root, tell, () => void hide(tell));
      await Promise.all([this.list.read(), agentsLooked, repositoriesLooked]);
    } catch {
      this.list = null; // the hub went away meanwhile: the page says so, and the next start begins again
    }
    this.isRead = true;
    tell();
  }
}

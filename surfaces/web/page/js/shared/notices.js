/**
 * From a push message to a notification, and from an answer to the one that replaces it. Pure: words come as an argument.
 * A plain script, so that the service worker and the tests can load it; it leaves `PulseNotices`.
 */

(() => {
  const LANG = /^[a-z]{2,3}$/;
  const ENDINGS = new Set(["prediction.settled", "prediction.snoozed", "prediction.expired"]);
  const BUTTONS_MAX = 2;
  const CHOICE = "choice-";
  const BADGE = "/app/icons/badge-96.png";

  /** @param {any} message @returns {string} the language of a push message, `en` when it has none */
  function langOf(message) {
    const lang = message?.notification?.data?.lang ?? message?.notification?.lang;
    return typeof lang === "string" && LANG.test(lang) ? lang : "en";
  }

  /**
   * What to show for a push message; one that cannot be read still shows something, for every push must.
   * @param {any} message
   * @param {Say} say
   * @param {number} [buttonsMax] how many buttons this browser shows
   * @returns {Notice}
   */
  function noticeOf(message, say, buttonsMax = BUTTONS_MAX) {
    const note = message?.notification;
    if (typeof note?.title !== "string" || !note.title) {
      return { title: say("push.something"), options: { ...looks("pulse", true), data: { cardId: "" } }, badge: null };
    }
    const data = note.data ?? { cardId: "" };
    const isSilent = note.silent === true;
    const options = {
      ...looks(tagOf(message), isSilent),
      body: String(note.body ?? ""),
      lang: langOf(message),
      dir: "auto",
      data,
      actions: actionsFor(data, say).slice(0, buttonsMax),
      renotify: !isSilent,
      requireInteraction: data.loudness === "alert",
      timestamp: Date.parse(data.at) || undefined,
    };
    const badge = note.app_badge ?? message.app_badge;
    return { title: note.title, options, badge: Number.isInteger(badge) && badge >= 0 ? badge : null };
  }

  /** @param {any} message @returns {string} what it is about: a later notification with the same tag replaces it in place */
  function tagOf(message) {
    return String(message?.notification?.tag ?? "pulse");
  }

  /**
   * At most `BUTTONS_MAX`, for browsers show no more. Approve is offered for what is neither risky nor hidden; a
   * question has its choices where both fit, and else leads to the page.
   * @param {Partial<NoticeData>} data
   * @param {Say} say
   */
  function actionsFor(data, say) {
    const verbs = data.verbs ?? [];
    const has = (/** @type {string} */ verb) => verbs.includes(verb);
    const button = (/** @type {string} */ action) => ({ action, title: say(`push.${action}`) });
    if (!data.token) return data.asks ? [button("answer")] : [];
    if (data.asks) return [...choiceButtons(data), button("answer"), button("reject")].filter(({ action }) => action !== "reject" || has("reject"));
    if (has("approve") && has("reject") && data.risk !== "high") return [button("approve"), button("reject")];
    if (has("reject")) return [button("open"), button("reject")];
    if (has("stop")) return [button("stop"), button("open")];
    if (has("retry") && data.risk !== "high") return [button("retry"), button("open")];
    if (has("undo")) return [button("undo"), button("open")];
    return [];
  }

  /** @param {Partial<NoticeData>} data */
  function choiceButtons({ choices = [] }) {
    return choices.map(({ label, title = label }, place) => ({ action: `${CHOICE}${place}`, title }));
  }

  /**
   * The answer that a button gives to a question.
   * @param {Partial<NoticeData>} data
   * @param {string} action
   */
  function choiceOf({ choices = [] }, action) {
    return choices.find((_, place) => action === `${CHOICE}${place}`);
  }

  /**
   * What replaces a notification once its button was pressed.
   * @param {{title: string, body: string, data: NoticeData}} shown
   * @param {string} kind `sending`, `queued`, `refused`, `expired`, `answer`, or the verb that was taken
   * @param {Say} say
   * @param {string} [detail] the hub's own words
   * @param {number} [buttonsMax] how many buttons this browser shows
   * @returns {Notice}
   */
  function outcomeNotice(shown, kind, say, detail = "", buttonsMax = BUTTONS_MAX) {
    const isOver = kind !== "refused" && kind !== "queued";
    const data = { ...shown.data, token: "", verbs: [], event: `answer.${kind}` }; // its time stays the hub's: clocks differ
    const options = {
      ...looks(shown.data.cardId || "pulse", true),
      body: [detail, shown.body].filter(Boolean).join("\n"),
      lang: shown.data.lang,
      dir: "auto",
      data,
      actions: isOver ? [] : [{ action: "open", title: say("push.open") }].slice(0, buttonsMax),
    };
    return { title: say(`push.told-${kind}`), options, badge: null };
  }

  /**
   * Whether a message was said before the one that is shown: pushes may overtake each other.
   * @param {NoticeData} incoming
   * @param {NoticeData} shown
   */
  function isOlder(incoming, shown) {
    return Date.parse(incoming?.at) < Date.parse(shown?.at);
  }

  /**
   * Whether it tells something new. That a card is settled is of no use to somebody who has put its notification away.
   * @param {NoticeData} data
   */
  function isNews(data) {
    return !ENDINGS.has(data.event);
  }

  /** @param {Record<string, string>} words @returns {Say} */
  function sayFrom(words) {
    return (key, values = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  }

  /** @param {string} tag @param {boolean} isSilent */
  function looks(tag, isSilent) {
    return { tag, badge: BADGE, silent: isSilent };
  }

  globalThis.PulseNotices = { langOf, tagOf, noticeOf, choiceOf, outcomeNotice, isOlder, isNews, sayFrom };
})();

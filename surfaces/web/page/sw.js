/**
 * The service worker: keeps the page for times without a network, shows what is pushed, answers from a notification's
 * buttons without opening the page, and sends what waited. A classic script, for not every Firefox has module workers.
 */
/* global PulseAddress, PulseNotices, PulseOutbox, PulseSession, PulseShelf, PulseStore */

/** @type {ServiceWorkerGlobalScope} */
const worker = /** @type {any} */ (self);
const PARTS = ["session", "outbox", "notices", "address", "begun", "shelf"].map((name) => `/app/js/shared/${name}.js`);
const VERBS = new Set(["approve", "reject", "stop", "undo", "retry"]);
const OUTCOME_MS = 4_000;
const GLIMPSE_MS = 500;
const PUT_AWAY_MAX = 200;
const SESSION = "/api/v1/session";
/** A browser that shows no buttons says 0, or has no such number. There the text alone leads to the card. */
const BUTTONS_MAX = /** @type {any} */ (self).Notification?.maxActions ?? 0;
/** @type {Set<string>} deliveries whose notification we have closed or replaced: no person has put those away */
const putAway = new Set();

importScripts(...PARTS.map(trusted));

worker.addEventListener("install", (event) => event.waitUntil(installed()));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", onFetch);
worker.addEventListener("push", (event) => event.waitUntil(onPush(event)));
worker.addEventListener("notificationclick", (event) => event.waitUntil(onClick(event)));
worker.addEventListener("notificationclose", (event) => event.waitUntil(onClose(event.notification)));
worker.addEventListener("pushsubscriptionchange", (event) => /** @type {any} */ (event).waitUntil(onSubscriptionChange(event)));
worker.addEventListener("sync", (event) => /** @type {any} */ (event).waitUntil(sendWaiting()));
worker.addEventListener("message", (event) => event.waitUntil(onMessage(event)));

/**
 * The page's policy lets no script address be made from text; these few are ours.
 * @param {string} path
 * @returns {string}
 */
function trusted(path) {
  const types = /** @type {any} */ (self).trustedTypes;
  return types ? types.createPolicy(`pulse-${path.split("/").at(-1)}`, { createScriptURL: () => path }).createScriptURL("") : path;
}

/** @param {ExtendableMessageEvent} event */
async function onMessage({ data, ports }) {
  if (data?.type === "pulse:send") await sendWaiting();
  if (data?.type !== "pulse:fill") return;
  await PulseShelf.fill().catch(() => {}); // away: the page says all the same that it is older
  ports[0]?.postMessage("filled");
}

async function installed() {
  await PulseShelf.fill().catch(() => {}); // without it the page only needs its network
  await worker.skipWaiting();
}

/** @param {FetchEvent} event */
function onFetch(event) {
  const { request } = event;
  if (request.method === "DELETE" && new URL(request.url).pathname === SESSION) return event.respondWith(signOut(request));
  const answer = PulseShelf.answer(request, event);
  if (answer) event.respondWith(answer);
}

/** Whoever signs out here is notified here no more, and leaves nothing behind. @param {Request} request */
async function signOut(request) {
  const answer = await fetch(request);
  if (answer.ok) {
    const subscription = await worker.registration.pushManager?.getSubscription();
    const shown = await worker.registration.getNotifications();
    shown.forEach((one) => one.close());
    await Promise.allSettled([subscription?.unsubscribe(), PulseStore.clear(), PulseSession.forget(), badge(0)]);
  }
  return answer;
}

/** Every push shows something: Safari ends a subscription whose pushes do not. @param {PushEvent} event */
async function onPush(event) {
  const message = messageOf(event);
  const [words, [shown]] = await Promise.all([
    PulseShelf.words(PulseNotices.langOf(message)),
    worker.registration.getNotifications({ tag: PulseNotices.tagOf(message) }),
    PulseShelf.icon(),
  ]);
  const notice = PulseNotices.noticeOf(message, PulseNotices.sayFrom(words), BUTTONS_MAX);
  const { data, tag } = notice.options;
  if (shown && PulseNotices.isOlder(data, shown.data)) return showAgain(shown);
  remember(shown);
  await show(notice);
  await report(data, "shown");
  if (!shown && !PulseNotices.isNews(data)) await closeAfter(tag, data, GLIMPSE_MS);
  await sendWaiting().catch(() => {}); // the hub was there a moment ago
}

/** @param {PushEvent} event @returns {any} null when it cannot be read */
function messageOf(event) {
  try {
    return event.data?.json() ?? null;
  } catch {
    return null;
  }
}

/** @param {Notice} notice */
async function show({ title, options, badge: count }) {
  const icon = await PulseShelf.icon();
  await worker.registration.showNotification(title, icon ? { ...options, icon } : options);
  if (count !== null) await badge(count);
}

/** A push that was overtaken by a later one leaves that as it is. @param {Notification} shown */
async function showAgain(shown) {
  const { title, tag, body, data, lang, dir, icon } = shown;
  const actions = /** @type {any} */ (shown).actions ?? [];
  await worker.registration.showNotification(title, /** @type {any} */ ({ tag, body, data, lang, dir, icon, actions, silent: true }));
}

/** What we close or replace ourselves was put away by nobody. @param {Notification} [notification] */
function remember(notification) {
  const id = notification?.data?.deliveryId;
  if (!id) return;
  if (putAway.size >= PUT_AWAY_MAX) putAway.clear();
  putAway.add(id);
}

/** Some browsers say this of what was replaced, too. @param {Notification} notification */
async function onClose({ data }) {
  if (!putAway.has(data?.deliveryId)) await report(data, "cleared");
}

/** @param {number} count */
async function badge(count) {
  const device = /** @type {any} */ (navigator);
  await (count ? device.setAppBadge?.(count) : device.clearAppBadge?.())?.catch(() => {}); // only installed apps have one
}

/** @param {NotificationEvent} event */
async function onClick({ notification, action }) {
  const data = notification.data ?? {};
  remember(notification); // most systems close it by themselves, which is not putting it away
  const choice = PulseNotices.choiceOf(data, action);
  if (!choice && !VERBS.has(action)) {
    notification.close();
    await Promise.all([openPage(data.cardId), report(data, "shown", "opened")]);
    return;
  }
  const answer = choice ? answerOf(notification, "approve", choice) : answerOf(notification, action);
  const sent = PulseOutbox.post(answer.path, answer.body, answer.key).catch(() => null);
  notification.close();
  const say = PulseNotices.sayFrom(await PulseShelf.words(data.lang ?? "en"));
  const shown = { title: notification.title, body: notification.body, data };
  const [kind, detail] = await kindOf(await sent, answer);
  const notice = PulseNotices.outcomeNotice(shown, kind, say, detail, BUTTONS_MAX);
  await show(notice);
  if (kind === toldOf(answer)) {
    await report(data, "acted");
    await closeAfter(notice.options.tag, notice.options.data, OUTCOME_MS);
  }
}

/**
 * What a button says, good for as long as the card is.
 * @param {Notification} notification
 * @param {string} verb
 * @param {{question: string, label: string}} [choice]
 * @returns {KeptAnswer}
 */
function answerOf({ body, data }, verb, choice) {
  const [key, now] = [crypto.randomUUID(), new Date()];
  const permission = choice ? { permission: { answers: { [choice.question]: [choice.label] } } } : {};
  const said = { token: data.token, decisionId: key, verb, humanInput: "tap", at: now.toISOString(), shown: body, ...permission };
  const { cardId, cardHash } = data;
  const expiresAt = Date.parse(data.expiresAt);
  return { key, at: now.getTime(), expiresAt, path: "/actions", body: said, verb, cardId, cardHash, text: body };
}

/**
 * @param {{ok: boolean, status: number, document: any} | null} reply null: the hub is away
 * @param {KeptAnswer} answer
 * @returns {Promise<[string, string]>} what to say about it, and the hub's own words
 */
async function kindOf(reply, answer) {
  if (reply?.ok) return [toldOf(answer), ""];
  if (reply && reply.status < 500) return ["refused", reply.document?.detail ?? ""];
  await PulseOutbox.keep(answer);
  await /** @type {any} */ (worker.registration).sync?.register(PulseOutbox.TAG).catch(() => {}); // else the page sends it
  return ["queued", ""];
}

/** What a taken answer is called: that to a question is no yes. @param {KeptAnswer} answer */
function toldOf({ verb, body }) {
  return "permission" in body ? "answer" : verb;
}

/** Send what waited, and say what became of it: in an open page, else as notifications. */
async function sendWaiting() {
  const told = await PulseOutbox.flush();
  if (!told.length) return;
  const pages = await worker.clients.matchAll({ type: "window" });
  pages.forEach((page) => page.postMessage({ type: "pulse:sent", told }));
  if (!pages.length) await Promise.all(told.map(tellByNotification));
}

/** @param {SentAnswer} sent */
async function tellByNotification({ kind, answer, message }) {
  const lang = (await PulseStore.get("facts", "device"))?.lang ?? "en";
  const say = PulseNotices.sayFrom(await PulseShelf.words(lang));
  const data = /** @type {any} */ ({ cardId: answer.cardId, cardHash: answer.cardHash, lang });
  const shown = { title: "", body: answer.text, data };
  await show(PulseNotices.outcomeNotice(shown, kind === "sent" ? toldOf(answer) : kind, say, message, BUTTONS_MAX));
}

/** Close a notification after a while, unless another has taken its place. @param {string} tag @param {NoticeData} data @param {number} afterMs */
async function closeAfter(tag, data, afterMs) {
  await new Promise((done) => {
    setTimeout(done, afterMs);
  });
  const shown = await worker.registration.getNotifications({ tag });
  const ours = shown.filter((one) => one.data?.at === data.at && one.data?.event === data.event);
  ours.forEach((one) => (remember(one), one.close()));
}

/** Bring the page to the front, on this card. @param {string} [card] */
async function openPage(card) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => one.visibilityState === "visible") ?? pages[0];
  if (page) {
    page.postMessage({ type: "pulse:open", card });
    const front = await page.focus().catch(() => null);
    if (front) return;
  }
  await worker.clients.openWindow(card ? `/#card=${encodeURIComponent(card)}` : "/");
}

/**
 * Tell the ledger what became of a delivery. What is lost stays unknown there, which is honest.
 * @param {Partial<NoticeData> | null} data
 * @param {"shown" | "acted" | "cleared"} state
 * @param {string} [detail]
 */
async function report(data, state, detail = "") {
  if (!data?.deliveryId) return;
  const receipt = { deliveryId: data.deliveryId, state, at: new Date().toISOString(), detail };
  await PulseOutbox.post("/receipts", receipt).catch(() => {}); // see above
}

/** The browser has changed its subscription, or its push service has ended it. @param {any} event */
async function onSubscriptionChange(event) {
  const device = await PulseStore.get("facts", "device");
  if (!device) return;
  const applicationServerKey = PulseAddress.bytesOf(device.vapidKey);
  const fresh = event.newSubscription ?? (await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  await PulseAddress.register(fresh, device.device, device.lang);
}

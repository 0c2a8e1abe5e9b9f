// The official JavaScript client as another agent: says what it hears, one line of JSON each.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [, , sdk, url, token] = process.argv;
const { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } = await import(pathToFileURL(sdk).href);
const fetchImpl = (address, options = {}) => {
  const headers = new Headers(options.headers);
  headers.set("Authorization", `Bearer ${token}`);
  return fetch(address, { ...options, headers });
};
const transports = [new JsonRpcTransportFactory({ fetchImpl })];
const client = await new ClientFactory(
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports }),
).createFromUrl(url);
const tell = (name, value) => console.log(JSON.stringify({ name, value }));
const part = (kind, value) => ({ content: { $case: kind, value }, metadata: undefined, filename: "", mediaType: "" });
const say = (text, more = {}) => ({
  message: {
    messageId: crypto.randomUUID(), role: 1, taskId: more.taskId ?? "", contextId: more.contextId ?? "",
    parts: [part("text", text), part("data", { options: ["Yes", "No"] })], extensions: [], referenceTaskIds: [],
  },
  tenant: "",
  configuration: { returnImmediately: more.atOnce ?? false, acceptedOutputModes: [] },
});
const refusal = (call) => call.then(() => "none", (error) => error.constructor.name);

const empty = await client.sendMessage(say(" "));
const later = await client.sendMessage(say("Tidy up?", { taskId: empty.id, contextId: empty.contextId, atOnce: true }));
tell("input", [empty.status.state, later.id === empty.id, later.status.state]);
const gone = await client.cancelTask({ id: later.id, tenant: "" });
tell("cancel", [gone.status.state, await refusal(client.cancelTask({ id: later.id, tenant: "" }))]);
tell("unknown", await refusal(client.getTask({ id: "nope", tenant: "" })));
tell("asking", "Deploy?");
tell("answer", await client.sendMessage(say("Deploy?")));
let shipped;
for await (const one of client.sendMessageStream(say("Ship it?"))) {
  tell(one.payload.$case, one.payload.value);
  shipped ??= one.payload.value.id;
}
const list = (more) =>
  client.listTasks({ tenant: "", contextId: "", status: 0, pageToken: "", statusTimestampAfter: undefined, ...more });
const first = await list({ pageSize: 2, includeArtifacts: true });
const second = await list({ pageSize: 2, pageToken: first.nextPageToken });
tell("page", first);
tell("page", second);
tell("shipped", shipped);
const completed = await list({ status: 3 });
const here1 = await list({ contextId: later.contextId, historyLength: 0 });
tell("listed", [
  completed.tasks.map((one) => one.status.state), completed.tasks[0].artifacts.length, here1.tasks.length,
  here1.tasks[0].history.length,
]);

const told = Promise.withResolvers?.() ?? (() => {
  const parts = {};
  parts.promise = new Promise((resolve) => { parts.resolve = resolve; });
  return parts;
})();
const listener = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => { body += chunk; });
  request.on("end", () => {
    response.end();
    told.resolve([request.headers["authorization"], request.headers["x-a2a-notification-token"], JSON.parse(body)]);
  });
});
await new Promise((done) => listener.listen(0, "127.0.0.1", done));
const here = `http://127.0.0.1:${listener.address().port}/told`;
const asked = say("Release?", { atOnce: true });
asked.configuration.taskPushNotificationConfig = {
  tenant: "", id: "", taskId: "", url: here, token: "mine", authentication: { scheme: "Bearer", credentials: "secret" },
};
const task = await client.sendMessage(asked);
const push = (id, url) => ({ tenant: "", id, taskId: task.id, url, token: "", authentication: undefined });
const made = await client.createTaskPushNotificationConfig(push("second", `${here}/second`));
const read = await client.getTaskPushNotificationConfig({ tenant: "", taskId: task.id, id: made.id });
const all = { tenant: "", taskId: task.id, pageSize: 0, pageToken: "" };
const before = (await client.listTaskPushNotificationConfig(all)).configs.length;
await client.deleteTaskPushNotificationConfig({ tenant: "", taskId: task.id, id: made.id });
await client.deleteTaskPushNotificationConfig({ tenant: "", taskId: task.id, id: made.id });
const left = (await client.listTaskPushNotificationConfig(all)).configs;
tell("configs", [made.id, read.url === `${here}/second`, before, left.length, left[0].url === here, left[0].token]);
tell("elsewhere", await refusal(client.createTaskPushNotificationConfig(push("x", "https://example.org/"))));
tell("releasing", "Release?");
tell("told", await told.promise);
listener.close();
listener.closeAllConnections();

// The official JavaScript client as another agent: says what it hears, one line of JSON each.
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
for await (const one of client.sendMessageStream(say("Ship it?"))) {
  tell(one.payload.$case, one.payload.value);
}

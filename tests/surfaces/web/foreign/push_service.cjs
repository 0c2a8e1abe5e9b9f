// npm web-push-testing, a push service that somebody else wrote, on loopback only. Argument: the port. It ends with its input.
const { PushApiModel } = require("web-push-testing/src/PushApiModel.js");
const Server = require("web-push-testing/src/server.js");

const port = Number(process.argv[2]);
const server = new Server(new PushApiModel(), port);
server._app.listen = new Proxy(server._app.listen, {
  apply: (listen, app, [wanted, ready]) => Reflect.apply(listen, app, [wanted, "127.0.0.1", ready]),
});
server.startServer();
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));

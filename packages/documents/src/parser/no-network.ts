// Loaded first in every thread of the parser. Makes Node's network functions throw, because this
// version's permissions do not cover the network and not every machine allows network namespaces.
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import threads from "node:worker_threads";

function refuse(): never {
  throw Object.assign(new Error("A parser has no network."), { code: "ERR_ACCESS_DENIED" });
}

function refuseAll(owner: object): void {
  for (const name of Object.getOwnPropertyNames(owner)) {
    const { value, writable } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    if (
      typeof value === "function" &&
      writable &&
      /^(?:connect|listen|bind|send|lookup|resolve|reverse)/.test(name)
    )
      replace(owner, name, refuse);
  }
}

/** Ignores `execArgv`, so that every new thread loads this file too. */
class RestrictedWorker extends threads.Worker {
  constructor(file: string | URL, { execArgv: _, ...options }: threads.WorkerOptions = {}) {
    super(file, options);
  }
}

function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: false, configurable: false });
}

replace(threads.Worker.prototype, "constructor", RestrictedWorker);
replace(threads, "Worker", RestrictedWorker);
replace(process, "kill", refuse);
for (const [owner, name] of [
  [net, "_createServerHandle"],
  [dgram, "_createSocketHandle"],
] as const)
  replace(owner, name, refuse);
for (const owner of [
  net.Socket.prototype,
  net.Server.prototype,
  dgram.Socket.prototype,
  dns,
  dns.Resolver.prototype,
  dns.promises,
  dns.promises.Resolver.prototype,
])
  refuseAll(owner);
syncBuiltinESMExports();

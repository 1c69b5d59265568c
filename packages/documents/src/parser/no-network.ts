// Loaded before all else in every thread of the parser: what Node offers to reach others with refuses. Node's permissions of this
// version do not cover the network, and not every machine lets a process be cut off from it.
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

function refuse(): never {
  throw Object.assign(new Error("A parser has no network."), { code: "ERR_ACCESS_DENIED" });
}

function refuseAll(owner: object): void {
  for (const name of Object.getOwnPropertyNames(owner)) {
    const { value, writable } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    if (typeof value === "function" && writable && /^(?:connect|listen|bind|send|lookup|resolve|reverse)/.test(name)) Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
  }
}

for (const owner of [net.Socket.prototype, net.Server.prototype, dgram.Socket.prototype, dns, dns.Resolver.prototype, dns.promises, dns.promises.Resolver.prototype]) refuseAll(owner);
syncBuiltinESMExports();

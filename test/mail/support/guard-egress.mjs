// Loaded with --import before anything else. Records every connection and every name lookup, at the
// level of sockets, into the file that `log` names in this module's URL.
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import net from "node:net";

const file = new URL(import.meta.url).searchParams.get("log");
const record = (kind, where) => appendFileSync(file, `${JSON.stringify({ kind, where })}\n`);

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function guarded(...args) {
  // Node's own callers pass normalized arguments as one array.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const isPath = typeof first === "string" && Number.isNaN(Number(first));
  const { path, host } =
    typeof first === "object" && first !== null
      ? first
      : isPath
        ? { path: first }
        : { host: second };
  record("connect", path ?? (typeof host === "string" ? host : "localhost"));
  return connect.apply(this, args);
};

for (const owner of [dns, dns.promises]) {
  for (const name of [
    "lookup",
    "resolve",
    "resolve4",
    "resolve6",
    "resolveAny",
    "resolveCname",
    "resolveMx",
    "resolveSrv",
    "resolveTxt",
  ]) {
    const original = owner[name];
    owner[name] = function guarded(host, ...rest) {
      record("lookup", String(host));
      return original.call(this, host, ...rest);
    };
  }
}

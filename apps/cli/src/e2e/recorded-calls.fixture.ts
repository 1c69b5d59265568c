// Given to Node by --import: tells on standard error, at the end, which programs were started and
// which addresses were connected to.
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const calls: string[] = [];
for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]) {
  const original: unknown = Reflect.get(childProcess, name);
  if (typeof original !== "function") continue;
  Reflect.set(childProcess, name, (...args: unknown[]) => {
    calls.push(`${name} ${JSON.stringify(args.slice(0, 2))}`);
    return Reflect.apply(original, childProcess, args) as unknown;
  });
}
const connect: unknown = Reflect.get(net.Socket.prototype, "connect");
Reflect.set(net.Socket.prototype, "connect", function (this: net.Socket, ...args: unknown[]) {
  calls.push(`connect ${JSON.stringify(args[0], ["host", "port", "path", "0"])}`);
  return typeof connect === "function" ? (Reflect.apply(connect, this, args) as unknown) : this;
});
syncBuiltinESMExports();
process.on("exit", () => process.stderr.write(`calls: ${JSON.stringify(calls)}\n`));

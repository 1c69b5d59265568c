import { BronError } from "@bron/core";
import { isIPv4, isIPv6 } from "node:net";

/** Throws config_invalid: only the owner of this machine can sign in, so nobody else is let near. */
export function refuseBeyondLoopback(host: string): void {
  if (isLoopback(host)) return;
  throw new BronError(
    "config_invalid",
    `HOST ${host} can be reached from other machines, and only the owner of this one can sign in: use 127.0.0.1, ::1 or localhost.`,
    { details: { host } },
  );
}

function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith("127.");
  if (isIPv6(host)) return !host.includes("%") && new URL(`http://[${host}]`).hostname === "[::1]";
  return host.toLowerCase() === "localhost";
}

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Against DNS rebinding: a page elsewhere can point its own name at this machine, but not name it as we do. */
export function isOwnHost(header: string | undefined, port: number): boolean {
  const parts = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:[\]]+))(?::(?<port>\d{1,5}))?$/.exec(
    header ?? "",
  )?.groups;
  return (
    parts !== undefined &&
    isLoopback(parts["v6"] ?? parts["name"] ?? "") &&
    Number(parts["port"] ?? 80) === port
  );
}

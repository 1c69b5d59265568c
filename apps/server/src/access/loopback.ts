import { BronError } from "@bron/core";
import { isIPv4, isIPv6 } from "node:net";

/**
 * Throws config_invalid for other hosts, because without a public URL only the owner of this
 * machine can sign in.
 */
export function refuseBeyondLoopback(host: string): void {
  if (isLoopback(host)) return;
  throw new BronError(
    "config_invalid",
    `HOST ${host} is reachable from other machines, but only the owner of this machine can sign in. Use 127.0.0.1, ::1 or localhost.`,
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

/**
 * Protects against DNS rebinding: another site can point its own name at this machine, but cannot
 * use ours.
 */
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

import { BronError } from "@bron/core";
import type { RateName, RateSettings } from "@bron/protocol";
import type { RuntimeWithAccess } from "@bron/runtime";
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { RequestRefused } from "../request-refused.ts";

export interface TurnRequest {
  readonly name: RateName;
  readonly ownerId: string | undefined;
  readonly incoming: IncomingMessage;
  /** Default: 1. */
  readonly count?: number;
}

export interface Rates {
  /**
   * Takes all turns or none. Throws rate_limited with the time to wait, or too_large if `count`
   * exceeds the limit itself.
   */
  take(request: TurnRequest): Promise<void>;
  /** Returns turns that should not count after all. */
  refund(request: TurnRequest): Promise<void>;
}

const windowMs = 60_000;

interface RatesDeps {
  readonly runtime: Pick<RuntimeWithAccess, "rates">;
  readonly settings: RateSettings;
  /** Whether a proxy in front of the server reports the client's address. */
  readonly behindProxy: boolean;
}

export function createRates({ runtime, settings, behindProxy }: RatesDeps): Rates {
  const turnsOf = ({ name, ownerId, incoming }: TurnRequest) => {
    const { perUser, perAddress } = settings[name];
    return [
      ...(ownerId === undefined
        ? []
        : [{ key: `${name}:user:${digest(ownerId)}`, limit: perUser, windowMs }]),
      {
        key: `${name}:address:${digest(addressOf(incoming, behindProxy))}`,
        limit: perAddress,
        windowMs,
      },
    ].filter(({ limit }) => limit > 0);
  };
  return {
    async take(request) {
      const [turns, count] = [turnsOf(request), request.count ?? 1];
      if (turns.length === 0 || count === 0) return;
      const taken = await runtime.rates.take(turns, count);
      if (taken.ok) return;
      const limit = Math.min(...turns.map((turn) => turn.limit));
      if (taken.retryAfterMs === Number.POSITIVE_INFINITY)
        throw new BronError(
          "too_large",
          `This batch has ${count} decisions. The limit is ${limit} per minute. Send a smaller batch.`,
        );
      const seconds = Math.max(1, Math.ceil(taken.retryAfterMs / 1_000));
      throw new RequestRefused(
        "rate_limited",
        `Slow down a little. You can try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
        {
          "retry-after": String(seconds),
        },
      );
    },
    async refund(request) {
      const [turns, count] = [turnsOf(request), request.count ?? 1];
      if (turns.length > 0 && count > 0)
        await runtime.rates.refund(
          turns.map(({ key }) => key),
          count,
        );
    },
  };
}

/**
 * Behind a proxy, only the last entry of the header can be trusted. A client can forge the entries
 * before it.
 */
function addressOf({ headers, socket }: IncomingMessage, behindProxy: boolean): string {
  const forwarded = behindProxy
    ? String(headers["x-forwarded-for"] ?? "")
        .split(",")
        .at(-1)
        ?.trim()
    : undefined;
  return networkOf(withoutPort(forwarded || (socket.remoteAddress ?? "")));
}

/** Removes the client's port, which some proxies add and which differs for each connection. */
function withoutPort(entry: string): string {
  const { v6, v4 } = /^(?:\[(?<v6>[^\]]*)\](?::\d+)?|(?<v4>[^:]*):\d+)$/.exec(entry)?.groups ?? {};
  if (v6 !== undefined && isIPv6(v6)) return v6;
  return v4 !== undefined && isIPv4(v4) ? v4 : entry;
}

/** Groups IPv6 addresses by /64, because one household usually has a complete /64. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const first = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const all = [
    ...first,
    ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0"),
    ...last,
  ];
  return all
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

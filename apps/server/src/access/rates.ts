import type { RateName, RateSettings } from "@bron/protocol";
import type { Bron } from "bron";
import type { IncomingMessage } from "node:http";
import { RequestRefused } from "../request-refused.ts";
import { createHash } from "node:crypto";

export interface Rates {
  /** Throws rate_limited with the time to wait. */
  take(name: RateName, ownerId: string | undefined, incoming: IncomingMessage): Promise<void>;
}

const windowMs = 60_000;

export interface RatesParts {
  readonly bron: Pick<Bron, "rates">;
  readonly settings: RateSettings;
  /** Whether a proxy in front says where requests come from. */
  readonly behindProxy: boolean;
}

export function createRates({ bron, settings, behindProxy }: RatesParts): Rates {
  return {
    async take(name, ownerId, incoming) {
      const { perUser, perAddress } = settings[name];
      const turns = [
        ...(ownerId === undefined ? [] : [{ key: `${name}:user:${digest(ownerId)}`, limit: perUser, windowMs }]),
        { key: `${name}:address:${digest(addressOf(incoming, behindProxy))}`, limit: perAddress, windowMs },
      ].filter(({ limit }) => limit > 0);
      if (turns.length === 0) return;
      const taken = await bron.rates.take(turns);
      if (taken.ok) return;
      const seconds = Math.max(1, Math.ceil(taken.retryAfterMs / 1_000));
      throw new RequestRefused("rate_limited", `Too many at once: try again in ${seconds} s.`, { "retry-after": String(seconds) });
    },
  };
}

/** Behind a proxy the last entry is what that proxy saw; what stands before it anybody can write. */
function addressOf({ headers, socket }: IncomingMessage, behindProxy: boolean): string {
  const forwarded = behindProxy ? String(headers["x-forwarded-for"] ?? "").split(",").at(-1)?.trim() : undefined;
  return networkOf(forwarded || (socket.remoteAddress ?? ""));
}

/** One household has a whole /64 of IPv6 addresses. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const first = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const all = [...first, ...Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0"), ...last];
  return all.slice(0, 4).map((part) => part.replace(/^0+(?=.)/, "")).join(":");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

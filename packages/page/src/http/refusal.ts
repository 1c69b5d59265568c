import type { PageError } from "../wire.ts";

/** A request that is not carried out. No model was called and no action has run. */
export interface Refusal extends PageError {
  readonly status: number;
}

const table = {
  invalid_request: [400, "This request can't be read."],
  invalid_state: [400, "This conversation can't be continued. Start a new one."],
  expired_state: [410, "This conversation has expired. Start a new one."],
  used_state: [409, "This step has already been taken."],
  unknown_call: [409, "These are not the results that are waited for."],
  unknown_site: [404, "There is no such site."],
  wrong_origin: [403, "This page may not use the chat."],
  site_off: [503, "The chat is switched off."],
  too_large: [413, "This is too long."],
  rate_limited: [429, "Too many messages. Wait a moment."],
  cap_reached: [429, "The chat has reached its limit for today. Try again tomorrow."],
  model_unavailable: [503, "The assistant can't be reached. Try again."],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalCode = keyof typeof table;

export function refuse(
  code: RefusalCode,
  more: Partial<Pick<Refusal, "message" | "retryAfterMs">> = {},
): Refusal {
  const [status, message] = table[code];
  return { status, code, message, ...more };
}

export function isRefusal(value: object): value is Refusal {
  return (
    "status" in value &&
    "code" in value &&
    "message" in value &&
    Object.hasOwn(table, String(value.code))
  );
}

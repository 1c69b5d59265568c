import type { JsonValue } from "@bron/protocol";
import { isPost, notifiedBy, targetOf } from "./prepared-post.ts";

export interface PreparedMail {
  readonly account: string;
  readonly from: string;
  readonly replyTo: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  readonly bodyText: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly sizeBytes: number;
    readonly digest: string;
  }[];
  readonly raw: string;
}

export function isMail(value: JsonValue): value is JsonValue & PreparedMail {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return (
    ["replyTo", "to", "cc", "bcc", "attachments"].every((name) => Array.isArray(value[name])) &&
    ["account", "from", "subject", "bodyText", "raw"].every(
      (name) => typeof value[name] === "string",
    )
  );
}

/** The recipients or targets of a prepared effect, for a list. */
export function recipientsOf(prepared: JsonValue): readonly string[] {
  if (isMail(prepared)) return [...prepared.to, ...prepared.cc, ...prepared.bcc];
  if (isPost(prepared)) return [targetOf(prepared), ...notifiedBy(prepared)];
  if (typeof prepared !== "object" || prepared === null || Array.isArray(prepared)) return [];
  const { guests, url, channel } = prepared;
  if (Array.isArray(guests)) return guests.filter((guest) => typeof guest === "string");
  return [url, channel].filter((value) => typeof value === "string");
}

export function bytesOf(raw: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(raw.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );
}

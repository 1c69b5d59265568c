import type { JsonValue } from "@bron/protocol";

interface Person {
  readonly name: string;
  readonly address: string;
  readonly userId: string;
}

/** A Slack message before it is posted. */
export interface PreparedPost {
  readonly workspace: string;
  readonly to: string;
  readonly channel: { readonly name: string; readonly isShared: boolean } | null;
  readonly person: Person | null;
  readonly shown: string;
  readonly mentioned: readonly Person[];
  readonly broadcasts: readonly string[];
}

export function isPost(value: JsonValue): value is JsonValue & PreparedPost {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return (
    ["workspace", "to", "shown"].every((name) => typeof value[name] === "string") &&
    ["mentioned", "broadcasts"].every((name) => Array.isArray(value[name])) &&
    ["channel", "person"].every((name) => typeof value[name] === "object")
  );
}

/** People choose their names themselves, so the address is always shown. */
function describePerson({ name, address, userId }: Person): string {
  return `${name} <${address || userId}>`;
}

export function targetOf({ channel, person, to }: PreparedPost): string {
  if (channel) return `#${channel.name}`;
  return person ? describePerson(person) : to;
}

/** Everyone and every group that the message notifies by a mention. */
export function notifiedBy({ mentioned, broadcasts }: PreparedPost): readonly string[] {
  return [...mentioned.map(describePerson), ...broadcasts];
}

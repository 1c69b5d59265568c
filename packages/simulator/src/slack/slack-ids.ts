import { createHash } from "node:crypto";

/** An id such as "U07K2M…": a letter for the kind and ten characters derived from the name. */
export function slackId(kind: "U" | "C" | "D" | "T" | "B" | "A" | "F", name: string): string {
  const digits = BigInt(
    `0x${createHash("sha256").update(`${kind}:${name}`).digest("hex").slice(0, 24)}`,
  )
    .toString(36)
    .toUpperCase();
  return `${kind}0${digits.slice(0, 9)}`;
}

export const teamId = slackId("T", "lindqvist-cargo");
export const appId = slackId("A", "bron");
export const botId = slackId("B", "bron");
export const botUserId = slackId("U", "bron");

export const userIdOf = (address: string) => slackId("U", address);
export const channelIdOf = (name: string) => slackId("C", name);
export const directIdOf = (one: string, other: string) =>
  slackId("D", [one, other].sort().join("-"));

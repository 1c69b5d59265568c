import type { SimulatorControl } from "../google/control/simulator-control.ts";
import type { SlackControl } from "../slack/slack-control.ts";
import type { Web } from "../web/web-service.ts";
import type { HostileItem } from "./hostile-item.ts";

/** The part of a running simulator that planting needs. A `Simulator` has all of it. */
export interface PlantTarget {
  readonly accounts: readonly { readonly address: string }[];
  readonly control: Pick<SimulatorControl, "deliver">;
  readonly slackControl: Pick<SlackControl, "post">;
  readonly publish: Web["publish"];
}

/** The location of the planted item. */
export interface Planted {
  /** Message ids in the owner's mailbox, oldest first. */
  readonly messageIds: readonly string[];
  readonly slack?: { readonly channel: string; readonly ts: string };
  readonly url?: string;
}

/** Adds an item to a running simulator the way an attacker would. */
export async function plantHostile(
  { accounts, control, slackControl, publish }: PlantTarget,
  { material }: HostileItem,
): Promise<Planted> {
  if (material.kind === "slack")
    return {
      messageIds: [],
      slack: { channel: material.post.channel, ts: slackControl.post(material.post) },
    };
  if (material.kind === "page") publish(material.url, material.page);
  const messageIds: string[] = [];
  for (const mail of await material.make())
    messageIds.push(await control.deliver(accounts[0]?.address ?? "", mail));
  return { messageIds, ...(material.kind === "page" ? { url: material.url } : {}) };
}

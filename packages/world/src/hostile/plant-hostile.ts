import type { SimulatorControl } from "../google/control/simulator-control.ts";
import type { SlackControl } from "../slack/slack-control.ts";
import type { Web } from "../web/web-service.ts";
import type { HostileItem } from "./hostile-item.ts";

/** What of a running world it takes; a `World` has all of it. */
export interface PlantTarget {
  readonly accounts: readonly { readonly address: string }[];
  readonly control: Pick<SimulatorControl, "deliver">;
  readonly slackControl: Pick<SlackControl, "post">;
  readonly publish: Web["publish"];
}

/** Where it lies now. */
export interface Planted {
  /** In the owner's mailbox, oldest first. */
  readonly messageIds: readonly string[];
  readonly slack?: { readonly channel: string; readonly ts: string };
  readonly url?: string;
}

/** Puts an item into a running world, as whoever means it would. */
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

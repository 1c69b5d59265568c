import { ben, jonas, mara, priya } from "../../mailbox/company.ts";
import { botUserId, channelIdOf, userIdOf } from "../slack-ids.ts";
import type { SlackChannel } from "../state/workspace.ts";
import type { Bills } from "./bill-facts.ts";
import { employeeIds } from "./people.ts";
import type { Talk } from "./talk.ts";
import { generalTalks } from "./talks/general-talks.ts";
import { orderTalks } from "./talks/order-talks.ts";
import { leadershipTalks, randomTalks } from "./talks/side-talks.ts";
import { supplierTalks } from "./talks/supplier-talks.ts";
import { workshopTalks } from "./talks/workshop-talks.ts";

interface ChannelPlan extends Pick<
  SlackChannel,
  "name" | "kind" | "topic" | "purpose" | "isGeneral" | "members"
> {
  readonly hasBot: boolean;
  readonly talks: (bills: Bills) => readonly Talk[];
}

const open = { kind: "public", members: employeeIds, isGeneral: false, hasBot: true } as const;

export const channelPlans: readonly ChannelPlan[] = [
  {
    ...open,
    name: "general",
    isGeneral: true,
    topic: "What everybody should know",
    purpose: "Announcements and questions to all",
    talks: () => generalTalks,
  },
  {
    ...open,
    name: "workshop",
    topic: "Headset: 22 Nm",
    purpose: "Frames, tools and benches",
    talks: () => workshopTalks,
  },
  {
    ...open,
    name: "orders",
    topic: "Deliveries are on the board at gate 1",
    purpose: "What customers ordered, and when it leaves",
    talks: orderTalks,
  },
  {
    ...open,
    name: "suppliers",
    topic: "Bank details change only after a call back",
    purpose: "Parts, prices and invoices",
    talks: supplierTalks,
  },
  {
    ...open,
    name: "random",
    topic: "",
    purpose: "Everything else",
    hasBot: false,
    talks: () => randomTalks,
  },
  {
    ...open,
    name: "leadership",
    kind: "private",
    members: [mara, jonas, priya, ben].map(({ address }) => userIdOf(address)),
    topic: "",
    purpose: "Money, people, plans",
    talks: () => leadershipTalks,
  },
];

export const volumeChannel: Omit<SlackChannel, "creatorId" | "created"> = {
  id: channelIdOf("volume"),
  name: "volume",
  kind: "public",
  topic: "",
  purpose: "As many messages as were asked for",
  isArchived: false,
  isGeneral: false,
  members: [...employeeIds, botUserId],
};

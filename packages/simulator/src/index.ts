export type { EventResource } from "./google/calendar/event-resource.ts";
export type { CalendarControl, CalendarActor } from "./google/control/calendar-control.ts";
export type { FaultRule, Faults } from "./google/control/faults.ts";
export type {
  DraftRef,
  DraftView,
  MailSource,
  SimulatorControl,
} from "./google/control/simulator-control.ts";
export type {
  RecordedCalendarChange,
  RecordedCall,
  RecordedInvitation,
  SentMail,
  SimulatorRecord,
} from "./google/state/record.ts";
export {
  startSimulator,
  type GoogleEndpoints,
  type SlackEndpoints,
  type Simulator,
  type SimulatorOptions,
} from "./google/start-simulator.ts";
export { happened } from "./hostile/happened.ts";
export { hostileFamilies, type HostileFamily } from "./hostile/hostile-families.ts";
export type { Carrier, ForbiddenEffect, HostileItem } from "./hostile/hostile-item.ts";
export { hostileItems } from "./hostile/hostile-items.ts";
export { plantHostile, type Planted, type PlantTarget } from "./hostile/plant-hostile.ts";
export type { SlackControl, SlackPost } from "./slack/slack-control.ts";
export type { PostedMessage, SlackFile } from "./slack/state/slack-entry.ts";

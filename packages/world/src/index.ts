export type { ToolResult } from "./scripted-model/conversation.ts";
export type {
  CutAnswer,
  EndlessAnswer,
  FailedAnswer,
  HangingAnswer,
  NonsenseAnswer,
  Script,
  ScriptAnswer,
  ScriptRequest,
  SpokenAnswer,
} from "./scripted-model/script.ts";
export {
  startScriptedModel,
  type RecordedRequest,
  type RequestOutcome,
  type ScriptedModelOptions,
  type ScriptedModelServer,
} from "./scripted-model/server.ts";
export type { EventResource } from "./google/calendar/event-resource.ts";
export type { CalendarControl, CalendarHand } from "./google/control/calendar-control.ts";
export type { FaultRule, Faults } from "./google/control/faults.ts";
export type {
  DraftName,
  DraftSeen,
  MailSource,
  WorldControl,
} from "./google/control/world-control.ts";
export type {
  RecordedCalendarChange,
  RecordedCall,
  RecordedInvitation,
  SentMail,
  WorldRecord,
} from "./google/state/record.ts";
export {
  startWorld,
  type GoogleEndpoints,
  type SlackEndpoints,
  type World,
  type WorldOptions,
} from "./google/start-world.ts";
export { happened } from "./hostile/happened.ts";
export { hostileFamilies, type HostileFamily } from "./hostile/hostile-families.ts";
export type { Carrier, ForbiddenEffect, HostileItem } from "./hostile/hostile-item.ts";
export { hostileItems } from "./hostile/hostile-items.ts";
export { plantHostile, type Planted, type PlantingGround } from "./hostile/plant-hostile.ts";
export type { SlackControl, SlackPost } from "./slack/slack-control.ts";
export type { PostedMessage, SlackFile } from "./slack/state/slack-entry.ts";

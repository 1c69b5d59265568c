import { findTools, type KnownTool, type OfferedTools } from "../flow/known-tool.ts";
import {
  changingMailRoles,
  findMailTools,
  toolName,
  type MailToolRole,
} from "../mail/offered-mail-tools.ts";
import type { FunctionDeclaration } from "../wire.ts";

type OwnRole = "clock" | "events" | "enterEvent" | "changeEvent" | "channels" | "talk" | "page";

/** What a task about calendar, chat or web may use; it may end in a mail. */
export type WorkspaceRole = OwnRole | MailToolRole;

const known: Readonly<Record<OwnRole, KnownTool>> = {
  clock: { names: ["clock"], takes: [] },
  events: { names: ["calendar_search"], takes: ["from", "to"] },
  enterEvent: { names: ["calendar_event_create"], takes: ["summary", "start", "durationMinutes"] },
  changeEvent: { names: ["calendar_event_update"], takes: ["eventId"] },
  channels: { names: ["slack_channels"], takes: [] },
  talk: { names: ["slack_read"], takes: ["channel"] },
  page: { names: ["web_fetch"], takes: ["url"] },
};

export const changingRoles: ReadonlySet<string> = new Set<string>([
  ...changingMailRoles,
  "enterEvent",
  "changeEvent",
]);

export type WorkspaceTools = OfferedTools<WorkspaceRole>;

export function findWorkspaceTools(declarations: readonly FunctionDeclaration[]): WorkspaceTools {
  return { ...findMailTools(declarations), ...findTools(known, declarations) };
}

/** What a tool for this would be called. */
export function nameOfTool(role: WorkspaceRole): string {
  return isOwn(role) ? (known[role].names[0] ?? role) : toolName(role);
}

function isOwn(role: WorkspaceRole): role is OwnRole {
  return Object.hasOwn(known, role);
}

/** For the model's words about itself. */
export function workspaceAbilities({
  events,
  enterEvent,
  changeEvent,
  channels,
  talk,
  page,
}: WorkspaceTools): readonly string[] {
  return [
    ...(events === undefined ? [] : ["say what is on your calendar and when you are free"]),
    ...(enterEvent === undefined ? [] : ["enter an event"]),
    ...(events === undefined || changeEvent === undefined
      ? []
      : ["move or rename an event and add guests to it"]),
    ...(channels === undefined && talk === undefined
      ? []
      : ["say what was written in a Slack channel"]),
    ...(page === undefined ? [] : ["read a web page"]),
  ];
}

import { findTools, type KnownTool, type OfferedTools } from "../flow/known-tool.ts";
import {
  changingMailRoles,
  findMailTools,
  toolName,
  type MailToolRole,
} from "../mail/offered-mail-tools.ts";
import type { FunctionDeclaration } from "../wire.ts";

type OwnRole = "clock" | "events" | "enterEvent" | "changeEvent" | "channels" | "talk" | "page";

/** The tools of a task about calendar, chat or web. Such a task may end with an email. */
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

/** The usual name of the tool for a role. */
export function nameOfTool(role: WorkspaceRole): string {
  return isOwn(role) ? (known[role].names[0] ?? role) : toolName(role);
}

function isOwn(role: WorkspaceRole): role is OwnRole {
  return Object.hasOwn(known, role);
}

/** The topics that the offered tools cover, for the demo model's introduction. */
export function workspaceTopics({
  events,
  enterEvent,
  changeEvent,
  channels,
  talk,
  page,
}: WorkspaceTools): readonly string[] {
  return [
    ...((events ?? enterEvent ?? changeEvent) === undefined ? [] : ["calendar"]),
    ...((channels ?? talk) === undefined ? [] : ["Slack"]),
    ...(page === undefined ? [] : ["web pages"]),
  ];
}

// Generates docs/events.md from the schemas of events and cards in packages/protocol/src.
import {
  cardSchemas,
  eventViewSchema,
  logVersion,
  riskSchema,
  type CardKind,
  type EventType,
} from "@bron/protocol";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { enums as apiEnums, reasonSchemas } from "./docs-http-api.ts";
import { bodyText, fieldsOf, readNotes, resultNotes, type Field } from "./docs-schema.ts";

const source = (name: string) => new URL(`../packages/protocol/src/${name}`, import.meta.url);

const registry = z.registry<{ id: string }>();
registry.add(riskSchema, { id: "Risk" });
for (const { id, schema } of reasonSchemas) registry.add(schema, { id });
const enums = new Map([...apiEnums, [JSON.stringify(Object.keys(cardSchemas)), "CardKind"]]);

const events: Readonly<Record<EventType, string>> = {
  status: "The run has a new status.",
  log: "A line about the run, for people: a kind with its values. Lines before version 6 have only a message.",
  message: "The owner's task or reply, or what the model wrote.",
  tool: "A tool call starts or ends.",
  ui: "A card for the interface. [Cards](#cards) lists the kinds.",
  artifact: "The run has a file: one that it made, or one that the owner attached.",
  child_run: "A child run has started, has been waited for, or has a new status.",
  tool_set:
    "The model is offered other tools from the next step on. The first one is that of the first step.",
  skill_set:
    "The skills that the run can read, with the digest of the version of each. Written once, before the first step.",
  step: "A model call starts or ends.",
  usage: "What a model call used and cost.",
  auxiliary_call:
    "A model call that is not a step starts, has an output that does not match its schema, or ends with its only result.",
  effect: "An effect has a new state in the ledger.",
  approval: "An approval was requested, or has a new state.",
  auth: "An action needs an account, or the account has been connected.",
  cancel: "The owner canceled the run. Nothing of it starts after this event.",
  question: "The run asks the owner something, or the question has a new state.",
  place: "Where the run must be advanced, or that its owner moved it. Null means anywhere.",
  intent:
    "What the owner's words ask for, as a model read them, or a request that the owner crossed out.",
  summary:
    "A model wrote a shorter text: of the memory, of older messages of the conversation, or of a long run.",
  client_action:
    "Another program can carry out an action, has taken it, or has finished it. The start and the result of the action are `tool` events.",
  owner_message:
    "The owner said something to a run under way. It becomes a message when open calls have results.",
};

const cards: Readonly<Record<CardKind, string>> = {
  EmailSearchResultsCard: "Email that a search found.",
  AttachmentSummaryCard: "The attachments of an email.",
  ExtractedFieldsTable: "Fields that were read from a document.",
  EmailDraftCard: "A draft.",
  CalendarEventsCard: "Events in a range of time.",
  CalendarEventCard: "One event.",
  SlackMessagesCard: "Messages of a Slack channel.",
  RunSummaryCard: "How the run ended. Every run ends with one.",
  ReconnectCard: "An account has to be connected before the run can continue.",
  UnknownEffectCard: "An effect whose outcome could not be confirmed, and where to check.",
  ApprovalCard: "An effect that needs the owner's approval.",
};

export function eventsPage(): string {
  return `# Events

\`npm run docs\` writes this page from \`packages/protocol/src/{events,event-view,cards}.ts\`.

A run's log is a list of events. Clients read it from \`GET /api/runs/:id/events\`, or from \`GET /api/runs/:id/stream\` as
server-sent events ([HTTP API](http-api.md#runs)). This page describes events as clients see them: without the parts that only
the model may read, and with very long outputs truncated. Logs have version ${logVersion}.

A stream also sends frames with the event name \`answer\`. They are not part of the log and have no id. Their data is the
partial text of the message that the model is writing: \`{ step: integer; attempt: integer; text: string }\`. While the model thinks,
\`thoughts: { from: integer; text: string }\` is the end of its thoughts (at most 20,000 characters; \`from\` is the number of
characters before it). While tools run, \`progress: { actionId: string; message: string }[]\` has their latest words. A reader
that reconnects gets the current state. Thoughts are gone once the message is in the log, and progress with the result.

A tool output of more than 40,000 characters is stored whole as an artifact of the kind \`tool_output\`. The result has a
preview, and \`kept\` says where the whole output is: \`GET /api/artifacts/:digest\`.

Every event has these members:

| member | type | description |
|---|---|---|
| \`runId\` | \`uuid\` | The run. |
| \`seq\` | \`integer\` | The position in the log, from 1 and without gaps. The order is the order of commits. |
| \`type\` | \`string\` | One of the types below. |
| \`payload\` | \`object\` | What happened. Each type has its own members. |
| \`createdAt\` | \`datetime\` | When the event was committed, by the clock of the database. |

${(Object.keys(events) as EventType[]).map(eventSection).join("\n")}
## Cards

A card is the payload of a \`ui\` event. Its \`kind\` (\`CardKind\`) is one of these names, and its \`payload\` has the type
below the name.
The [HTTP API](http-api.md#types) describes \`Risk\` and the other named types.

${(Object.keys(cards) as CardKind[]).map(cardSection).join("\n")}`;
}

const eventNotes = new Map([
  ...readNotes(source("events.ts")),
  ...resultNotes("EventPayloads.status"),
]);

function eventSection(type: EventType): string {
  const entry = eventViewSchema.options.find((option) => option.shape.type.value === type);
  const payload = entry?.shape.payload as z.ZodType;
  const path = payloadNames(type);
  const variants = fieldsOf(payload, { registry, enums, notes: eventNotes, path });
  const tables = variants.map((fields) => `${variantTitle(variants, fields)}${table(fields)}`);
  return `## \`${type}\`\n\n${events[type]}\n\n${tables.join("\n")}`;
}

/** The interface names of a payload's variants, in the order of `EventPayloads`. */
function payloadNames(type: EventType): string {
  const text = readFileSync(source("events.ts"), "utf8");
  const [payloads = ""] = /^export interface EventPayloads \{.*?^\}/ms.exec(text) ?? [];
  const declared = new RegExp(`^  ${type}: ([A-Z]\\w+(?: \\| \\w+)*);`, "m").exec(payloads)?.[1];
  return declared ?? `EventPayloads.${type}`;
}

/** Variants differ in a literal, such as \`phase\`. */
function variantTitle(variants: readonly Field[][], fields: readonly Field[]): string {
  if (variants.length === 1) return "";
  const literal = fields.find(({ type }) => type.startsWith('"') && !type.includes("|"));
  return literal ? `With \`${literal.name}: ${literal.type}\`:\n\n` : "";
}

function table(fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, isRequired, note }) => {
    const cells = [`\`${name}${isRequired ? "" : "?"}\``, `\`${type}\``, note];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return `| member | type | description |\n|---|---|---|\n${rows.join("\n")}\n`;
}

const cardNotes = readNotes(source("cards.ts"));

function cardSection(kind: CardKind): string {
  const text = readFileSync(source("cards.ts"), "utf8");
  const constant = new RegExp(`^  ${kind}: (\\w+)`, "m").exec(text)?.[1] ?? "";
  const body = bodyText(cardSchemas[kind], { registry, enums, notes: cardNotes, path: constant });
  return `### ${kind}\n\n${cards[kind]}\n\n\`\`\`ts\n${body}\n\`\`\`\n`;
}

import {
  describeActionFailure,
  describeAuth,
  describeFailure,
  toolDone,
  toolLabel,
  toolPhrase,
  toolTodo,
  type ActionFailure,
  type CardLine,
  type CardPayload,
  type CompletedCalls,
  type ToolSetDiff,
} from "@bron/protocol";
import { actionWords } from "./action.ts";
import { cardsWords } from "./cards.ts";
import { runWords } from "./run.ts";

export { toolDone, toolLabel, toolPhrase, toolTodo };

/** What a tool does, for the owner. Its own description is written for the model. */
const purposes: Readonly<Record<string, string>> = {
  gmail_search: "Finds emails in your mailbox.",
  gmail_thread_read: "Reads all emails of a thread.",
  gmail_message_read: "Reads one email.",
  gmail_attachment_get: "Downloads an attachment, so that Bron can read or forward it.",
  gmail_draft_create: "Saves a draft in your mailbox. Nothing is sent.",
  gmail_draft_update: "Changes a draft that is in your mailbox. Nothing is sent.",
  gmail_draft_send: "Sends a draft that is in your mailbox.",
  gmail_send: "Sends a new email from your address.",
  gmail_reply: "Replies to an email from your address.",
  gmail_forward: "Forwards an email as it is, with its attachments.",
  plan: "Lists what Bron is going to change, before it reads what others wrote.",
  post_note: "Posts a line of text to a board that others can read.",
  clock: "Tells the date and time.",
  notes_write: "Writes a note in Bron's own folder.",
  notes_list: "Lists the notes in Bron's own folder.",
  notes_read: "Reads a note in Bron's own folder.",
  emit_ui: "Shows results as a card in the timeline.",
  calculator: "Works out an arithmetic expression.",
  calendar_search: "Finds events and free time in your calendar.",
  calendar_event_create: "Adds an event to your calendar and invites its guests.",
  calendar_event_update: "Changes an event in your calendar and informs its guests.",
  slack_channels: "Lists the channels that Bron can read.",
  slack_read: "Reads the messages of a channel.",
  slack_members: "Lists the people in a channel.",
  slack_post: "Posts a message to a channel, or sends one to a person.",
  web_fetch: "Opens a web page and reads its text.",
  document_read: "Reads the text and tables of a file.",
  document_fields: "Finds details in a file, such as an amount or a date.",
  output_read: "Reads a part of a result that was too long to read at once.",
  ask_user: "Asks you a question and waits for your answer.",
  spawn_bron: "Hands a part of the task to a subtask.",
  await_bron: "Waits for the result of a subtask.",
};

/** One sentence about a tool for its owner. Undefined for tools that this page does not know. */
export function toolPurpose(tool: string): string | undefined {
  return purposes[tool];
}

/** What a run can use now that it could not, and the reverse. */
export function describeToolSetDiff({ added, removed, changed }: ToolSetDiff): string {
  const list = (names: readonly string[]) => names.map(toolPhrase).join(", ");
  return [
    ...(added.length > 0 ? [`New tools: ${list(added)}.`] : []),
    ...(removed.length > 0 ? [`No longer available: ${list(removed)}.`] : []),
    ...(changed.length > 0 ? [`Updated tools: ${list(changed)}.`] : []),
  ].join(" ");
}

/** "Searched your email ×2 (reused)" */
function describeCalls({ tool, count, reused }: CompletedCalls): string {
  const times = count === 1 ? "" : ` ${cardsWords.times(count)}`;
  return `${toolDone(tool)}${times}${reused ? ` (${runWords.reused})` : ""}`;
}

/** Planning is not worth a line. */
export function describeDid(did: readonly CompletedCalls[]): string[] {
  return did.filter(({ tool }) => tool !== "plan").map(describeCalls);
}

/** Why an action failed. Without a reason, the message of the tool. */
export function describeError(error: ActionFailure): string {
  return describeActionFailure(error, cardsWords.actionFailures);
}

/** How the owner can find out whether an effect happened. */
export function describeCheck({ tool, check, why }: CardPayload<"UnknownEffectCard">): string {
  return check ?? `${why ? `${describeError({ why })} ` : ""}${actionWords(tool).check}`;
}

/** One line about a card. The lines of earlier versions are text. */
export function cardLine(line: CardLine): string {
  const { kind, text, count, tool, outcome, did = [], error, auth } = line;
  if (count !== undefined) return cardsWords.listed(kind, count, text);
  if (tool !== undefined) {
    const words = actionWords(tool);
    return `${kind === "ApprovalCard" ? words.title({}) : `${words.unconfirmed}:`} ${text}`;
  }
  if (error) return describeFailure(error, cardsWords.failures);
  if (auth) return describeAuth({ why: auth }, cardsWords.auth);
  if (text !== "" || outcome === undefined) return text;
  if (outcome === "canceled") return cardsWords.stopped;
  return describeDid(did).join(" · ") || cardsWords.done;
}

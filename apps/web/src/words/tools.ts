import {
  describeActionFailure,
  describeAuth,
  describeFailure,
  type ActionFailure,
  type CardLine,
  type CardPayload,
  type CompletedCalls,
  type ToolSetDiff,
} from "@bron/protocol";
import { actionWords } from "./action.ts";
import { cardsWords } from "./cards.ts";
import { runWords } from "./run.ts";

interface ToolForms {
  /** While the tool runs, and as the tool's name in lists: "Sending an email". */
  readonly doing: string;
  /** After it has finished: "Sent an email". */
  readonly done: string;
  /** After "to": "send an email". */
  readonly todo: string;
}

const forms: Readonly<Record<string, ToolForms>> = {
  gmail_search: {
    doing: "Searching your email",
    done: "Searched your email",
    todo: "search your email",
  },
  gmail_thread_read: {
    doing: "Reading an email thread",
    done: "Read an email thread",
    todo: "read an email thread",
  },
  gmail_message_read: {
    doing: "Reading an email",
    done: "Read an email",
    todo: "read an email",
  },
  gmail_attachment_get: {
    doing: "Downloading an attachment",
    done: "Downloaded an attachment",
    todo: "download an attachment",
  },
  gmail_draft_create: { doing: "Saving a draft", done: "Saved a draft", todo: "save a draft" },
  gmail_draft_update: {
    doing: "Updating a draft",
    done: "Updated a draft",
    todo: "update a draft",
  },
  gmail_draft_send: { doing: "Sending the draft", done: "Sent an email", todo: "send an email" },
  gmail_send: { doing: "Sending an email", done: "Sent an email", todo: "send an email" },
  gmail_reply: {
    doing: "Replying to an email",
    done: "Replied to an email",
    todo: "reply to an email",
  },
  gmail_forward: {
    doing: "Forwarding an email",
    done: "Forwarded an email",
    todo: "forward an email",
  },
  plan: { doing: "Planning", done: "Planned", todo: "plan" },
  post_note: { doing: "Posting to a board", done: "Posted to a board", todo: "post to a board" },
  clock: { doing: "Checking the time", done: "Checked the time", todo: "check the time" },
  notes_write: { doing: "Writing a note", done: "Wrote a note", todo: "write a note" },
  notes_list: { doing: "Listing notes", done: "Listed notes", todo: "list notes" },
  notes_read: { doing: "Reading a note", done: "Read a note", todo: "read a note" },
  emit_ui: { doing: "Showing results", done: "Showed results", todo: "show results" },
  calculator: { doing: "Calculating", done: "Calculated", todo: "calculate" },
  calendar_search: {
    doing: "Checking your calendar",
    done: "Checked your calendar",
    todo: "check your calendar",
  },
  calendar_event_create: { doing: "Adding an event", done: "Added an event", todo: "add an event" },
  calendar_event_update: {
    doing: "Updating an event",
    done: "Updated an event",
    todo: "update an event",
  },
  slack_channels: {
    doing: "Listing Slack channels",
    done: "Listed Slack channels",
    todo: "list Slack channels",
  },
  slack_read: { doing: "Reading Slack", done: "Read Slack", todo: "read Slack" },
  slack_members: {
    doing: "Listing the people in a Slack channel",
    done: "Listed the people in a Slack channel",
    todo: "list the people in a Slack channel",
  },
  slack_post: {
    doing: "Posting to Slack",
    done: "Posted to Slack",
    todo: "post to Slack",
  },
  web_fetch: { doing: "Reading a web page", done: "Read a web page", todo: "read a web page" },
  document_read: {
    doing: "Reading a document",
    done: "Read a document",
    todo: "read a document",
  },
  document_fields: {
    doing: "Extracting fields",
    done: "Extracted fields",
    todo: "extract fields",
  },
  output_read: {
    doing: "Reading a long result",
    done: "Read a long result",
    todo: "read a long result",
  },
  ask_user: { doing: "Asking you", done: "Asked you", todo: "ask you" },
  spawn_bron: { doing: "Starting a subtask", done: "Started a subtask", todo: "start a subtask" },
  await_bron: {
    doing: "Waiting for a subtask",
    done: "Waited for a subtask",
    todo: "wait for a subtask",
  },
};

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

/** Names for the prefixes of wildcard patterns such as `gmail_*`. */
const groupNames: Readonly<Record<string, string>> = {
  gmail: "email",
  calendar: "calendar",
  slack: "Slack",
  web: "web",
  document: "document",
};

/**
 * "Sending an email", or "All email tools" for a wildcard. An unknown tool is shown by its name.
 */
export function toolLabel(pattern: string): string {
  if (pattern === "*") return "All tools";
  if (pattern.endsWith("*")) {
    const prefix = pattern.slice(0, -1);
    const group = groupNames[prefix.replace(/_$/, "")];
    return group === undefined ? `All tools starting with ${prefix}` : `All ${group} tools`;
  }
  const spaced = pattern.replaceAll("_", " ");
  return forms[pattern]?.doing ?? `${spaced.charAt(0).toUpperCase()}${spaced.slice(1)}`;
}

/** One sentence about a tool for its owner. Undefined for tools that this page does not know. */
export function toolPurpose(tool: string): string | undefined {
  return purposes[tool];
}

/** "Sent an email" */
export function toolDone(tool: string): string {
  return forms[tool]?.done ?? toolLabel(tool);
}

/** "send an email" */
export function toolTodo(tool: string): string {
  return forms[tool]?.todo ?? toolPhrase(tool);
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

/** The label of a tool in the middle of a sentence: "sending an email". */
export function toolPhrase(pattern: string): string {
  const label = toolLabel(pattern);
  return `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
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
    const { title, unconfirmed } = actionWords(tool);
    return `${kind === "ApprovalCard" ? title : `${unconfirmed}:`} ${text}`;
  }
  if (error) return describeFailure(error, cardsWords.failures);
  if (auth) return describeAuth({ why: auth }, cardsWords.auth);
  if (text !== "" || outcome === undefined) return text;
  if (outcome === "canceled") return cardsWords.stopped;
  return describeDid(did).join(" · ") || cardsWords.done;
}

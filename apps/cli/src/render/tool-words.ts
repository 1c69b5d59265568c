import { describeActionFailure, visible, type CardPayload } from "@bron/protocol";

interface ToolWords {
  /** "Approve sending this email?" */
  readonly question: string;
  /** After "Couldn't confirm whether". */
  readonly happened: string;
  /** Several of them: "send 3 emails". */
  many(count: number): string;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const changes = (count: number) => `make ${counted(count, "change")}`;

const email: ToolWords = {
  question: "Approve sending this email?",
  happened: "this email was sent",
  many: (count) => `send ${counted(count, "email")}`,
};

const byTool: Readonly<Record<string, ToolWords>> = {
  gmail_send: email,
  gmail_draft_send: email,
  gmail_reply: email,
  gmail_forward: email,
  gmail_draft_create: {
    question: "Approve saving this draft?",
    happened: "this draft was saved",
    many: (count) => `save ${counted(count, "draft")}`,
  },
  gmail_draft_update: {
    question: "Approve changing this draft?",
    happened: "this draft was changed",
    many: (count) => `change ${counted(count, "draft")}`,
  },
  calendar_event_create: {
    question: "Approve adding this event?",
    happened: "this event was added",
    many: (count) => `add ${counted(count, "event")}`,
  },
  calendar_event_update: {
    question: "Approve changing this event?",
    happened: "this event was changed",
    many: (count) => `change ${counted(count, "event")}`,
  },
  notes_write: {
    question: "Approve writing this note?",
    happened: "this note was written",
    many: (count) => `write ${counted(count, "note")}`,
  },
  post_note: {
    question: "Approve this post?",
    happened: "this was posted",
    many: (count) => `post ${counted(count, "note")}`,
  },
  slack_post: {
    question: "Approve posting this Slack message?",
    happened: "this Slack message was posted",
    many: (count) => `post ${counted(count, "Slack message")}`,
  },
  web_fetch: {
    question: "Approve opening this page?",
    happened: "this page was opened",
    many: (count) => `open ${counted(count, "page")}`,
  },
};

export function approvalQuestion(tool: string): string {
  return byTool[tool]?.question ?? `Approve this action (${visible(tool)})?`;
}

/** "send 3 emails". Effects of different tools are changes, unless the words are the same. */
export function describeMany(tools: readonly string[]): string {
  const [first = changes, ...others] = tools.map((tool) => byTool[tool]?.many ?? changes);
  const many = others.every((words) => words === first) ? first : changes;
  return many(tools.length);
}

export function unconfirmedSentence(tool: string): string {
  return `Couldn't confirm whether ${happened(tool)}.`;
}

/** How the owner can find out whether an effect happened. */
export function describeCheck({ tool, check, why }: CardPayload<"UnknownEffectCard">): string {
  return (
    check ?? `${why ? `${describeActionFailure({ why })} ` : ""}Check whether ${happened(tool)}.`
  );
}

function happened(tool: string): string {
  return byTool[tool]?.happened ?? `this action happened (${visible(tool)})`;
}

import { describeActionFailure, visible, type CardPayload } from "@bron/protocol";

interface ToolWords {
  /** "Send this email?" */
  readonly question: string;
  /** "approve & send", after which it happens. */
  readonly approve: string;
  /** "Sending", while it can be undone. */
  readonly doing: string;
  /** After "Couldn't confirm whether". */
  readonly happened: string;
  /** Several of them: "send 3 emails". */
  many(count: number): string;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const changes = (count: number) => `make ${counted(count, "change")}`;

const email: ToolWords = {
  question: "Send this email?",
  approve: "approve & send",
  doing: "Sending",
  happened: "this email was sent",
  many: (count) => `send ${counted(count, "email")}`,
};

const byTool: Readonly<Record<string, ToolWords>> = {
  gmail_send: email,
  gmail_draft_send: email,
  gmail_reply: email,
  gmail_forward: email,
  gmail_draft_create: {
    question: "Save this draft?",
    approve: "approve & save",
    doing: "Saving",
    happened: "this draft was saved",
    many: (count) => `save ${counted(count, "draft")}`,
  },
  gmail_draft_update: {
    question: "Change this draft?",
    approve: "approve & change",
    doing: "Changing",
    happened: "this draft was changed",
    many: (count) => `change ${counted(count, "draft")}`,
  },
  calendar_event_create: {
    question: "Add this event?",
    approve: "approve & add",
    doing: "Adding",
    happened: "this event was added",
    many: (count) => `add ${counted(count, "event")}`,
  },
  calendar_event_update: {
    question: "Change this event?",
    approve: "approve & change",
    doing: "Changing",
    happened: "this event was changed",
    many: (count) => `change ${counted(count, "event")}`,
  },
  schedule_create: {
    question: "Create this schedule?",
    approve: "approve & create",
    doing: "Creating",
    happened: "this schedule was created",
    many: (count) => `create ${counted(count, "schedule")}`,
  },
  notes_write: {
    question: "Write this note?",
    approve: "approve & write",
    doing: "Writing",
    happened: "this note was written",
    many: (count) => `write ${counted(count, "note")}`,
  },
  post_note: {
    question: "Post this?",
    approve: "approve & post",
    doing: "Posting",
    happened: "this was posted",
    many: (count) => `post ${counted(count, "note")}`,
  },
  slack_post: {
    question: "Post this Slack message?",
    approve: "approve & post",
    doing: "Posting",
    happened: "this Slack message was posted",
    many: (count) => `post ${counted(count, "Slack message")}`,
  },
  web_fetch: {
    question: "Open this page?",
    approve: "approve & open",
    doing: "Opening",
    happened: "this page was opened",
    many: (count) => `open ${counted(count, "page")}`,
  },
};

export function approvalQuestion(tool: string): string {
  return byTool[tool]?.question ?? `Approve this action (${visible(tool)})?`;
}

/** Whether the preview of this tool shows everything that is approved. */
export function hasApprovalWords(tool: string): boolean {
  return Object.hasOwn(byTool, tool);
}

/** What approving does, and what is said while it can be undone. */
export function approveWords(tool: string): Pick<ToolWords, "approve" | "doing"> {
  return byTool[tool] ?? { approve: "approve", doing: "Starting" };
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

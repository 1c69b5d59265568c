import { describeActionFailure, visible, type CardPayload } from "@bron/protocol";

interface ToolWords {
  /** "Approve sending this email?" */
  readonly question: string;
  /** After "Couldn't confirm whether". */
  readonly happened: string;
}

const email: ToolWords = {
  question: "Approve sending this email?",
  happened: "this email was sent",
};

const byTool: Readonly<Record<string, ToolWords>> = {
  gmail_send: email,
  gmail_draft_send: email,
  gmail_reply: email,
  gmail_draft_create: {
    question: "Approve saving this draft?",
    happened: "this draft was saved",
  },
  gmail_draft_update: {
    question: "Approve changing this draft?",
    happened: "this draft was changed",
  },
  calendar_event_create: {
    question: "Approve adding this event?",
    happened: "this event was added",
  },
  calendar_event_update: {
    question: "Approve changing this event?",
    happened: "this event was changed",
  },
  post_note: { question: "Approve this post?", happened: "this was posted" },
  slack_post: {
    question: "Approve posting this Slack message?",
    happened: "this Slack message was posted",
  },
  web_fetch: { question: "Approve opening this page?", happened: "this page was opened" },
};

export function approvalQuestion(tool: string): string {
  return byTool[tool]?.question ?? `Approve this action (${visible(tool)})?`;
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

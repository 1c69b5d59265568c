import type { EffectState } from "@bron/protocol";

interface ActionForms {
  readonly title: string;
  readonly approve: string;
  /** "Sending" */
  readonly doing: string;
  /** "sent" */
  readonly done: string;
}

const email: ActionForms = {
  title: "Approve this email?",
  approve: "Approve & send",
  doing: "Sending",
  done: "sent",
};
const unnamed: ActionForms = {
  title: "Approval needed",
  approve: "Approve",
  doing: "Starting",
  done: "done",
};
const byTool: Readonly<Record<string, ActionForms>> = {
  gmail_draft_send: email,
  gmail_send: email,
  gmail_reply: email,
  calendar_event_create: {
    title: "Approve this event?",
    approve: "Approve & add to calendar",
    doing: "Adding",
    done: "added",
  },
  calendar_event_update: {
    title: "Approve this change?",
    approve: "Approve & update event",
    doing: "Updating",
    done: "updated",
  },
  post_note: {
    title: "Approve this post?",
    approve: "Approve & post",
    doing: "Posting",
    done: "posted",
  },
  slack_post: {
    title: "Approve this Slack message?",
    approve: "Approve & post",
    doing: "Posting",
    done: "posted",
  },
  web_fetch: {
    title: "Approve this page visit?",
    approve: "Approve & open page",
    doing: "Opening",
    done: "opened",
  },
};

export interface ActionWords {
  /** Heading of the open approval. */
  readonly title: string;
  /** The approve button. */
  readonly approve: string;
  readonly content: string;
  readonly nothingDone: string;
  readonly unconfirmed: string;
  /** What to do about an unconfirmed effect, if the tool does not say more. */
  readonly check: string;
  readonly howItWent: { readonly happened: string; readonly did_not_happen: string };
  readonly settle: { readonly happened: string; readonly did_not_happen: string };
  readonly outcome: Readonly<Record<EffectState, string>>;
  startsIn(seconds: number): string;
}

/** What the page says about an approval and its effect, in the verb of its tool. */
export function actionWords(tool: string): ActionWords {
  const { title, approve, doing, done } = byTool[tool] ?? unnamed;
  const notDone = `Not ${done}`;
  return {
    title,
    approve,
    content: `What will be ${done}`,
    nothingDone: `Nothing was ${done}.`,
    unconfirmed: `We couldn't confirm this was ${done}`,
    check: `Check whether it was ${done}.`,
    howItWent: { happened: `It was ${done}`, did_not_happen: `It wasn't ${done}` },
    settle: { happened: `Yes, it was ${done}`, did_not_happen: `No, it wasn't ${done}` },
    startsIn: (seconds) => `${doing} in ${seconds}s`,
    outcome: {
      proposed: "Not started",
      awaiting_confirmation: "Not started",
      approved: `${doing} shortly…`,
      attempting: `${doing}…`,
      done: `${done.charAt(0).toUpperCase()}${done.slice(1)}`,
      failed: `${notDone}. See the task for details.`,
      unknown: `We couldn't confirm whether it was ${done}.`,
      rejected: notDone,
      expired: notDone,
      superseded: notDone,
      canceled: notDone,
    },
  };
}

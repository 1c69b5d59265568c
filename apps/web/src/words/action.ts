import type { EffectState } from "@bron/protocol";

/** What a title can name. */
interface TitleFacts {
  /** Where a message goes: "#orders". */
  readonly target?: string | undefined;
  /** Only the time of an event changes. */
  readonly isMove?: boolean | undefined;
}

interface ActionForms {
  /** Names what would be done, as a question. */
  title(facts: TitleFacts): string;
  readonly approve: string;
  /** Several of them: "send 3 emails". */
  many(count: number): string;
  /** "Sending" */
  readonly doing: string;
  /** "sent" */
  readonly done: string;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const email: ActionForms = {
  title: () => "Send this email?",
  approve: "Approve & send",
  many: (count) => `send ${counted(count, "email")}`,
  doing: "Sending",
  done: "sent",
};
const unnamed: ActionForms = {
  title: () => "Make this change?",
  approve: "Approve",
  many: (count) => `make ${counted(count, "change")}`,
  doing: "Starting",
  done: "done",
};
const byTool: Readonly<Record<string, ActionForms>> = {
  gmail_draft_send: email,
  gmail_send: email,
  gmail_reply: { ...email, title: () => "Send this reply?" },
  gmail_forward: { ...email, title: () => "Forward this email?" },
  gmail_draft_create: {
    title: () => "Save this draft?",
    approve: "Approve & save draft",
    many: (count) => `save ${counted(count, "draft")}`,
    doing: "Saving",
    done: "saved",
  },
  gmail_draft_update: {
    title: () => "Change this draft?",
    approve: "Approve & change draft",
    many: (count) => `change ${counted(count, "draft")}`,
    doing: "Changing",
    done: "changed",
  },
  schedule_create: {
    title: () => "Create this schedule?",
    approve: "Approve & create schedule",
    many: (count) => `create ${counted(count, "schedule")}`,
    doing: "Creating",
    done: "created",
  },
  notes_write: {
    title: () => "Write this note?",
    approve: "Approve & write note",
    many: (count) => `write ${counted(count, "note")}`,
    doing: "Writing",
    done: "written",
  },
  calendar_event_create: {
    title: () => "Add this event?",
    approve: "Approve & add event",
    many: (count) => `add ${counted(count, "event")} to your calendar`,
    doing: "Adding",
    done: "added",
  },
  calendar_event_update: {
    title: ({ isMove = false }) => (isMove ? "Move this event?" : "Change this event?"),
    approve: "Approve & update event",
    many: (count) => `update ${counted(count, "event")}`,
    doing: "Updating",
    done: "updated",
  },
  post_note: {
    title: () => "Post this note?",
    approve: "Approve & post",
    many: (count) => `post ${counted(count, "note")}`,
    doing: "Posting",
    done: "posted",
  },
  slack_post: {
    title: ({ target }) =>
      target === undefined ? "Post this to Slack?" : `Post this to ${target}?`,
    approve: "Approve & post",
    many: (count) => `post ${counted(count, "Slack message")}`,
    doing: "Posting",
    done: "posted",
  },
  web_fetch: {
    title: () => "Open this page?",
    approve: "Approve & open page",
    many: (count) => `open ${counted(count, "page")}`,
    doing: "Opening",
    done: "opened",
  },
};

interface ActionWords {
  /** Heading of the open approval. */
  title(facts: TitleFacts): string;
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
  /** "Sending in 4s" */
  startsIn(seconds: number): string;
  /** What the page says of an effect that needs no approval, before and after it starts. */
  goesUnasked(why: string): string;
  unasked(why: string): string;
}

/** What the page says about an approval and its effect, in the verb of its tool. */
export function actionWords(tool: string): ActionWords {
  const { title, approve, doing, done } = byTool[tool] ?? unnamed;
  const notDone = `Not ${done}`;
  return {
    title,
    approve,
    content: `What will be ${done}`,
    goesUnasked: (why) => `You aren't asked first: ${why}`,
    unasked: (why) => `${done[0]?.toUpperCase()}${done.slice(1)} without asking: ${why}`,
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

/** "send 3 emails". Effects of different tools are changes, unless the words are the same. */
export function manyWords(tools: readonly string[]): string {
  const [first = unnamed, ...others] = tools.map((tool) => byTool[tool] ?? unnamed);
  const isAlike = others.every(({ many }) => many === first.many);
  return (isAlike ? first : unnamed).many(tools.length);
}

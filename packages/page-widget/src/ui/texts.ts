/** Every text that the chat shows. A site replaces those that it wants to. */
export const defaultTexts = {
  launcher: "Ask the assistant",
  heading: "Assistant",
  emptyTitle: "How can I help?",
  emptyHint: "I can answer questions and do things on this page for you.",
  placeholder: "Ask, or say what to do",
  composer: "Your message",
  send: "Send message",
  stop: "Stop",
  close: "Close chat",
  expand: "Show all messages",
  collapse: "Show less",
  startOver: "Start over",
  you: "You",
  assistant: "Assistant",
  thinking: "Thinking…",
  working: "Working…",
  stopped: "Stopped.",
  retry: "Try again",
  approvalTitle: "May I do this for you?",
  approve: "Approve this step",
  cancel: "Cancel",
  covered: "Something covers this box. You can approve once nothing does.",
  changed: "The page changed, so this was not done.",
  visitTitle: "May I type and click on this page?",
  visitHint: "You are asked once. Anything that buys, sends or deletes is asked each time.",
  visitApprove: "Allow for this visit",
  serverTitle: "This needs your approval",
  serverHint: "It opens in a window of its own, where this page cannot interfere.",
  serverReview: "Review request",
  serverWaiting: "Waiting for your approval…",
  partly_done: "Partly done",
  could_not: "Couldn't do it",
  needs_answer: "Needs your answer",
  denied: "You declined",
  errorConnection: "The connection was lost. Check your network and try again.",
  errorOffline: "You are offline. This goes on when you are back.",
  errorInterrupted: "The page was loaded again before the answer arrived.",
  errorState: "This conversation can't go on where it was. Try again to start from its words.",
  errorSteps: "This takes too many steps. Say it in smaller ones.",
  errorSetup: "The assistant isn't set up on this page.",
  errorRate: "That was a lot at once. Wait a moment and try again.",
  errorOther: "Something went wrong. Try again.",
} as const;

type TextName = keyof typeof defaultTexts;
export type Texts = Readonly<Record<TextName, string>>;

const errorTexts: Readonly<Record<string, TextName>> = {
  connection_lost: "errorConnection",
  offline: "errorOffline",
  interrupted: "errorInterrupted",
  invalid_state: "errorState",
  expired_state: "errorState",
  used_state: "errorState",
  unknown_call: "errorState",
  too_many_steps: "errorSteps",
  not_found: "errorSetup",
  rate_limited: "errorRate",
};

/** What people read about an error. The handler's own sentence goes first where it has one. */
export function errorText(
  { code, message }: { readonly code: string; readonly message: string },
  texts: Texts,
): string {
  const name = errorTexts[code];
  if (name !== undefined && (message === "" || name === "errorState")) return texts[name];
  return message !== "" && code !== "page_failed" ? message : texts.errorOther;
}

import {
  describeActionFailure,
  describeReasons,
  visible,
  type NotDone,
  type NotDoneCause,
} from "@bron/protocol";

const sentences: Readonly<Record<NotDoneCause, (message: string) => string>> = {
  denied: (message) => (message === "" ? "You declined." : `You declined: ${message}`),
  undone: () => "You undid the approval, so it was not done.",
  replied: (message) => `You replied: ${message}`,
  expired: () => "The approval expired. Nothing was done.",
  closed: () => "This was replaced or canceled. Nothing was done.",
  blocked: (message) => `Blocked: ${message}`,
  run_ended: () => "The run ended before this was done.",
  interrupted: () => "It was interrupted while running.",
  unknown: (message) => `Bron couldn't confirm whether it went through. ${message}`.trim(),
  failed: (message) => message,
};

/** Why an action was not completed, as a sentence for the owner. */
export function describeNotDone({ cause, reasons, ...failure }: NotDone): string {
  return visible(
    sentences[cause](reasons ? describeReasons(reasons) : describeActionFailure(failure)),
  );
}

import { notFound } from "../api-error.ts";
import type { MailFacts } from "../mime/mail-facts.ts";
import type { Mailbox } from "../state/mailbox.ts";

/**
 * Finds the thread of a message. Undefined if the message starts a thread. Gmail joins messages
 * that refer to a message of the thread and have its subject. A thread id from the caller does not
 * change that, but the thread must exist.
 */
export function findThread(mailbox: Mailbox, facts: MailFacts, named?: string): string | undefined {
  if (named !== undefined && mailbox.thread(named).length === 0) throw notFound();
  const candidates = named === undefined ? mailbox.messages() : mailbox.thread(named);
  const references = new Set(facts.references);
  if (references.size === 0) return undefined;
  const subject = bareSubject(facts.subject);
  return candidates.find(({ content }) => {
    const other = content.facts();
    return references.has(other.messageId) && bareSubject(other.subject) === subject;
  })?.threadId;
}

/** Removes reply prefixes of several languages. */
function bareSubject(subject: string): string {
  const bare = subject.replace(
    /^\s*(?:(?:re|aw|sv|odp|rv|antw|fwd?|wg|tr|pd|vs)(?:\[\d+\])?\s*:\s*)+/i,
    "",
  );
  return bare.replace(/\s+/g, " ").trim().toLowerCase();
}

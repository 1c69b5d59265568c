/** The kind of effect of each tool, in Bron's terms. */
export const kinds: Readonly<Record<string, string>> = {
  gmail_draft_create: "write_draft",
  gmail_createDraft: "write_draft",
  gmail_draft_send: "send_mail",
  gmail_sendDraft: "send_mail",
  gmail_send: "send_mail",
  gmail_reply: "reply",
  gmail_forward: "forward",
  calendar_event_create: "create_event",
  calendar_event_update: "change_event",
  post_note: "post",
  slack_post: "post",
  notes_write: "write_note",
  web_fetch: "open_page",
};

export const fieldsOf: Readonly<Record<string, string>> = {
  move: "time",
  title: "title",
  guests: "guests",
};

/** "Don't email Tom", "never invite eva@example.com", up to the end of the sentence. */
export const prohibition =
  /\b(?:do not|don['’]t|never)\s+(?:ever\s+)?(send|e-?mail|mail|write|reply|answer|forward|share|tell|invite|post)\b(?:[^.!?\n]|\.(?=\w))*/gi;
export const forbiddenKinds: Readonly<Record<string, string>> = {
  invite: "create_event",
  post: "post",
  share: "any",
  tell: "any",
};
/** A name, an address or a slot. */
export const person =
  /«(q\d+): address»|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}+)*/gu;

/** A file by its name. */
export const fileName =
  /[\w.-]*\w\.(?:pdf|txt|csv|tsv|docx?|xlsx?|html?|eml|ics|md|json|xml|png|jpe?g)(?![\w@])/gi;

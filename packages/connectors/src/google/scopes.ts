interface AskedScope {
  readonly scope: string;
  readonly why: string;
}

const prefix = "https://www.googleapis.com/auth/";

/** What is asked for at sign-in, each with what it is for, in words for the person who decides. */
export const gmailScopes: readonly AskedScope[] = [
  { scope: `${prefix}gmail.readonly`, why: "Search and read your mail and its attachments." },
  { scope: `${prefix}gmail.compose`, why: "Write drafts, and send those that you have approved." },
];

/** Can be left out: then only the calendar's tools ask for it. */
export const calendarScopes: readonly AskedScope[] = [
  {
    scope: `${prefix}calendar.events`,
    why: "See your calendar, and enter or change events that you have approved.",
  },
];

export const googleScopes = [...gmailScopes, ...calendarScopes];

interface RequestedScope {
  readonly scope: string;
  readonly why: string;
}

const prefix = "https://www.googleapis.com/auth/";

/** Scopes requested at sign-in, each with a reason for the consent list. */
export const gmailScopes: readonly RequestedScope[] = [
  { scope: `${prefix}gmail.readonly`, why: "Read your email and attachments" },
  { scope: `${prefix}gmail.compose`, why: "Create drafts, and send emails you approve" },
];

/** Optional. Without it, only the calendar tools ask for it. */
export const calendarScopes: readonly RequestedScope[] = [
  {
    scope: `${prefix}calendar.events`,
    why: "View your calendar, and add or edit events you approve",
  },
];

export const googleScopes = [...gmailScopes, ...calendarScopes];

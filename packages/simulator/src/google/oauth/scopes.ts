const prefix = "https://www.googleapis.com/auth/";

export const gmailScopes = {
  all: "https://mail.google.com/",
  modify: `${prefix}gmail.modify`,
  readonly: `${prefix}gmail.readonly`,
  metadata: `${prefix}gmail.metadata`,
  compose: `${prefix}gmail.compose`,
  send: `${prefix}gmail.send`,
  labels: `${prefix}gmail.labels`,
} as const;

export const calendarScopes = {
  all: `${prefix}calendar`,
  readonly: `${prefix}calendar.readonly`,
  events: `${prefix}calendar.events`,
  eventsReadonly: `${prefix}calendar.events.readonly`,
  freebusy: `${prefix}calendar.freebusy`,
  calendarListReadonly: `${prefix}calendar.calendarlist.readonly`,
  settingsReadonly: `${prefix}calendar.settings.readonly`,
} as const;

/** The description of each scope on Google's consent page. */
const meanings: Readonly<Record<string, string>> = {
  [gmailScopes.all]: "Read, compose, send, and permanently delete all your email from Gmail",
  [gmailScopes.modify]: "Read, compose, and send emails from your Gmail account",
  [gmailScopes.readonly]: "View your email messages and settings",
  [gmailScopes.metadata]:
    "View your email message metadata such as labels and headers, but not the email body",
  [gmailScopes.compose]: "Manage drafts and send emails",
  [gmailScopes.send]: "Send email on your behalf",
  [gmailScopes.labels]: "See and edit your email labels",
  [calendarScopes.all]:
    "See, edit, share, and permanently delete all the calendars you can access using Google Calendar",
  [calendarScopes.readonly]:
    "See and download any calendar you can access using your Google Calendar",
  [calendarScopes.events]: "View and edit events on all your calendars",
  [calendarScopes.eventsReadonly]: "View events on all your calendars",
  [calendarScopes.freebusy]: "View your availability in your calendars",
  [calendarScopes.calendarListReadonly]: "See the list of Google calendars you’re subscribed to",
  [calendarScopes.settingsReadonly]: "View your Calendar settings",
  openid: "Associate you with your personal info on Google",
  email: "See your primary Google Account email address",
  profile: "See your personal info, including any personal info you've made publicly available",
  [`${prefix}userinfo.email`]: "See your primary Google Account email address",
  [`${prefix}userinfo.profile`]:
    "See your personal info, including any personal info you've made publicly available",
};

export const profileScopes = [
  "openid",
  "email",
  "profile",
  `${prefix}userinfo.email`,
  `${prefix}userinfo.profile`,
];

/** Returns undefined for an unknown scope. */
export function scopeMeaning(scope: string): string | undefined {
  return Object.hasOwn(meanings, scope) ? meanings[scope] : undefined;
}

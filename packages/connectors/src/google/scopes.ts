/** What is asked for at sign-in, each with what it is for, in words for the person who decides. */
export const gmailScopes: readonly { readonly scope: string; readonly why: string }[] = [
  { scope: "https://www.googleapis.com/auth/gmail.readonly", why: "Search and read your mail and its attachments." },
  { scope: "https://www.googleapis.com/auth/gmail.compose", why: "Write drafts, and send those that you have approved." },
];

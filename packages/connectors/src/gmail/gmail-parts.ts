import type { GmailClient } from "../google/gmail-service.ts";
import type { GoogleParts } from "../google/google-parts.ts";

/** What Gmail's tools are made of. */
export type GmailParts = GoogleParts<GmailClient>;

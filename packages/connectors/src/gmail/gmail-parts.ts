import type { CallParts } from "../google/call-google.ts";
import type { GmailTimes } from "./gmail-times.ts";

/** What Gmail's tools are made of. */
export interface GmailParts extends CallParts {
  readonly times: GmailTimes;
}

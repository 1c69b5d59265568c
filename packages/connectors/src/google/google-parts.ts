import type { CallParts } from "./call-google.ts";
import type { GoogleTimes } from "./google-times.ts";

/** What tools of one of Google's services are made of. */
export interface GoogleParts<Client> extends CallParts<Client> {
  readonly times: GoogleTimes;
}

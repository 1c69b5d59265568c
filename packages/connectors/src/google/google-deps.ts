import type { CallDeps } from "./call-google.ts";
import type { GoogleTimes } from "./google-times.ts";

/** What tools of one of Google's services are made of. */
export interface GoogleDeps<Client> extends CallDeps<Client> {
  readonly times: GoogleTimes;
}

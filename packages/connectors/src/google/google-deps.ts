import type { CallDeps } from "./call-google.ts";
import type { GoogleTimes } from "./google-times.ts";

/** Dependencies of the tools of one Google service. */
export interface GoogleDeps<Client> extends CallDeps<Client> {
  readonly times: GoogleTimes;
}

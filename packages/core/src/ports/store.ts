import type { Approvals } from "./approvals.ts";
import type { Artifacts } from "./artifacts.ts";
import type { Audit } from "./audit.ts";
import type { Budgets } from "./budgets.ts";
import type { Effects } from "./effects.ts";
import type { RunLog } from "./run-log.ts";
import type { Runs } from "./runs.ts";
import type { Threads } from "./threads.ts";
import type { Uploads } from "./uploads.ts";

/**
 * Everything that is stored. Every call names the owner. Data of another owner is reported as not
 * found.
 */
export interface Store {
  readonly log: RunLog;
  readonly runs: Runs;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts;
  readonly uploads: Uploads;
  readonly threads: Threads;
  readonly budgets: Budgets;
  readonly effects: Effects;
  readonly audit: Audit;
}

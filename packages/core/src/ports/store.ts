import type { Permissions } from "../policy/permissions.ts";
import type { Contacts } from "./accounts.ts";
import type { Approvals } from "./approvals.ts";
import type { AskUses } from "./ask-uses.ts";
import type { Artifacts } from "./artifacts.ts";
import type { Audit } from "./audit.ts";
import type { Brons } from "./brons.ts";
import type { Budgets } from "./budgets.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { ClientActions } from "./client-actions.ts";
import type { Denials } from "./denials.ts";
import type { Effects } from "./effects.ts";
import type { LoadSource } from "./load.ts";
import type { ModelKeys } from "./model-keys.ts";
import type { OauthTokens } from "./oauth-tokens.ts";
import type { PartialTextStore } from "./partial-texts.ts";
import type { Questions } from "./questions.ts";
import type { RunLog } from "./run-log.ts";
import type { Runs } from "./runs.ts";
import type { Threads } from "./threads.ts";
import type { Uploads } from "./uploads.ts";
import type { Usage } from "./usage.ts";
import type { UsedKeys } from "./used-keys.ts";
import type { Waker } from "./waker.ts";
import type { Workers } from "./workers.ts";
import type { WrittenThingsPort } from "./written-things.ts";

/**
 * Everything that is stored. Every call names the owner, except those for all owners of a worker.
 * Data of another owner is reported as not found.
 */
export interface Store {
  readonly log: RunLog;
  readonly runs: Runs;
  readonly workers: Workers;
  readonly approvals: Approvals;
  readonly questions: Questions;
  readonly clientActions: ClientActions;
  readonly artifacts: Artifacts;
  readonly uploads: Uploads;
  readonly threads: Threads;
  readonly budgets: Budgets;
  readonly effects: Effects;
  readonly askUses: AskUses;
  readonly denials: Denials;
  readonly written: WrittenThingsPort;
  readonly audit: Audit;
  readonly brons: Brons;
  readonly permissions: Permissions;
  readonly partialTexts: PartialTextStore;
  readonly usedKeys: UsedKeys;
  readonly usage: Usage;
  readonly contacts: Contacts;
  readonly oauthTokens: OauthTokens;
  readonly modelKeys: ModelKeys;
  readonly load: LoadSource;
}

/** A store that a runtime can run on. */
export interface RuntimeStore extends Store {
  readonly feed: ChangeFeed;
  /**
   * Sets who is called for every run that becomes runnable. Without a waker, only sweeps find these
   * runs. A later call replaces the waker.
   */
  setWaker(waker: Waker): void;
}

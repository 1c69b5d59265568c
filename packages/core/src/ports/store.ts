import type { Permissions } from "../policy/permissions/permissions.ts";
import type { Contacts } from "./access/accounts.ts";
import type { Approvals } from "./runs/approvals.ts";
import type { AskUses } from "./runs/ask-uses.ts";
import type { Artifacts } from "./runs/artifacts.ts";
import type { Audit } from "./audit.ts";
import type { Brons } from "./brons.ts";
import type { Budgets } from "./budgets.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { ClientActions } from "./runs/client-actions.ts";
import type { Denials } from "./runs/denials.ts";
import type { Effects } from "./runs/effects.ts";
import type { LoadSource } from "./load.ts";
import type { Memory } from "./memory.ts";
import type { McpPins } from "./access/mcp-pins.ts";
import type { ModelKeys } from "./access/model-keys.ts";
import type { OauthClients } from "./access/oauth-clients.ts";
import type { OauthTokens } from "./access/oauth-tokens.ts";
import type { PartialTextStore } from "./runs/partial-texts.ts";
import type { Questions } from "./runs/questions.ts";
import type { RunLog } from "./runs/run-log.ts";
import type { Runs } from "./runs/runs.ts";
import type { Skills } from "./skills.ts";
import type { Schedules } from "./schedules.ts";
import type { Threads } from "./runs/threads.ts";
import type { Upkeep } from "./runs/upkeep.ts";
import type { Uploads } from "./runs/uploads.ts";
import type { Usage } from "./usage.ts";
import type { UsedKeys } from "./access/used-keys.ts";
import type { Waker } from "./waker.ts";
import type { Workers } from "./workers.ts";
import type { WrittenThingsPort } from "./runs/written-things.ts";

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
  readonly schedules: Schedules;
  readonly effects: Effects;
  readonly askUses: AskUses;
  readonly denials: Denials;
  readonly written: WrittenThingsPort;
  readonly audit: Audit;
  readonly brons: Brons;
  readonly memory: Memory;
  readonly upkeep: Upkeep;
  readonly skills: Skills;
  readonly permissions: Permissions;
  readonly partialTexts: PartialTextStore;
  readonly usedKeys: UsedKeys;
  readonly usage: Usage;
  readonly contacts: Contacts;
  readonly oauthTokens: OauthTokens;
  readonly modelKeys: ModelKeys;
  readonly oauthClients: OauthClients;
  readonly mcpPins: McpPins;
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

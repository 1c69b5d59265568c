import type { Failure } from "@bron/protocol";
import type { Ids } from "../../ports/clock.ts";
import type { OwnerText } from "../../intent/owner-text.ts";
import type { ModelSet } from "../../model/model-set.ts";
import type { Readings } from "../../ports/runs/ask-uses.ts";
import type { BudgetRefusal, RunHeader } from "../../ports/runs/run-log.ts";
import type { AuxiliaryRequests } from "../../auxiliary-call/auxiliary-requests.ts";
import type { EarlierResults } from "../../retry/earlier-results.ts";
import type { ModelRequests } from "../../context/model-requests.ts";
import type { UpkeepInput } from "../../ports/runs/upkeep.ts";
import type { RunState } from "../state/run-state.ts";
import type { ShownSkill } from "../../skill/run-skills.ts";
import type { RunTools } from "../../tool-set/run-tools.ts";

/** What the loop decides by, besides the state of the run. */
export interface LoopFacts {
  readonly run: RunHeader;
  readonly tools: RunTools;
  /** The skills that the run can read. Empty as long as what was said before is not loaded. */
  readonly skills: readonly ShownSkill[];
  readonly models: ModelSet;
  /** Whether a model seems to be unavailable. */
  readonly isModelDown: (name: string) => boolean;
  readonly requests: Pick<ModelRequests, "fixedBytes" | "digest" | "digestAuxiliary">;
  /** What the run asks a model, outside of its steps, before the next step. A pure function. */
  readonly auxiliaryRequests: AuxiliaryRequests;
  /** Everything that the owner typed for the task and before it. */
  readonly ownerTexts: (state: RunState) => readonly OwnerText[];
  /** What the runs above this one have read in these texts. */
  readonly readingsAbove: () => Readings;
  /** What an upkeep run has read. Undefined for other runs, and if it could not be read. */
  readonly upkeep: UpkeepInput | undefined;
  readonly approvalTtlMs: number;
  /** The database's clock. */
  readonly now: number;
  readonly activeMs: number;
  readonly drawnMicrousd: number;
  /** Whether a run above this one has a cap on money or steps. */
  readonly hasCappedAncestors: boolean;
  /** The cap because of which the store rejected a draw. */
  readonly budgetRefusal: BudgetRefusal | undefined;
  readonly random: number;
  /** True if the context before the run contains nothing untrusted. */
  readonly contextTrusted: boolean;
  /** Results of the run that this one retries. */
  readonly earlier: EarlierResults;
  /** Nothing has been appended since the claim. */
  readonly isJustClaimed: boolean;
  /** See `EndingRules`. */
  readonly giveUpError: Failure | undefined;
  readonly ids: Ids;
}

import type { JsonValue } from "@bron/protocol";
import type { StoredRules } from "../policy/permissions/rules.ts";
import type { AttachedFile } from "../context/attached-files.ts";
import type { AuxiliaryRequest, auxiliaryOptions } from "../model/auxiliary-request.ts";
import type { ModelMessage, ModelFailure } from "../model/model-result.ts";
import type { RunModel } from "../ports/model.ts";
import type {
  AttemptResult,
  PrepareResult,
  ReconcileResult,
  ToolResult,
} from "../tool/run-tool.ts";
import type { ToolOutput } from "../tool/tool-json.ts";
import type { OpenAction } from "./state/run-state.ts";

/** Work that the segment starts once its start event is in the log. */
export type Work =
  | {
      readonly kind: "model";
      readonly step: number;
      readonly attempt: number;
      readonly model: RunModel;
      /** Files whose content the request contains. */
      readonly files: readonly AttachedFile[];
    }
  | {
      readonly kind: "auxiliary";
      readonly request: AuxiliaryRequest;
      readonly options: ReturnType<typeof auxiliaryOptions>;
      readonly model: RunModel;
      readonly attempt: number;
    }
  | { readonly kind: "prepare"; readonly action: OpenAction }
  | { readonly kind: "read"; readonly action: OpenAction; readonly attempt: number }
  | { readonly kind: "attempt"; readonly action: OpenAction; readonly attempt: number }
  | { readonly kind: "reconcile"; readonly action: OpenAction }
  /** A program finished the action, and its result is too long for the log. */
  | { readonly kind: "keep_result"; readonly action: OpenAction };

/** Result of finished work. It waits in memory until it is in the log. */
export type Outcome =
  | {
      readonly kind: "model";
      readonly result: ModelMessage | ModelFailure;
      /**
       * For a retry: the owner's rules when the message arrived. Undefined if they could not be
       * read.
       */
      readonly rules?: StoredRules | undefined;
    }
  | {
      readonly kind: "auxiliary";
      readonly request: AuxiliaryRequest;
      readonly result: ModelMessage | ModelFailure;
    }
  | { readonly kind: "prepare"; readonly actionId: string; readonly result: PrepareResult }
  | { readonly kind: "read"; readonly actionId: string; readonly result: ToolResult }
  | { readonly kind: "attempt"; readonly actionId: string; readonly result: AttemptResult }
  | { readonly kind: "reconcile"; readonly actionId: string; readonly result: ReconcileResult }
  | HandedOver
  | KeptResult;

/** An action that may start in another program. `input` is what the program is to do. */
export interface HandedOver {
  readonly kind: "hand_over";
  readonly actionId: string;
  readonly input: JsonValue;
  readonly secretHash: string;
}

interface KeptResult extends ToolOutput {
  readonly kind: "keep_result";
  readonly actionId: string;
}

export function auxiliaryKey(purpose: string): string {
  return `auxiliary ${purpose}`;
}

/** At most one piece of work is in flight per key. */
export function flightKey(work: Work | Outcome): string {
  if (work.kind === "model") return "model";
  if (work.kind === "auxiliary") return auxiliaryKey(work.request.purpose);
  return "action" in work ? work.action.id : work.actionId;
}

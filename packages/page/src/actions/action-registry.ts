import type { JsonValue } from "@bron/protocol";
import type { ActionMetadata } from "./action-file.ts";

/** Who calls an action. */
export interface ActionCaller {
  readonly site: string;
  /** An anonymous id, the same for all requests of one visitor. */
  readonly visitor: string;
  /** Aborts when the visitor stops the task. */
  readonly signal: AbortSignal;
}

export type ActionHandler = (
  input: JsonValue,
  caller: ActionCaller,
) => Promise<JsonValue> | JsonValue;

/** An action of a site. Without metadata it works as before, and the model does not see it. */
export interface SiteAction {
  readonly name: string;
  readonly handler: ActionHandler;
  readonly metadata?: ActionMetadata;
}

/** An action that the model may call. */
export type DescribedAction = SiteAction & { readonly metadata: ActionMetadata };

export function describedActions(actions: readonly SiteAction[]): readonly DescribedAction[] {
  return actions.filter((action): action is DescribedAction => action.metadata !== undefined);
}

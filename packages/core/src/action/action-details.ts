import { omitUndefined, type JsonValue, type KeptOutput, type NewEvent } from "@bron/protocol";

export interface ActionDetails {
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly kept?: KeptOutput;
}

/** Inputs and outputs of actions by action id. They are stored only in the log. */
export function actionDetails(events: Iterable<NewEvent>): ReadonlyMap<string, ActionDetails> {
  const details = new Map<string, ActionDetails>();
  for (const event of events) {
    if (event.type === "step" && event.payload.phase === "end")
      for (const { actionId, input } of event.payload.calls)
        details.set(actionId, { input, output: null });
    if (event.type !== "tool" || event.payload.phase !== "end") continue;
    const { actionId, output = null, kept } = event.payload;
    const input = details.get(actionId)?.input ?? null;
    details.set(actionId, { input, output, ...omitUndefined({ kept }) });
  }
  return details;
}

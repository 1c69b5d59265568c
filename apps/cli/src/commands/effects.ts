import { BronError } from "@bron/core";
import type { EffectView, Settlement } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findEffect } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { table } from "../render/table.ts";
import { json, line } from "../terminal.ts";

export interface SettleOptions {
  readonly happened?: boolean;
  readonly didNotHappen?: boolean;
  readonly note?: string;
  readonly json?: boolean;
}

export async function listInDoubt(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const effects = await reachRuntime(
    context,
    { work: "none" },
    async ({ runtime }) => await runtime.effects.inDoubt(),
  );
  if (options.json === true) json(terminal, { effects });
  else if (effects.length === 0) line(terminal, "Nothing is in doubt.");
  else {
    const rows = effects.map(({ id, runId, tool, attempts, digest }) => [
      shortId(id),
      shortId(runId),
      tool,
      String(attempts),
      digest,
    ]);
    for (const text of table(["ID", "RUN", "TOOL", "TRIES", "DIGEST"], rows, terminal.columns))
      line(terminal, text);
  }
  return 0;
}

export async function settleEffect(
  context: CommandContext,
  id: string,
  options: SettleOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const as = settlementOf(options);
  const effect = await reachRuntime(
    context,
    { work: "none" },
    async ({ runtime }) =>
      await runtime.effects.settle((await findEffect(runtime, id)).id, as, options.note),
  );
  if (options.json === true) json(terminal, { effect });
  else line(terminal, settledWords(effect));
  return 0;
}

function settlementOf({ happened, didNotHappen }: SettleOptions): Settlement {
  if ((happened === true) === (didNotHappen === true)) {
    throw new BronError("invalid_input", "Say which of the two: --happened or --did-not-happen.", {
      details: { hint: "Look where it would have happened first; the run's card says where." },
    });
  }
  return happened === true ? "happened" : "did_not_happen";
}

function settledWords({ id, tool, settled }: EffectView): string {
  return `Kept: ${tool} (${shortId(id)}) ${settled?.as === "happened" ? "happened" : "did not happen"}.`;
}

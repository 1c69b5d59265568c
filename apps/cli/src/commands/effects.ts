import { BronError } from "@bron/core";
import { toolLabel, type EffectView, type Settlement } from "@bron/protocol";
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

export async function listUnconfirmed(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const effects = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) => (await client.call("GET /api/effects")).effects,
  );
  if (options.json === true) json(terminal, { effects });
  else if (effects.length === 0) line(terminal, "No unconfirmed actions.");
  else {
    const rows = effects.map(({ id, runId, tool, attempts }) => [
      shortId(id),
      shortId(runId),
      String(attempts),
      toolLabel(tool),
    ]);
    for (const text of table(["ID", "RUN", "ATTEMPTS", "WHAT"], rows, terminal.columns))
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
    async ({ client }) =>
      await client.call("POST /api/effects/:id/settle", {
        params: { id: (await findEffect(client, id)).id },
        body: { as, note: options.note },
      }),
  );
  if (options.json === true) json(terminal, { effect });
  else line(terminal, describeSettled(effect));
  return 0;
}

function settlementOf({ happened, didNotHappen }: SettleOptions): Settlement {
  if ((happened === true) === (didNotHappen === true)) {
    throw new BronError("invalid_input", "Specify --happened or --did-not-happen.", {
      details: { hint: "Check first whether it happened. bron runs show says where to look." },
    });
  }
  return happened === true ? "happened" : "did_not_happen";
}

function describeSettled({ id, tool, settled }: EffectView): string {
  return `Recorded: "${toolLabel(tool)}" (${shortId(id)}) ${settled?.as === "happened" ? "happened" : "did not happen"}.`;
}

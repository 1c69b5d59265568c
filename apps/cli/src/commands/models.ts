import type { ModelView } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { table } from "../render/table.ts";
import { oneLine } from "../render/visible.ts";
import { json, line } from "../terminal.ts";

interface ListOptions {
  readonly json?: boolean;
  readonly names?: true;
}

/** Lists the models that tasks and Brons can use. */
export async function listModels(context: CommandContext, options: ListOptions): Promise<ExitCode> {
  const { terminal } = context;
  const { models } = await reachRuntime(context, { work: "none" }, ({ client }) =>
    client.call("GET /api/models"),
  );
  if (options.json === true) json(terminal, { models });
  else if (options.names) for (const { name } of models) line(terminal, oneLine(name));
  else {
    const rows = models.map((model) => [
      oneLine(model.name),
      model.roles.map((role) => role.replace("_", " ")).join(", ") || "-",
      model.contextTokens === null ? "unknown" : model.contextTokens.toLocaleString("en"),
      priceOf(model),
      model.acceptsImages ? "yes" : "no",
    ]);
    const headings = ["NAME", "USED FOR", "CONTEXT", "PRICE (IN/OUT)", "IMAGES"];
    for (const text of table(headings, rows, terminal.columns)) line(terminal, text);
  }
  return 0;
}

/** US dollars for a million tokens of input and of output. */
function priceOf({ price }: ModelView): string {
  if (!price) return "unknown";
  const dollars = (microusd: number) => `$${(microusd / 1_000_000).toFixed(2)}`;
  return `${dollars(price.input)}/${dollars(price.output)}`;
}

import { BronError } from "@bron/core";
import { localServerIds, localServerNames, type LocalServer, type ModelView } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { table } from "../render/table.ts";
import { oneLine } from "../render/visible.ts";
import { json, line, note } from "../terminal.ts";

interface ListOptions {
  readonly json?: boolean;
  readonly names?: true;
}

/** Lists the models that tasks and Brons can use. */
export async function listModels(context: CommandContext, options: ListOptions): Promise<ExitCode> {
  const { terminal } = context;
  const { models, servers } = await reachRuntime(context, { work: "none" }, async ({ client }) => ({
    ...(await client.call("GET /api/models")),
    ...(options.names ? { servers: [] } : await client.call("GET /api/local-models")),
  }));
  if (options.json === true) json(terminal, { models, local: servers });
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
    showLocal(context, servers);
  }
  return 0;
}

/** Models that run on this machine and can be used without a key. */
function showLocal({ terminal }: CommandContext, servers: readonly LocalServer[]): void {
  const names = servers.flatMap(({ id, models }) => models.map((model) => `${id}/${model}`));
  const [first] = names;
  if (first === undefined) return;
  note(terminal, `\nRunning on this computer: ${names.map(oneLine).join(", ")}`);
  note(terminal, `Use one with: bron models use ${oneLine(first)}`);
}

/** Tests a model of this machine, and uses it from then on. */
export async function useModel(
  context: CommandContext,
  name: string,
  options: { readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const slash = name.indexOf("/");
  const server = localServerIds.find((id) => id === name.slice(0, slash));
  if (!server)
    throw new BronError("invalid_input", `${oneLine(name)} is not a model of this computer.`, {
      details: { hint: `Write for example: bron models use ${localServerIds[0]}/llama3.2` },
    });
  const model = name.slice(slash + 1);
  const { modelKeys } = await reachRuntime(context, { work: "none" }, ({ client }) =>
    client.call("PUT /api/local-models", { body: { server, model } }),
  );
  if (options.json === true) json(terminal, { modelKeys });
  else line(terminal, `Using ${oneLine(model)} of ${localServerNames[server]}.`);
  return 0;
}

/** US dollars for a million tokens of input and of output. */
function priceOf({ price }: ModelView): string {
  if (!price) return "unknown";
  const dollars = (microusd: number) => `$${(microusd / 1_000_000).toFixed(2)}`;
  return `${dollars(price.input)}/${dollars(price.output)}`;
}

import { BronError } from "@bron/core";
import { omitUndefined, type BronView } from "@bron/protocol";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { findBron } from "../find-bron.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { fields, table } from "../render/table.ts";
import { oneLine } from "../render/visible.ts";
import { json, line, note, paint } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

interface ListOptions extends Json {
  readonly archived?: true;
}

interface Changes extends Json {
  readonly tools?: string[];
  readonly allTools?: true;
  readonly skills?: string[];
  readonly allSkills?: true;
  readonly model?: string;
  readonly defaultModel?: true;
  readonly maxCost?: number | "none";
  readonly ownInstructions?: true;
}

export async function listBrons(context: CommandContext, options: ListOptions): Promise<ExitCode> {
  const { terminal } = context;
  const { brons } = await reachRuntime(context, { work: "none" }, ({ client }) =>
    client.call("GET /api/brons", {
      query: { archived: options.archived ? ("only" as const) : undefined },
    }),
  );
  if (options.json === true) json(terminal, { brons });
  else {
    const rows = brons.map((bron) => [
      shortId(bron.id),
      bron.status,
      toolsOf(bron),
      modelOf(bron),
      nameOf(bron),
    ]);
    for (const text of table(["ID", "STATUS", "TOOLS", "MODEL", "NAME"], rows, terminal.columns))
      line(terminal, text);
  }
  return 0;
}

export async function showBron(
  context: CommandContext,
  name: string,
  options: Json,
): Promise<ExitCode> {
  const { bron, tools } = await reachRuntime(context, { work: "none" }, async ({ client }) => ({
    bron: await findBron(client, name),
    ...(await client.call("GET /api/tools")),
  }));
  if (options.json === true) json(context.terminal, { bron });
  else showDetails(context, bron, tools.length);
  return 0;
}

/** Changes the tools, the skills and the model of a Bron, or whose words its instructions are. Runs under way have them after their next wait. */
export async function setBron(
  context: CommandContext,
  name: string,
  changes: Changes,
): Promise<ExitCode> {
  const body = requestOf(changes);
  const { bron, tools } = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const { id, systemPrompt } = await findBron(client, name);
    return {
      bron: await client.call("PATCH /api/brons/:id", {
        params: { id },
        body: { ...body, ...(changes.ownInstructions ? { systemPrompt } : {}) },
      }),
      ...(await client.call("GET /api/tools")),
    };
  });
  if (changes.json === true) json(context.terminal, { bron });
  else showDetails(context, bron, tools.length);
  return 0;
}

function requestOf(changes: Changes) {
  const { tools, allTools, skills, allSkills, model, defaultModel, maxCost, ownInstructions } =
    changes;
  const both =
    tools && allTools
      ? "--tools or --all-tools"
      : skills && allSkills
        ? "--skills or --all-skills"
        : model !== undefined && defaultModel
          ? "--model or --default-model"
          : undefined;
  if (both !== undefined) throw new BronError("invalid_input", `Use either ${both}.`);
  const body = omitUndefined({
    tools: allTools ? null : tools,
    skills: allSkills ? null : skills,
    model: defaultModel ? null : model,
    maxCostMicrousd:
      maxCost === "none" || maxCost === undefined
        ? maxCost && null
        : Math.round(maxCost * 1_000_000),
  });
  if (Object.keys(body).length === 0 && !ownInstructions)
    throw new BronError("invalid_input", "Say what to change.", {
      details: { hint: "For example: bron brons set Assistant --tools clock,gmail_search" },
    });
  return body;
}

/**
 * Prints the name of a Bron, then its trust level, model and tools, and instructions that the owner
 * did not type.
 */
export function showDetails({ terminal }: CommandContext, bron: BronView, toolCount: number): void {
  line(terminal, paint(terminal, "bold", nameOf(bron)));
  const tools = bron.tools ?? [];
  const rows: [string, string][] = [
    ["ID", bron.id],
    ["Trust", bron.trustLevel],
    ["Model", modelOf(bron)],
    [
      "Most a task may cost",
      bron.maxCostMicrousd === null
        ? "no limit"
        : `$${(bron.maxCostMicrousd / 1_000_000).toFixed(2)}`,
    ],
    [
      "Tools",
      bron.tools ? `${tools.length} of ${toolCount}` : `all ${toolCount}, including new ones`,
    ],
    ["Skills", skillsOf(bron)],
  ];
  for (const text of fields(rows)) line(terminal, text);
  for (const tool of tools) line(terminal, `  ${oneLine(tool)}`);
  if (bron.personaSource !== "typed" && bron.systemPrompt.trim() !== "")
    showInstructions(terminal, bron);
}

function showInstructions(
  terminal: CommandContext["terminal"],
  { name, personaSource, systemPrompt }: BronView,
): void {
  const from = personaSource === "imported" ? "from a file" : "from a template";
  line(terminal, `Instructions ${from}, which don't count as your words:`);
  for (const text of systemPrompt.split("\n")) line(terminal, `  ${oneLine(text, text.length)}`);
  note(terminal, `If they are: bron brons set "${oneLine(name)}" --own-instructions`);
}

const nameOf = ({ name, isDefault }: BronView) =>
  `${oneLine(name)}${isDefault ? " (default)" : ""}`;
const modelOf = ({ model }: BronView) => (model === null ? "default" : oneLine(model));
const skillsOf = ({ skills }: BronView) => {
  if (skills === null) return "all that you accepted, including new ones";
  return skills.length === 0 ? "none" : skills.map((name) => oneLine(name)).join(", ");
};
const toolsOf = ({ tools }: BronView) => (tools === null ? "all" : String(tools.length));

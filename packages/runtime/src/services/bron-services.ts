import {
  BronError,
  cleanText,
  nearestNames,
  type Brons,
  type ChangedBronRow,
  type ModelSet,
  type Permissions,
  type Runs,
  type Tool,
} from "@bron/core";
import { omitUndefined, type BronView, type ChangedBron } from "@bron/protocol";
import { bronTemplates, findTemplate } from "../bron-templates.ts";
import { modelViews } from "../model-views.ts";
import { requireModel } from "../require-model.ts";
import { toolViews } from "../tool-views.ts";
import { pageOfRuns } from "./run-services.ts";
import { Created, requireScope, type ServicesOf } from "./service.ts";

type BronKeys =
  | "GET /api/brons"
  | "POST /api/brons"
  | "GET /api/brons/:id"
  | "PATCH /api/brons/:id"
  | "POST /api/brons/:id/memory/undo"
  | "GET /api/bron-templates"
  | "GET /api/brons/:id/runs"
  | "GET /api/tools"
  | "GET /api/models";

export interface BronServicesDeps {
  readonly brons: Brons;
  readonly permissions: Pick<Permissions, "setTrustLevel">;
  readonly runs: Pick<Runs, "list">;
  readonly tools: ReadonlyMap<string, Tool>;
  /** The names of the tools whose service is not set up. */
  readonly unavailable: () => Promise<ReadonlySet<string>>;
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
  /** The names of the accepted skills. */
  readonly skillNames: (ownerId: string) => Promise<readonly string[]>;
}

/** Brons, and the tools and models they can use. Every owner has at least the default Bron. */
export function bronServices({
  brons,
  permissions,
  runs,
  tools,
  unavailable,
  modelsFor,
  skillNames,
}: BronServicesDeps): ServicesOf<BronKeys> {
  const find = async (ownerId: string, id: string) => {
    const found = await brons.get(ownerId, id);
    if (!found) throw new BronError("not_found", `Bron ${id} not found.`);
    return found;
  };
  return {
    async "GET /api/brons"({ caller: { ownerId }, query: { status, archived } }) {
      const all = await brons.list(ownerId);
      const isListed = (bron: BronView) =>
        (status === undefined || bron.status === status) &&
        (archived === "include" || (bron.archivedAt !== null) === (archived === "only"));
      return { brons: all.filter(isListed) };
    },
    async "POST /api/brons"({ caller, body }) {
      const { avatarColor, trustLevel } = body;
      const template = body.template === undefined ? undefined : templateOf(body.template);
      const name = body.name ?? template?.name;
      if (name === undefined)
        throw new BronError("invalid_input", "name: required without a template.");
      const systemPrompt = body.systemPrompt ?? "";
      if (trustLevel !== undefined) requireScope("approve", caller);
      // A persona counts as words of the owner in every task. That of a template asks for nothing.
      if (systemPrompt !== "") requireScope("speak", caller);
      const id = await brons.create(caller.ownerId, {
        name: cleanText(name),
        systemPrompt: cleanText(body.systemPrompt ?? template?.systemPrompt ?? ""),
        personaSource: template && body.systemPrompt === undefined ? "template" : "typed",
        trustLevel: trustLevel ?? "supervised",
        ...omitUndefined({ avatarColor, tools: template?.tools }),
      });
      return new Created(await find(caller.ownerId, id), `/api/brons/${id}`);
    },
    "GET /api/bron-templates": () => Promise.resolve({ templates: [...bronTemplates] }),
    "GET /api/brons/:id": ({ caller: { ownerId }, params }) => find(ownerId, params.id),
    async "PATCH /api/brons/:id"({ caller, params: { id }, body }) {
      const { ownerId } = caller;
      const { trustLevel } = body;
      if (trustLevel !== undefined) requireScope("approve", caller);
      // The model reads both as its own instructions, without a label.
      if (body.systemPrompt !== undefined || body.memorySummary !== undefined)
        requireScope("speak", caller);
      const before = await find(ownerId, id);
      await brons.change(
        ownerId,
        id,
        await changedRow({ tools, modelsFor, skillNames }, before, { ownerId, changes: body }),
      );
      if (trustLevel !== undefined && trustLevel !== before.trustLevel)
        await permissions.setTrustLevel(ownerId, id, trustLevel);
      return await find(ownerId, id);
    },
    async "POST /api/brons/:id/memory/undo"({ caller: { ownerId }, params: { id } }) {
      await brons.undoSummary(ownerId, id);
      return await find(ownerId, id);
    },
    async "GET /api/brons/:id/runs"({ caller: { ownerId }, params, query }) {
      const { id } = await find(ownerId, params.id);
      return await pageOfRuns(runs, ownerId, { ...query, bronId: id });
    },
    async "GET /api/tools"() {
      const gone = await unavailable();
      return { tools: toolViews([...tools.values()].filter(({ name }) => !gone.has(name))) };
    },
    "GET /api/models": async ({ caller: { ownerId } }) => ({
      models: modelViews(await modelsFor(ownerId)),
    }),
  };
}

/** What is not given stays unchanged. Throws invalid_input for names that do not exist. */
async function changedRow(
  { tools, modelsFor, skillNames }: Pick<BronServicesDeps, "tools" | "modelsFor" | "skillNames">,
  before: BronView,
  { ownerId, changes }: { readonly ownerId: string; readonly changes: ChangedBron },
): Promise<ChangedBronRow> {
  const {
    trustLevel: _,
    tools: chosen,
    model,
    memoryOn,
    skills,
    maxCostMicrousd,
    ...texts
  } = changes;
  return {
    ...cleanTexts(texts),
    ...(texts.systemPrompt === undefined ? {} : { personaSource: "typed" }),
    ...omitUndefined({
      memoryOn,
      maxCostMicrousd,
      tools: chosen && chosenNames("tool", chosen, [tools.keys(), before.tools ?? []]),
      model: model && requireModel(await modelsFor(ownerId), model),
      skills:
        skills && chosenNames("skill", skills, [await skillNames(ownerId), before.skills ?? []]),
    }),
  };
}

function templateOf(id: string) {
  const template = findTemplate(id);
  if (template) return template;
  throw new BronError(
    "invalid_input",
    `There is no template "${cleanText(id)}". Choose one of: ${bronTemplates.map((known) => known.id).join(", ")}.`,
  );
}

/** Leaves out what is not given, which stays unchanged. */
function cleanTexts(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, cleanText(text)]],
    ),
  );
}

/** Returns the names sorted and once each. Throws invalid_input for names that do not exist. */
function chosenNames(
  what: "tool" | "skill",
  chosen: readonly string[],
  lists: readonly Iterable<string>[],
): string[] {
  const known = [...new Set(lists.flatMap((names) => [...names]))];
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length === 0) return [...new Set(chosen)].toSorted();
  const [first = ""] = unknown;
  const near = nearestNames(first, known);
  throw new BronError(
    "invalid_input",
    `There is no ${what === "skill" ? "accepted skill" : "tool"} ${unknown.map((name) => `"${cleanText(name)}"`).join(", ")}.${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""}`,
    { details: { unknown: unknown.map(cleanText), nearest: near } },
  );
}

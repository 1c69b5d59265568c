import {
  BronError,
  cleanText,
  nearestNames,
  type Brons,
  type ModelSet,
  type Permissions,
} from "@bron/core";
import {
  omitUndefined,
  changedBronSchema,
  newBronSchema,
  type BronStatus,
  type BronView,
  type ChangedBron,
  type NewBron,
} from "@bron/protocol";
import { parseInput } from "./parse-input.ts";
import { requireModel } from "./require-model.ts";

export interface BronService {
  /** Most recent activity first. Every owner has at least the default Bron. */
  list(ownerId: string, options?: { readonly status?: BronStatus }): Promise<BronView[]>;
  /** Throws not_found. */
  get(ownerId: string, bronId: string): Promise<BronView>;
  /** Without a color, the Bron gets one that the owner's other Brons do not use. */
  create(ownerId: string, bron: NewBron): Promise<BronView>;
  /**
   * Fields that are not given stay unchanged. Throws not_found, and invalid_input for a tool that
   * or model that does not exist.
   */
  update(ownerId: string, bronId: string, changes: ChangedBron): Promise<BronView>;
}

interface BronsDeps {
  readonly brons: Brons;
  readonly permissions: Pick<Permissions, "setTrustLevel">;
  /** The names of all tools that a Bron can have. */
  readonly toolNames: () => readonly string[];
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
}

export function createBrons({ brons, permissions, toolNames, modelsFor }: BronsDeps): BronService {
  const get = async (ownerId: string, bronId: string) => {
    const found = await brons.get(ownerId, bronId);
    if (!found) throw new BronError("not_found", `Bron ${bronId} not found.`);
    return found;
  };
  return {
    async list(ownerId, { status } = {}) {
      const all = await brons.list(ownerId);
      return status === undefined ? all : all.filter((bron) => bron.status === status);
    },
    get,
    async create(ownerId, bron) {
      const {
        name,
        avatarColor,
        systemPrompt = "",
        trustLevel = "supervised",
      } = parseInput(newBronSchema, bron);
      const id = await brons.create(ownerId, {
        name: cleanText(name),
        systemPrompt: cleanText(systemPrompt),
        trustLevel,
        ...omitUndefined({ avatarColor }),
      });
      return await get(ownerId, id);
    },
    async update(ownerId, bronId, changes) {
      const { trustLevel, tools, model, ...texts } = parseInput(changedBronSchema, changes);
      const before = await get(ownerId, bronId);
      await brons.change(ownerId, bronId, {
        ...Object.fromEntries(
          Object.entries(texts).flatMap(([name, text]) =>
            text === undefined ? [] : [[name, cleanText(text)]],
          ),
        ),
        ...omitUndefined({
          tools: tools && chosenTools(tools, toolNames()),
          model: model && requireModel(await modelsFor(ownerId), model),
        }),
      });
      if (trustLevel !== undefined && trustLevel !== before.trustLevel)
        await permissions.setTrustLevel(ownerId, bronId, trustLevel);
      return await get(ownerId, bronId);
    },
  };
}

/** Returns the names sorted and once each. Throws invalid_input for names that do not exist. */
function chosenTools(chosen: readonly string[], known: readonly string[]): string[] {
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length === 0) return [...new Set(chosen)].toSorted();
  const [first = ""] = unknown;
  const near = nearestNames(first, known);
  throw new BronError(
    "invalid_input",
    `There is no tool ${unknown.map((name) => `"${cleanText(name)}"`).join(", ")}.${near.length > 0 ? ` Did you mean ${near.join(", ")}?` : ""}`,
    { details: { unknown: unknown.map(cleanText), nearest: near } },
  );
}

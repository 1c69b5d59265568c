import {
  BronError,
  cleanText,
  findModelName,
  type Brons,
  type ModelSet,
  type Tool,
} from "@bron/core";
import { Created, requireScope, type ServicesOf } from "./service.ts";

type BronFileKeys = "GET /api/brons/:id/export" | "POST /api/brons/import";

export interface BronFileServicesDeps {
  readonly brons: Brons;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
}

/** Brons as files, to keep them or to take them to another installation. */
export function bronFileServices({
  brons,
  tools,
  modelsFor,
}: BronFileServicesDeps): ServicesOf<BronFileKeys> {
  const find = async (ownerId: string, id: string) => {
    const found = await brons.get(ownerId, id);
    if (!found) throw new BronError("not_found", `Bron ${id} not found.`);
    return found;
  };
  return {
    async "GET /api/brons/:id/export"({ caller: { ownerId }, params: { id } }) {
      const bron = await find(ownerId, id);
      const { name, avatarColor, systemPrompt, trustLevel, model } = bron;
      return {
        format: "bron-export-1" as const,
        name,
        avatarColor,
        systemPrompt,
        trustLevel,
        tools: bron.tools && [...bron.tools],
        model,
      };
    },
    async "POST /api/brons/import"({ caller, body: { bron: file, keepTrustLevel = false } }) {
      const { ownerId } = caller;
      // The persona will count as words of the owner in every task.
      if (file.systemPrompt !== "") requireScope("speak", caller);
      const trustLevel = keepTrustLevel ? file.trustLevel : "supervised";
      if (trustLevel !== "supervised") requireScope("approve", caller);
      const { byName } = await modelsFor(ownerId);
      const model = file.model === null ? undefined : findModelName(byName.keys(), file.model);
      // Tools that are not installed are kept, because a connection may add them later.
      const chosen = file.tools && [...new Set(file.tools.map(cleanText))].toSorted();
      const id = await brons.create(ownerId, {
        name: cleanText(file.name),
        avatarColor: file.avatarColor,
        systemPrompt: cleanText(file.systemPrompt),
        trustLevel,
        tools: chosen,
        model: model ?? null,
      });
      const response = {
        bron: await find(ownerId, id),
        missing: {
          tools: (chosen ?? []).filter((name) => !tools.has(name)),
          model: file.model !== null && model === undefined ? cleanText(file.model) : null,
        },
      };
      return new Created(response, `/api/brons/${id}`);
    },
  };
}

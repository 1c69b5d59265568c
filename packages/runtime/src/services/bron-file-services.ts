import {
  BronError,
  cleanText,
  findModelName,
  type Brons,
  type ModelSet,
  type Tool,
} from "@bron/core";
import type { BronView } from "@bron/protocol";
import { Created, requireScope, type ServicesOf } from "./service.ts";

type BronFileKeys =
  | "POST /api/brons/:id/duplicate"
  | "POST /api/brons/:id/archive"
  | "POST /api/brons/:id/restore"
  | "GET /api/brons/:id/export"
  | "POST /api/brons/import";

interface BronFileServicesDeps {
  readonly brons: Brons;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
}

/** Copies of Brons, here or as files for another installation, and their archive. */
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
    async "POST /api/brons/:id/duplicate"({ caller, params }) {
      const { ownerId } = caller;
      const original = await find(ownerId, params.id);
      // The copy may do without asking what the original may do.
      if (original.trustLevel !== "supervised") requireScope("approve", caller);
      const { systemPrompt, personaSource, trustLevel, tools: chosen, model, skills } = original;
      const name = nameOfCopy(original.name, await brons.list(ownerId));
      const copy = { name, systemPrompt, personaSource, trustLevel, tools: chosen, model, skills };
      const id = await brons.create(ownerId, copy);
      return new Created(await find(ownerId, id), `/api/brons/${id}`);
    },
    async "POST /api/brons/:id/archive"({ caller: { ownerId }, params: { id } }) {
      await brons.setArchived(ownerId, id, true);
      return await find(ownerId, id);
    },
    async "POST /api/brons/:id/restore"({ caller: { ownerId }, params: { id } }) {
      await brons.setArchived(ownerId, id, false);
      return await find(ownerId, id);
    },
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
        // Installations of earlier versions do not know the field.
        ...(bron.skills ? { skills: [...bron.skills] } : {}),
      };
    },
    async "POST /api/brons/import"({ caller, body: { bron: file, keepTrustLevel = false } }) {
      const { ownerId } = caller;
      // The model reads the persona in every task. It is text of others until the owner says otherwise.
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
        personaSource: "imported",
        trustLevel,
        tools: chosen,
        model: model ?? null,
        // Names of skills that this installation does not have are kept, like those of tools.
        skills: file.skills ? [...new Set(file.skills)].toSorted() : null,
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

const maxNameLength = 80;

/** "Research copy", or "Research copy 2" if there is one. */
function nameOfCopy(name: string, others: readonly BronView[]): string {
  const taken = new Set(others.map((bron) => bron.name));
  for (let number = 1; ; number++) {
    const ending = number === 1 ? " copy" : ` copy ${number}`;
    const copy = `${Array.from(name)
      .slice(0, maxNameLength - ending.length)
      .join("")}${ending}`;
    if (!taken.has(copy)) return copy;
  }
}

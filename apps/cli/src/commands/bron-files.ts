import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { bronExportSchema, omitUndefined, type BronExport, type BronView } from "@bron/protocol";
import { readFile, writeFile } from "node:fs/promises";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { fileError } from "../file-error.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { oneLine } from "../render/visible.ts";
import { json, line, note } from "../terminal.ts";
import { findBron } from "../find-bron.ts";
import { showDetails } from "./brons.ts";

interface Json {
  readonly json?: boolean;
}

interface CreateOptions extends Json {
  readonly template?: string;
}

export async function newBron(
  context: CommandContext,
  name: string | undefined,
  options: CreateOptions,
): Promise<ExitCode> {
  const body = omitUndefined({ name, template: options.template });
  return await showNew(context, options, (client) => client.call("POST /api/brons", { body }));
}

export async function duplicateBron(
  context: CommandContext,
  name: string,
  options: Json,
): Promise<ExitCode> {
  return await showNew(context, options, async (client) => {
    const { id } = await findBron(client, name);
    return await client.call("POST /api/brons/:id/duplicate", { params: { id }, body: {} });
  });
}

/** Archived Brons take no new tasks, and are left out of lists. */
export async function archiveBron(
  context: CommandContext,
  name: string,
  options: Json,
): Promise<ExitCode> {
  const bron = await changeBron(context, name, "POST /api/brons/:id/archive");
  const shown = `"${oneLine(bron.name)}"`;
  if (options.json === true) json(context.terminal, { bron });
  else
    line(
      context.terminal,
      `Archived ${shown}. Its tasks stay. Restore it with: bron brons restore ${shown}`,
    );
  return 0;
}

export async function restoreBron(
  context: CommandContext,
  name: string,
  options: Json,
): Promise<ExitCode> {
  const bron = await changeBron(context, name, "POST /api/brons/:id/restore");
  if (options.json === true) json(context.terminal, { bron });
  else line(context.terminal, `Restored "${oneLine(bron.name)}".`);
  return 0;
}

interface ExportOptions extends Json {
  readonly output?: string;
}

/** Fails if the file exists, unless its path was given. */
export async function exportBron(
  context: CommandContext,
  name: string,
  { output, json: asJson }: ExportOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const bron = await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const { id } = await findBron(client, name);
    return await client.call("GET /api/brons/:id/export", { params: { id } });
  });
  const path = output ?? `bron-${fileNameOf(bron.name)}.json`;
  await writeFile(path, `${JSON.stringify(bron, null, 2)}\n`, {
    flag: output === undefined ? "wx" : "w",
  }).catch((error: unknown) => {
    throw fileError(error, path);
  });
  if (asJson === true) json(terminal, { exported: path, bron });
  else line(terminal, `Exported "${oneLine(bron.name)}" to ${oneLine(path)}.`);
  return 0;
}

export async function importBron(
  context: CommandContext,
  path: string,
  { keepTrust = false, json: asJson }: { readonly keepTrust?: boolean; readonly json?: boolean },
): Promise<ExitCode> {
  const { terminal } = context;
  const file = await readExport(path);
  const { bron, missing, toolCount } = await reachRuntime(
    context,
    { work: "none" },
    async ({ client }) => ({
      ...(await client.call("POST /api/brons/import", {
        body: {
          bron: { ...file, tools: file.tools && [...file.tools] },
          keepTrustLevel: keepTrust,
        },
      })),
      toolCount: (await client.call("GET /api/tools")).tools.length,
    }),
  );
  if (asJson === true) {
    json(terminal, { bron, missing });
    return 0;
  }
  showDetails(context, bron, toolCount);
  if (bron.trustLevel !== file.trustLevel)
    note(terminal, `It is supervised. The file says ${file.trustLevel}: --keep-trust keeps that.`);
  if (missing.tools.length > 0)
    note(terminal, `Not installed here: ${missing.tools.map(oneLine).join(", ")}`);
  if (missing.model !== null)
    note(
      terminal,
      `There is no model ${oneLine(missing.model)} here, so it uses the default model.`,
    );
  return 0;
}

async function readExport(path: string): Promise<BronExport> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw fileError(error, path);
  });
  try {
    return bronExportSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new BronError("invalid_input", `${oneLine(path)} is not an exported Bron.`, {
      cause: error,
      details: { hint: "Export one with: bron brons export <bron>" },
    });
  }
}

async function changeBron(
  context: CommandContext,
  name: string,
  key: "POST /api/brons/:id/archive" | "POST /api/brons/:id/restore",
): Promise<BronView> {
  return await reachRuntime(context, { work: "none" }, async ({ client }) => {
    const { id } = await findBron(client, name);
    return await client.call(key, { params: { id }, body: {} });
  });
}

async function showNew(
  context: CommandContext,
  options: Json,
  create: (client: Client) => Promise<BronView>,
): Promise<ExitCode> {
  const { bron, toolCount } = await reachRuntime(context, { work: "none" }, async ({ client }) => ({
    bron: await create(client),
    toolCount: (await client.call("GET /api/tools")).tools.length,
  }));
  if (options.json === true) json(context.terminal, { bron });
  else showDetails(context, bron, toolCount);
  return 0;
}

/** Plain characters only, so that no name leaves the folder. */
function fileNameOf(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return plain.replaceAll(/^-|-$/g, "") || "export";
}

import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import {
  describeItem,
  omitUndefined,
  originWords,
  type BronView,
  type MemoryEntry,
  type MemoryKind,
  type MemoryState,
} from "@bron/protocol";
import { writeFile } from "node:fs/promises";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { fileError } from "../file-error.ts";
import { findBron } from "../find-bron.ts";
import { findMemory } from "../find-by-id.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { fields, table } from "../render/table.ts";
import { oneLine } from "../render/visible.ts";
import { json, line, note, paint } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

interface ListOptions extends Json {
  readonly limit: number;
  readonly query?: string;
  readonly bron?: string;
  readonly state?: MemoryState;
}

const through = <T>(context: CommandContext, work: (client: Client) => Promise<T>): Promise<T> =>
  reachRuntime(context, { work: "none" }, ({ client }) => work(client));

export async function listMemory(context: CommandContext, options: ListOptions): Promise<ExitCode> {
  const { limit, query, state } = options;
  const { entries, brons } = await through(context, async (client) => {
    const bronId =
      options.bron === undefined ? undefined : (await findBron(client, options.bron)).id;
    const list = (wanted: MemoryState) =>
      client.list("GET /api/memory", { ...omitUndefined({ query, bronId }), state: wanted, limit });
    const lists = await Promise.all(
      (state === undefined ? (["suggested", "confirmed"] as const) : [state]).map(list),
    );
    return { entries: lists.flat(), ...(await client.call("GET /api/brons", { query: {} })) };
  });
  const { terminal } = context;
  if (options.json === true) json(terminal, { entries });
  else if (entries.length === 0)
    note(
      terminal,
      query === undefined
        ? 'Nothing is remembered yet. Add something with: bron memory add "I prefer short emails"'
        : "Nothing that is remembered has these words.",
    );
  else {
    const rows = entries.map((entry) => [
      shortId(entry.id),
      entry.state,
      entry.kind,
      bronOf(entry, brons),
      oneLine(entry.text, 500),
    ]);
    for (const text of table(["ID", "STATE", "KIND", "BRON", "TEXT"], rows, terminal.columns))
      line(terminal, text);
    if (entries.some((entry) => entry.state === "suggested"))
      note(terminal, "Suggestions are not used. Confirm one with: bron memory confirm <id>");
  }
  return 0;
}

export async function showMemory(
  context: CommandContext,
  id: string,
  options: Json,
): Promise<ExitCode> {
  return await show(context, options, (client) => findMemory(client, id));
}

export async function addMemory(
  context: CommandContext,
  text: string,
  { kind, bron, ...options }: Json & { readonly kind?: MemoryKind; readonly bron?: string },
): Promise<ExitCode> {
  return await show(context, options, async (client) => {
    const bronId = bron === undefined ? null : (await findBron(client, bron)).id;
    return await client.call("POST /api/memory", {
      body: { text, bronId, ...omitUndefined({ kind }) },
    });
  });
}

export async function editMemory(
  context: CommandContext,
  id: string,
  text: string | undefined,
  options: Json & {
    readonly kind?: MemoryKind;
    readonly bron?: string;
    readonly allBrons?: true;
  },
): Promise<ExitCode> {
  const { kind, bron, allBrons } = options;
  if (bron !== undefined && allBrons)
    throw new BronError("invalid_input", "Use either --bron or --all-brons.");
  if (text === undefined && kind === undefined && bron === undefined && !allBrons)
    throw new BronError("invalid_input", "Say what to change.", {
      details: { hint: 'For example: bron memory edit 3f9a1c20 "I prefer very short emails"' },
    });
  return await show(context, options, async (client) => {
    const found = await findMemory(client, id);
    const bronId = allBrons
      ? null
      : bron === undefined
        ? undefined
        : (await findBron(client, bron)).id;
    return await client.call("PATCH /api/memory/:id", {
      params: { id: found.id },
      body: omitUndefined({ text, kind, bronId }),
    });
  });
}

export async function confirmMemory(
  context: CommandContext,
  id: string,
  options: Json,
): Promise<ExitCode> {
  return await show(context, options, async (client) => {
    const found = await findMemory(client, id);
    return await client.call("POST /api/memory/:id/confirm", {
      params: { id: found.id },
      body: {},
    });
  });
}

export async function forgetMemory(
  context: CommandContext,
  id: string,
  options: Json,
): Promise<ExitCode> {
  const entry = await through(context, async (client) => {
    const found = await findMemory(client, id);
    return await client.call("POST /api/memory/:id/forget", { params: { id: found.id }, body: {} });
  });
  if (options.json === true) json(context.terminal, { entry });
  else line(context.terminal, `Forgot ${shortId(entry.id)}.`);
  return 0;
}

export async function exportMemory(
  context: CommandContext,
  { output, ...options }: Json & { readonly output: string },
): Promise<ExitCode> {
  const found = await through(context, (client) => client.call("GET /api/memory/export"));
  try {
    await writeFile(output, `${JSON.stringify(found, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw fileError(error, output);
  }
  const count = found.entries.length;
  if (options.json === true) json(context.terminal, { exported: output, entries: count });
  else
    line(
      context.terminal,
      `Exported ${count} ${count === 1 ? "statement" : "statements"} to ${output}. It is private text, so store it safely.`,
    );
  return 0;
}

export async function showSummary(
  context: CommandContext,
  name: string,
  options: Json & { readonly undo?: true },
): Promise<ExitCode> {
  const bron = await through(context, async (client) => {
    const found = await findBron(client, name);
    return options.undo
      ? await client.call("POST /api/brons/:id/memory/undo", { params: { id: found.id }, body: {} })
      : found;
  });
  const { terminal } = context;
  if (options.json === true) json(terminal, { bron });
  else {
    line(terminal, paint(terminal, "bold", oneLine(bron.name)));
    if (!bron.memoryOn) note(terminal, "Memory is off for this Bron.");
    for (const text of linesOf(bron.memorySummary || "Nothing yet.")) line(terminal, `  ${text}`);
    showChanges(context, bron);
  }
  return 0;
}

/** What the last update removed and added, line by line. */
function showChanges({ terminal }: CommandContext, bron: BronView): void {
  if (bron.memoryBefore === null) return;
  const [before, after] = [linesOf(bron.memoryBefore), linesOf(bron.memorySummary)];
  line(terminal, "Last update:");
  for (const text of before) if (!after.includes(text)) line(terminal, `  - ${text}`);
  for (const text of after) if (!before.includes(text)) line(terminal, `  + ${text}`);
  note(terminal, `Undo it with: bron memory summary "${oneLine(bron.name)}" --undo`);
}

const linesOf = (text: string) =>
  text
    .split(/\n|(?<=[.!?])\s+/)
    .filter((part) => part.trim() !== "")
    .map((part) => oneLine(part, part.length));

export async function switchMemory(
  context: CommandContext,
  name: string,
  { isOn, ...options }: Json & { readonly isOn: boolean },
): Promise<ExitCode> {
  const bron = await through(context, async (client) => {
    const { id } = await findBron(client, name);
    return await client.call("PATCH /api/brons/:id", { params: { id }, body: { memoryOn: isOn } });
  });
  if (options.json === true) json(context.terminal, { bron });
  else line(context.terminal, `Memory is ${isOn ? "on" : "off"} for ${oneLine(bron.name)}.`);
  return 0;
}

async function show(
  context: CommandContext,
  options: Json,
  work: (client: Client) => Promise<MemoryEntry>,
): Promise<ExitCode> {
  const { entry, brons } = await through(context, async (client) => ({
    entry: await work(client),
    ...(await client.call("GET /api/brons", { query: {} })),
  }));
  const { terminal } = context;
  if (options.json === true) json(terminal, { entry });
  else {
    line(terminal, paint(terminal, "bold", oneLine(entry.text || "(forgotten)", 2_000)));
    const { source } = entry;
    const rows: [string, string | undefined][] = [
      ["ID", entry.id],
      ["State", entry.state],
      ["Kind", entry.kind],
      ["For", bronOf(entry, brons)],
      ["From", entry.author === "owner" ? "you" : source ? sourceWords(source) : undefined],
      ["Task", source?.runId],
    ];
    for (const text of fields(rows)) line(terminal, text);
  }
  return 0;
}

function sourceWords({ origins, items }: NonNullable<MemoryEntry["source"]>): string {
  const date = (iso: string) => iso.slice(0, 10);
  if (items.length > 0) return items.map((item) => describeItem(item, date)).join("; ");
  if (origins.length === 0) return "your words";
  return origins.map((origin) => originWords[origin]).join(", ");
}

function bronOf({ bronId }: MemoryEntry, brons: readonly BronView[]): string {
  if (bronId === null) return "all Brons";
  return oneLine(brons.find(({ id }) => id === bronId)?.name ?? shortId(bronId));
}

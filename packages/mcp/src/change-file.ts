import { BronError } from "@bron/core";
import { asHomeFailure, ensureHome, replaceFile, withFileLock } from "@bron/files";
import type { NewMcpServer } from "@bron/protocol";
import { readOwnFile } from "@bron/settings";
import { z } from "zod";
import { serversFileOf } from "./find-servers.ts";
import { expandEntry } from "./expand-variables.ts";
import { parseEntry } from "./server-entry.ts";

const fileSchema = z.looseObject({ mcpServers: z.looseObject({}).optional() });
type File = z.infer<typeof fileSchema>;

/** Adds an entry to the file of the home. Throws conflict if the name is taken. */
export async function addServer(home: string, { name, ...server }: NewMcpServer): Promise<void> {
  if ((server.url === undefined) === (server.command === undefined))
    throw new BronError("invalid_input", "Give either a command or a URL.");
  const { url, headers, command, args, env } = server;
  const value =
    url === undefined
      ? { command, ...(args ? { args } : {}), ...(env ? { env } : {}) }
      : { type: "http", url, ...(headers ? { headers } : {}) };
  const entry = parseEntry(name, value);
  if (typeof entry === "string") throw new BronError("invalid_input", entry);
  // A variable may be set later. An address that is never allowed is refused now.
  const isVariable = url?.includes("${") === true;
  const expanded = isVariable ? undefined : expandEntry(entry, () => "value");
  if (expanded?.ok === false) throw new BronError("invalid_input", expanded.problem);
  await change(home, (servers) => {
    if (Object.hasOwn(servers, name))
      throw new BronError("conflict", `There is already an MCP server ${name}. Remove it first.`);
    return { ...servers, [name]: value };
  });
}

/** Throws not_found for a name that the file of the home does not have. */
export async function removeServer(home: string, name: string): Promise<void> {
  await change(home, (servers) => {
    if (!Object.hasOwn(servers, name))
      throw new BronError("not_found", `${serversFileOf(home)} has no MCP server ${name}.`);
    return Object.fromEntries(Object.entries(servers).filter(([other]) => other !== name));
  });
}

async function change(
  home: string,
  changeServers: (servers: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): Promise<void> {
  const path = serversFileOf(home);
  try {
    await ensureHome(home);
    await withFileLock(path, async () => {
      const file = await readFile(path);
      const mcpServers = changeServers(file.mcpServers ?? {});
      await replaceFile(path, `${JSON.stringify({ ...file, mcpServers }, null, 2)}\n`);
    });
  } catch (error) {
    throw BronError.is(error) ? error : asHomeFailure(error, path);
  }
}

async function readFile(path: string): Promise<File> {
  const read = await readOwnFile(path);
  if (read.kind === "missing") return {};
  try {
    if (read.kind === "read")
      return fileSchema.parse(JSON.parse(new TextDecoder().decode(read.bytes)));
  } catch {
    // Reported below.
  }
  throw new BronError("config_invalid", `${path} is not a valid file. Fix it first.`);
}

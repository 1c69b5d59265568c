import { z } from "zod";

/** A name that rules, tools and URLs can contain. */
const serverNamePattern = /^[A-Za-z0-9_-]{1,40}$/;

const text = z.string().max(4_000);
const variables = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/), text);
const timeout = z.number().int().min(1_000).max(600_000).optional();
const disabled = z.boolean().optional();

const stdioSchema = z.object({
  type: z.literal("stdio").optional(),
  command: text.min(1),
  args: z.array(text).max(100).default([]),
  env: variables.default({}),
  timeout,
  disabled,
});

const oauthSchema = z.object({
  clientId: text.min(1),
  clientSecret: text.optional(),
  scope: text.optional(),
});

const httpSchema = z.object({
  type: z.enum(["http", "streamable-http"]).optional(),
  url: text.min(1),
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), text).default({}),
  /** An app that is registered by hand, for a sign-in that does not register one itself. */
  oauth: oauthSchema.optional(),
  timeout,
  disabled,
});

interface Shared {
  /** How long one call may take, in milliseconds. */
  readonly timeout?: number | undefined;
  readonly disabled?: boolean | undefined;
}

export interface StdioEntry extends Shared {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface HttpEntry extends Shared {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: z.infer<typeof oauthSchema> | undefined;
}

/** An entry of a `.mcp.json`, as it is written there: variables are not expanded. */
export type ServerEntry = StdioEntry | HttpEntry;

export interface ServersFile {
  readonly entries: ReadonlyMap<string, ServerEntry>;
  /** Why an entry does not count, by its name. The name is empty if the whole file does not. */
  readonly problems: ReadonlyMap<string, string>;
}

const maxServers = 20;

/** Parses the bytes of a `.mcp.json`. Never throws, and never repeats a value, which may be secret. */
export function parseServersFile(bytes: Uint8Array): ServersFile {
  const problems = new Map<string, string>();
  const entries = new Map<string, ServerEntry>();
  const listed = readServers(bytes);
  if (typeof listed === "string") return { entries, problems: new Map([["", listed]]) };
  for (const [name, value] of Object.entries(listed).slice(0, maxServers)) {
    const entry = parseEntry(name, value);
    if (typeof entry === "string") problems.set(name, entry);
    else entries.set(name, entry);
  }
  if (Object.keys(listed).length > maxServers)
    problems.set("", `It has more than ${maxServers} servers. The others are ignored.`);
  return { entries, problems };
}

function readServers(bytes: Uint8Array): object | string {
  let file: unknown;
  try {
    file = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return "It is not valid JSON.";
  }
  const servers = z.object({ mcpServers: z.looseObject({}) }).safeParse(file);
  return servers.success ? servers.data.mcpServers : 'It has no object "mcpServers".';
}

/** Returns the entry, or why it cannot be used. */
export function parseEntry(name: string, value: unknown): ServerEntry | string {
  if (!serverNamePattern.test(name))
    return "Its name may have 40 letters, digits, hyphens and underscores.";
  if (typeof value !== "object" || value === null) return "It is not an object.";
  if ("type" in value && value.type === "sse")
    return "It uses the older SSE transport, which Bron does not support. Use type http.";
  const isHttp = "url" in value;
  const parsed = isHttp ? httpSchema.safeParse(value) : stdioSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue?.path.join(".") || "The entry"}: ${issue?.message ?? "invalid"}`;
  }
  const { type: _, ...rest } = parsed.data;
  return "url" in rest ? { kind: "http", ...rest } : { kind: "stdio", ...rest };
}

/** What the server is, for people: its command line or its URL, without values of variables. */
export function describeEntry(entry: ServerEntry): string {
  return entry.kind === "http" ? entry.url : [entry.command, ...entry.args].join(" ");
}

/**
 * What decides which program or address the server is. If it changes, the owner accepted the tools
 * of another server.
 */
export function sourceOf(entry: ServerEntry): object {
  return entry.kind === "http"
    ? { url: entry.url }
    : { command: entry.command, args: entry.args, env: Object.keys(entry.env).toSorted() };
}

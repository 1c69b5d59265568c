import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";

/** What a server says about one of its tools. Bron believes none of it. */
export const mcpDefinitionSchema = z.object({
  /** The name that the tool has at the server. */
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: jsonObjectSchema,
  /** Claims such as `readOnlyHint`. They are shown, and change nothing. */
  hints: z.record(z.string(), z.boolean()),
});
export type McpDefinition = Readonly<z.infer<typeof mcpDefinitionSchema>>;

/**
 * `accepted`: runs have the tool. `new` and `changed` wait for the owner. `gone`: the owner accepted
 * it, and the server no longer has it. `unusable`: its input cannot be checked.
 */
const mcpToolStates = ["accepted", "new", "changed", "gone", "unusable"] as const;

const mcpToolViewSchema = z.object({
  ...mcpDefinitionSchema.shape,
  state: z.enum(mcpToolStates),
  /** With `changed`: what the owner accepted before. */
  accepted: mcpDefinitionSchema.nullable(),
});
export type McpToolView = Readonly<z.infer<typeof mcpToolViewSchema>>;

/**
 * - `untested`: Bron has not asked it for its tools yet.
 * - `held`: it has tools that the owner has not accepted.
 * - `ready`: runs have its tools. It is started when a run first uses one.
 * - `running`: it is connected.
 * - `failed`: it could not be started or reached.
 * - `needs_sign_in`: it asks the owner to sign in.
 * - `invalid`: its entry cannot be used. `untrusted`: the owner has not accepted the file.
 * - `disabled`: its entry says so.
 */
const mcpServerStates = [
  "untested",
  "held",
  "ready",
  "running",
  "failed",
  "needs_sign_in",
  "invalid",
  "untrusted",
  "disabled",
] as const;
export type McpServerState = (typeof mcpServerStates)[number];

export const mcpServerViewSchema = z.object({
  /** The name that rules use. For a server of a folder it contains the folder's. */
  name: z.string(),
  /** The name in the file. */
  title: z.string(),
  /** The trusted folder that the entry is in. Null for the home of Bron. */
  folder: z.string().nullable(),
  /** It belongs to the sandbox, and is in no file. */
  isSample: z.boolean(),
  transport: z.enum(["stdio", "http"]).nullable(),
  /** The command line or the URL, without the values of variables. */
  target: z.string(),
  state: z.enum(mcpServerStates),
  /** Why it is in this state, in a sentence. It may quote the server. */
  problem: z.string().nullable(),
  /** Whether the owner is signed in there. Null if it asks for no sign-in. */
  signedIn: z.boolean().nullable(),
  tools: z.array(mcpToolViewSchema),
  /** What Bron does not use of the server. */
  notes: z.array(z.string()),
  /** The digest of the tools as listed. Accepting names it. Null before a test. */
  digest: z.string().nullable(),
});
export type McpServerView = Readonly<z.infer<typeof mcpServerViewSchema>>;

/** A new entry of the file. Only a terminal can add one with a command. */
export const newMcpServerSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, "may have 40 letters, digits, - and _"),
  command: z.string().min(1).max(4_000).optional(),
  args: z.array(z.string().max(4_000)).max(100).optional(),
  env: z.record(z.string(), z.string().max(4_000)).optional(),
  url: z.string().min(1).max(4_000).optional(),
  headers: z.record(z.string(), z.string().max(4_000)).optional(),
});
export type NewMcpServer = Readonly<z.infer<typeof newMcpServerSchema>>;

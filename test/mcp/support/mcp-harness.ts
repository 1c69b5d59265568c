// A runtime on a memory store with the MCP servers of a temporary home.
import type { Client } from "@bron/client";
import { createToolServers } from "@bron/mcp";
import { memoryStore, type MemoryStore } from "@bron/memory-store";
import type { McpServerView, QuestionView, ServedPlace } from "@bron/protocol";
import { createRuntime, type Runtime } from "@bron/runtime";
import { scriptedLanguageModel, tempFolder, type Script } from "@bron/testing";
import { readFile, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { SmallServerMode } from "./small-server.ts";

export const smallProgram = fileURLToPath(new URL("small-program.ts", import.meta.url));
export const mcpOwner = "local";

export interface McpHarness {
  readonly home: string;
  readonly client: Client;
  readonly runtime: Runtime;
  /** What the small program noted: its starts and its calls. */
  notes(): Promise<readonly string[]>;
  /** The mode of the next start of the program. */
  setMode(mode: SmallServerMode): Promise<void>;
  server(name: string): Promise<McpServerView>;
  test(name: string): Promise<McpServerView>;
  /** Tests a server and accepts all that it offers. */
  accept(name: string): Promise<void>;
  allow(server: string): Promise<void>;
  /** Starts a task and waits until it ends or waits. */
  start(prompt?: string): Promise<string>;
  toEnd(runId: string): Promise<void>;
  approve(): Promise<void>;
  /** The results of the tool calls of a run. */
  results(runId: string): Promise<readonly Record<string, unknown>[]>;
  /** The log entries of a run that have this kind. */
  logsOf(runId: string, kind: string): Promise<readonly unknown[]>;
  /** Waits until a task asks something. */
  nextQuestion(): Promise<QuestionView>;
  /** Opens another runtime on the same home and store, as a restart does. */
  reopen(servers?: Readonly<Record<string, unknown>>): Promise<McpHarness>;
}

interface McpHarnessOptions {
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly mode?: SmallServerMode;
  readonly script: Script;
  readonly variables?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly home?: string;
  readonly places?: readonly ServedPlace[];
  readonly store?: MemoryStore;
}

/** A script that calls one tool once, and then ends. */
export function callOnce(tool: string, input: object = {}): Script {
  return ({ turn }) => (turn === 0 ? { calls: [{ tool, input }] } : { text: "Done." });
}

export async function openMcp(options: McpHarnessOptions): Promise<McpHarness> {
  const { mode = "good", script, variables = {}, timeout = 3_000 } = options;
  const home = options.home ?? (await tempFolder());
  const store = options.store ?? memoryStore();
  const notes = join(home, "notes.txt");
  const servers = options.servers ?? {
    small: { command: process.execPath, args: [smallProgram, mode, notes], timeout },
  };
  await writeFile(join(home, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
  const runtime = await createRuntime({
    store,
    secretKey: "a secret key of the tests, which stays the same",
    model: { model: scriptedLanguageModel(script), name: "scripted", maxOutputTokens: 500 },
    places: options.places ?? [],
    toolServers: createToolServers({
      home,
      ownerId: mcpOwner,
      machine: "here",
      version: "0.0.0",
      readVariable: (name) => variables[name],
    }),
  });
  onTestFinished(() => runtime.close());
  const client = runtime.clientFor(mcpOwner);
  const find = (list: readonly McpServerView[], name: string) => {
    const found = list.find((server) => server.name === name);
    if (!found)
      throw new Error(`There is no server ${name}: ${list.map((one) => one.name).join()}`);
    return found;
  };
  const settle = async (runId: string) => {
    for await (const _ of client.events(runId, { untilParked: true }));
  };
  const harness: McpHarness = {
    home,
    client,
    runtime,
    notes: async () =>
      (await readFile(notes, "utf8").catch(() => "")).split("\n").filter((line) => line !== ""),
    setMode: (next) => writeFile(`${notes}.mode`, next),
    server: async (name) => find((await client.call("GET /api/mcp-servers")).servers, name),
    test: async (name) =>
      find(
        (await client.call("POST /api/mcp-servers/:name/test", { params: { name }, body: {} }))
          .servers,
        name,
      ),
    async accept(name) {
      const { digest, problem } = await harness.test(name);
      if (digest === null) throw new Error(`${name} offers nothing: ${problem}`);
      await client.call("POST /api/mcp-servers/:name/accept", {
        params: { name },
        body: { digest },
      });
    },
    async allow(server) {
      await client.call("POST /api/permissions/rules", {
        body: { tool: "*", verdict: "allow", server },
      });
    },
    async start(prompt = "Look up Eva") {
      const { id } = await client.call("POST /api/runs", { body: { prompt } });
      await settle(id);
      return id;
    },
    async toEnd(runId) {
      for await (const _ of client.events(runId));
    },
    async approve() {
      const [approval] = await client.list("GET /api/approvals", { pending: "true" });
      if (!approval) throw new Error("Nothing waits for an approval");
      const { id, digest } = approval;
      await client.call("POST /api/approvals/:id/approve", { params: { id }, body: { digest } });
    },
    async results(runId) {
      const found: Record<string, unknown>[] = [];
      for await (const event of client.events(runId, { untilParked: true }))
        if (
          event.type === "tool" &&
          event.payload.phase === "end" &&
          event.payload.name !== "report_outcome"
        )
          found.push(event.payload as unknown as Record<string, unknown>);
      return found;
    },
    async logsOf(runId, kind) {
      const found: unknown[] = [];
      for await (const event of client.events(runId, { untilParked: true }))
        if (event.type === "log" && "kind" in event.payload && event.payload.kind === kind)
          found.push(event.payload);
      return found;
    },
    async nextQuestion() {
      for (;;) {
        const [question] = await client.list("GET /api/questions", { pending: "true" });
        if (question) return question;
        await setTimeout(10);
      }
    },
    reopen: (next = servers) => openMcp({ ...options, servers: next, home, store }),
  };
  return harness;
}

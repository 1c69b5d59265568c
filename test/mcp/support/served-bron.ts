// A server on a memory runtime, with a token for a program.
import type { Client } from "@bron/client";
import { defineTool } from "@bron/core";
import { createToolServers } from "@bron/mcp";
import { memoryStore } from "@bron/memory-store";
import type { Scope } from "@bron/protocol";
import { createRuntime } from "@bron/runtime";
import { createServer, type BronServer } from "@bron/server";
import { memoryAccess, scriptedLanguageModel, tempFolder, type Script } from "@bron/testing";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { noServerLimits } from "../../support/http/no-server-limits.ts";

const ownerId = "local";

export interface ServedBron {
  readonly server: BronServer;
  /** Acts for the owner in this process. */
  readonly owner: Client;
  readonly sent: readonly string[];
  token(...scopes: readonly Scope[]): Promise<string>;
  session(): Promise<string>;
  /** Calls a tool of `/mcp` with a new token, and returns its data. */
  callMcp(name: string, args: object, ...scopes: readonly Scope[]): Promise<unknown>;
}

interface ServedBronOptions {
  readonly script: Script;
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly createRunsPerMinute?: number;
}

export async function serveBron(options: ServedBronOptions): Promise<ServedBron> {
  const { script, servers = {}, createRunsPerMinute = 0 } = options;
  const home = await tempFolder();
  await writeFile(join(home, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
  const sent: string[] = [];
  const send = defineTool({
    name: "gmail_send",
    description: "Sends an email.",
    input: z.object({ to: z.string(), body: z.string() }),
    sideEffect: true,
    effectKind: "send_mail",
    facts: (prepared) => ({
      kind: "mail",
      account: "mara@lindqvist.example",
      recipients: [{ address: (prepared as { to: string }).to, role: "to" }],
      hosts: [],
      attachments: [],
      warnings: [],
    }),
    execute: (input) => {
      const { to } = input as { to: string };
      sent.push(to);
      return { sent: to };
    },
  });
  const makeFile = defineTool({
    name: "make_file",
    description: "Makes a file.",
    input: z.object({}),
    execute: async (_, { saveArtifact }) => {
      const bytes = new TextEncoder().encode("the minutes");
      await saveArtifact({ kind: "note", name: "minutes.txt", mediaType: "text/plain", bytes });
      return "made";
    },
  });
  const runtime = await createRuntime({
    store: memoryStore(),
    access: memoryAccess(),
    model: { model: scriptedLanguageModel(script), name: "scripted", maxOutputTokens: 500 },
    tools: [send, makeFile],
    toolServers: createToolServers({
      home,
      ownerId,
      machine: "here",
      version: "0.0.0",
      readVariable: () => undefined,
    }),
  });
  const server = await createServer({
    ...noServerLimits,
    runtime,
    ownerId,
    serverId: "s",
    host: "127.0.0.1",
    port: 0,
    rates: { ...noServerLimits.rates, createRun: { perUser: createRunsPerMinute, perAddress: 0 } },
  });
  onTestFinished(async () => {
    await server.close();
    await runtime.close();
  });
  const tokenFor = async (granted: readonly Scope[]) =>
    (await runtime.tokens.create(ownerId, { name: "editor", scopes: [...granted], days: 1 })).token;
  return {
    server,
    owner: runtime.clientFor(ownerId),
    sent,
    token: (...granted) => tokenFor(granted),
    async callMcp(name, args, ...granted) {
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${await tokenFor(granted)}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: args },
        }),
      });
      const { result } = (await response.json()) as {
        result: { content: { text: string }[] };
      };
      return JSON.parse(result.content[0]?.text ?? "null");
    },
    session: async () =>
      (await runtime.sessions.open(ownerId, { via: "link", userAgent: "", lifeMs: 3_600_000 }))
        .secret,
  };
}

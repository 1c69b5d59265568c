import type { Client } from "@bron/client";
import { BronError, cleanText } from "@bron/core";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
} from "@modelcontextprotocol/sdk/types.js";
import { isBrandedError } from "@bron/protocol";
import { z } from "zod";
import { taskTools, type TaskToolResult } from "./task-tools.ts";

export interface TaskServerInput {
  readonly client: Client;
  readonly version: string;
  /** Called before each tool, and throws to reject the call. */
  readonly beforeCall?: (tool: string) => Promise<void>;
  readonly signal: AbortSignal;
  /** Reports an error that is not for the caller. */
  readonly onProblem: (message: string, error: unknown) => void;
}

/** Bron as an MCP server, for one connection. The caller closes what this returns. */
export async function connectTaskServer(
  transport: Transport,
  input: TaskServerInput,
): Promise<Server> {
  const server = new Server(
    { name: "bron", title: "Bron", version: input.version },
    {
      capabilities: { tools: {} },
      instructions:
        "Bron is the user's personal agent. Start a task, wait for it, and read its answer. Bron asks the user before it sends or changes anything: you cannot approve.",
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: taskTools.map(({ name, title, description, input: schema, readOnly }) => ({
      name,
      title,
      description,
      inputSchema: z.toJSONSchema(schema, { target: "draft-7", io: "input" }) as { type: "object" },
      annotations: {
        title,
        readOnlyHint: readOnly,
        destructiveHint: false,
        openWorldHint: !readOnly,
      },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) =>
    callTool(params.name, params.arguments ?? {}, {
      ...input,
      signal: AbortSignal.any([signal, input.signal]),
    }),
  );
  await server.connect(transport);
  return server;
}

async function callTool(
  name: string,
  args: object,
  { client, beforeCall, signal, onProblem }: TaskServerInput,
): Promise<CallToolResult> {
  const tool = taskTools.find((one) => one.name === name);
  if (!tool) return failed(`There is no tool ${name.slice(0, 100)}.`);
  try {
    await beforeCall?.(name);
    return toResult(await tool.run(args, { client, signal }));
  } catch (error) {
    if (error instanceof z.ZodError) return failed(z.prettifyError(error));
    if (isBrandedError(error) && error.code !== "internal") return failed(error.message);
    onProblem("A tool of the MCP server failed", error);
    return failed("Something went wrong in Bron.");
  }
}

function failed(message: string): CallToolResult {
  return { content: [{ type: "text", text: cleanText(message) }], isError: true };
}

function toResult({ data, file }: TaskToolResult): CallToolResult {
  const content: CallToolResult["content"] = [
    { type: "text", text: JSON.stringify(data, null, 1) },
  ];
  if (file) {
    const { name, mediaType, bytes } = file;
    const uri = `bron://artifact/${encodeURIComponent(name)}`;
    content.push({
      type: "resource",
      resource: isText(mediaType)
        ? { uri, mimeType: mediaType, text: new TextDecoder().decode(bytes) }
        : { uri, mimeType: mediaType, blob: Buffer.from(bytes).toString("base64") },
    });
  }
  return { content };
}

function isText(mediaType: string): boolean {
  return /^(?:text\/|application\/json\b|message\/rfc822\b)/.test(mediaType);
}

/** Rejects what no MCP client sends, before anything is parsed. */
export function checkMessage(body: unknown): void {
  const isMessage = typeof body === "object" && body !== null && !Array.isArray(body);
  if (!isMessage) throw new BronError("invalid_input", "Send one JSON-RPC message.");
}

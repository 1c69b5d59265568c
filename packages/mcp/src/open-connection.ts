import { BronError } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  ListToolsResultSchema,
  ToolListChangedNotificationSchema,
  type CallToolResult,
  type Tool as ListedTool,
} from "@modelcontextprotocol/sdk/types.js";
import { createBoundedFetch } from "./bounded-fetch.ts";
import type { Elicit } from "./elicitation.ts";
import { createFlowLimit, type FlowLimit } from "./flow-limit.ts";
import type { HttpEntry, ServerEntry } from "./server-entry.ts";
import { createStdioTransport, type StdioTransport } from "./stdio-transport.ts";
import { maxTools } from "./definition.ts";

const startMs = 30_000;
const maxPages = 20;

interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (message: string) => void;
  readonly elicit: Elicit;
}

/** An open connection to one server. */
export interface Connection {
  listTools(): Promise<readonly ListedTool[]>;
  /** Throws what the SDK throws. See `classifyFailure`. */
  callTool(name: string, input: object, options: CallOptions): Promise<CallToolResult>;
  /** What a program wrote to standard error before it ended. */
  lastWords(): string;
  close(): Promise<void>;
}

export interface OpenInput {
  readonly entry: ServerEntry;
  readonly version: string;
  /** The folder in which a program starts. */
  readonly cwd: string;
  /** The header of a sign-in, for a server on the web. */
  readonly authorization: () => Promise<string | undefined>;
  readonly onUnauthorized: (challenge: string | null) => void;
  /** The server says that its tools changed. It may say so as often as it likes. */
  readonly onToolsChanged: () => void;
  readonly onClose: () => void;
  readonly fetch: typeof fetch;
}

/** Starts or reaches a server. Throws if it does not respond as an MCP server in time. */
export async function openConnection(input: OpenInput): Promise<Connection> {
  const flow = createFlowLimit();
  const client = createMcpClient(input.version);
  const calls = new Set<Elicit>();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => input.onToolsChanged());
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const [only, ...others] = calls;
    // With several calls in flight, nothing says which task the question belongs to.
    if (!only || others.length > 0 || !("requestedSchema" in params)) return { action: "decline" };
    return await only(params);
  });
  const { transport, lastWords } = createTransport(input, flow, () => void client.close());
  client.onclose = () => input.onClose();
  try {
    await client.connect(transport, { timeout: startMs, maxTotalTimeout: startMs });
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    const words = lastWords();
    throw words === ""
      ? error
      : new BronError("tool_failed", `The program ended: ${words}`, { cause: error });
  }
  return {
    lastWords,
    async listTools() {
      const tools: ListedTool[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages && tools.length <= maxTools; page++) {
        flow.reset();
        const listed = await client.request(
          { method: "tools/list", params: cursor === undefined ? {} : { cursor } },
          ListToolsResultSchema,
          { timeout: startMs, maxTotalTimeout: startMs },
        );
        tools.push(...listed.tools);
        cursor = listed.nextCursor;
        if (cursor === undefined) break;
      }
      return tools.slice(0, maxTools + 1);
    },
    async callTool(name, args, { signal, timeoutMs, onProgress, elicit }) {
      flow.reset();
      calls.add(elicit);
      try {
        return await client.request(
          { method: "tools/call", params: { name, arguments: { ...args } } },
          CallToolResultSchema,
          {
            signal,
            timeout: timeoutMs,
            maxTotalTimeout: timeoutMs,
            onprogress: ({ progress, total, message }) =>
              onProgress(
                message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`),
              ),
          },
        );
      } finally {
        calls.delete(elicit);
      }
    },
    async close() {
      client.onclose = () => undefined;
      await endSession(transport);
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
    },
  };
}

function createMcpClient(version: string): Client {
  return new Client(
    { name: "bron", title: "Bron", version: version },
    {
      // Neither sampling nor roots: a server cannot ask for text of a model or for files.
      capabilities: { elicitation: { form: {} } },
      // Bron validates by itself. The default would compile the schemas of strangers to code.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({
          valid: true,
          data: data as never,
          errorMessage: undefined,
        }),
      },
    },
  );
}

interface OpenedTransport {
  readonly transport: Transport;
  readonly lastWords: () => string;
}

function createTransport(
  { entry, cwd, ...input }: OpenInput,
  flow: FlowLimit,
  onFlood: () => void,
): OpenedTransport {
  if (entry.kind === "http")
    return { transport: httpTransport(entry, input, flow, onFlood), lastWords: () => "" };
  const transport: StdioTransport = createStdioTransport(entry, { flow, cwd });
  return { transport, lastWords: () => transport.end()?.stderr.trim() ?? "" };
}

function httpTransport(
  entry: HttpEntry,
  input: Omit<OpenInput, "entry" | "cwd">,
  flow: FlowLimit,
  onFlood: () => void,
): Transport {
  const transport = new StreamableHTTPClientTransport(new URL(entry.url), {
    fetch: createBoundedFetch({
      flow,
      fetch: input.fetch,
      onUnauthorized: input.onUnauthorized,
      onFlood,
      async headers() {
        const authorization = await input.authorization();
        return { ...entry.headers, ...omitUndefined({ authorization }) };
      },
    }),
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 60_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
  return countingMessages(transport, flow, onFlood);
}

/** Ends the connection when the server sends too many messages. */
function countingMessages(transport: Transport, flow: FlowLimit, onFlood: () => void): Transport {
  let receive: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () => receive,
    set(next: Transport["onmessage"]) {
      receive =
        next &&
        ((message, extra) => {
          try {
            flow.countMessage();
          } catch {
            return onFlood();
          }
          next(message, extra);
        });
    },
  });
  return transport;
}

/** Lets a server on the web forget the session. It need not respond. */
async function endSession(transport: Transport): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport) || transport.sessionId === undefined)
    return;
  const late = new Promise((resolve) => setTimeout(resolve, 1_000).unref());
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
}

import type { JsonObject, ToolInputSchema } from "@bron/page/wire";
import { withReport } from "./element-calls.ts";
import { isToolName } from "./tool-names.ts";
import { isObject, ToolProblem, type PreparedCall, type Risk, type Tool } from "./tool.ts";

/** A tool of the site's own, in the form of WebMCP. */
export interface SiteTool {
  /** 1 to 64 letters, digits, `_`, `.` or `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of type "object". Omit it for a tool without arguments. */
  readonly inputSchema?: JsonObject;
  readonly annotations?: {
    /** Changes nothing, so that it needs no approval. */
    readonly readOnlyHint?: boolean;
    /** The visitor approves each call. This is also the rule without any annotation. */
    readonly consequentialHint?: boolean;
    /** Changes only what the page shows. */
    readonly reversibleHint?: boolean;
  };
  execute(input: JsonObject, context: { readonly signal: AbortSignal }): unknown;
}

export interface SiteTools {
  /** Throws a `TypeError`-like problem for a bad or taken name. Returns what removes the tool. */
  register(tool: SiteTool, options?: { readonly signal?: AbortSignal }): () => void;
  all(): readonly SiteTool[];
  subscribe(onChange: () => void): void;
}

/** What `registerTool` throws. */
class InvalidToolError extends Error {
  override readonly name = "InvalidToolError";
}

export function createSiteTools(reserved: readonly string[]): SiteTools {
  const tools = new Map<string, SiteTool>();
  let notify: () => void = () => undefined;
  return {
    register(tool, { signal } = {}) {
      if (!isToolName(tool.name))
        throw new InvalidToolError(
          `"${tool.name}" is not a tool name. Use 1 to 64 letters, digits, _, . or -.`,
        );
      if (reserved.includes(tool.name) || tools.has(tool.name))
        throw new InvalidToolError(`A tool called "${tool.name}" exists already.`);
      if (typeof tool.description !== "string" || tool.description.trim() === "")
        throw new InvalidToolError(`The tool "${tool.name}" needs a description.`);
      tools.set(tool.name, tool);
      const remove = () => {
        if (tools.get(tool.name) !== tool) return;
        tools.delete(tool.name);
        notify();
      };
      signal?.addEventListener("abort", remove, { once: true });
      notify();
      return remove;
    },
    all: () => [...tools.values()],
    subscribe: (onChange) => void (notify = onChange),
  };
}

/** `null` and a missing schema stand for "no arguments". */
export function toInputSchema(schema: unknown): ToolInputSchema {
  const parsed: unknown = typeof schema === "string" ? JSON.parse(schema) : schema;
  const own = isObject(parsed) ? parsed : {};
  return { ...own, type: "object", properties: isObject(own.properties) ? own.properties : {} };
}

export function riskOfAnnotations(annotations: SiteTool["annotations"]): Risk {
  if (annotations?.consequentialHint) return "ask";
  if (annotations?.readOnlyHint) return "free";
  return annotations?.reversibleHint ? "reversible" : "ask";
}

export function toTool(tool: SiteTool, name: string): Tool {
  return {
    name,
    description: tool.description.slice(0, 1_000),
    inputSchema: toInputSchema(tool.inputSchema),
    prepare: (args) =>
      prepareFunction({
        words: `Use “${tool.name}”`,
        risk: riskOfAnnotations(tool.annotations),
        args,
        run: (signal) => tool.execute(args, { signal }),
      }),
  };
}

export interface FunctionCall {
  readonly words: string;
  readonly risk: Risk;
  readonly args: JsonObject;
  run(signal: AbortSignal): unknown;
}

const longestMs = 60_000;
const maxOutput = 20_000;

export function prepareFunction({ words, risk, args, run }: FunctionCall): PreparedCall {
  return {
    risk,
    words,
    details: Object.entries(args).map(
      ([name, value]) =>
        [name, typeof value === "string" ? value.slice(0, 300) : JSON.stringify(value)] as const,
    ),
    element: undefined,
    run: (signal) =>
      withReport(risk === "ask", signal, async () => ({
        did: words,
        result: toOutput(await endInTime(Promise.resolve(run(signal)), signal)),
      })),
  };
}

async function endInTime(running: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return await new Promise((resolve, reject) => {
    const end = (message: string) => reject(new ToolProblem(message));
    const timer = setTimeout(
      () => end("The tool has not ended within a minute. It may still be running."),
      longestMs,
    );
    signal.addEventListener("abort", () => end("The visitor stopped this call."), { once: true });
    running.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The output as JSON, cut to a size that a request can carry. */
function toOutput(output: unknown): JsonObject[string] {
  const text = typeof output === "string" ? output : JSON.stringify(output ?? null);
  if (text === undefined) return null;
  return text.length > maxOutput
    ? `${text.slice(0, maxOutput)} (cut after ${maxOutput} characters)`
    : typeof output === "string"
      ? output
      : (JSON.parse(text) as JsonObject[string]);
}

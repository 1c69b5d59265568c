import type { JsonObject } from "@bron/page/wire";
import { prepareFunction, riskOfAnnotations, toInputSchema, type SiteTool } from "./site-tools.ts";
import type { ToolNames } from "./tool-names.ts";
import type { Tool } from "./tool.ts";

/** What a browser with WebMCP lists. */
interface ContextTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema?: unknown;
  readonly annotations?: SiteTool["annotations"];
}

/** `document.modelContext`, a draft: everything about it may be missing. */
interface ModelContext {
  registerTool?(
    tool: Omit<SiteTool, "execute"> & { execute(input: unknown): Promise<unknown> },
    options: { readonly signal: AbortSignal },
  ): Promise<unknown>;
  getTools?(): Promise<readonly ContextTool[]> | readonly ContextTool[];
  executeTool?(tool: ContextTool, input: object | string, options?: object): Promise<unknown>;
}

export interface WebMcp {
  /** Tools of the page that the browser lists, forms included. Never those that we published. */
  tools(names: ToolNames): Promise<Tool[]>;
  /** Offers tools to the browser's own agent. Their calls take the same way as those of the chat. */
  publish(tools: readonly PublishedTool[]): void;
  close(): void;
}

export interface PublishedTool extends Omit<SiteTool, "execute"> {
  execute(input: unknown): Promise<unknown>;
}

export function createWebMcp(): WebMcp {
  const context = (document as { modelContext?: ModelContext }).modelContext;
  const published = new Map<string, AbortController>();
  return {
    async tools(names) {
      if (typeof context?.getTools !== "function") return [];
      try {
        const listed = await context.getTools();
        return [...listed]
          .filter(({ name }) => !published.has(name))
          .map((tool) => toTool(tool, names.nameFor(`mcp:${tool.name}`, tool.name), context));
      } catch {
        return [];
      }
    },
    publish(tools) {
      const wanted = new Set(tools.map(({ name }) => name));
      for (const [name, controller] of published) {
        if (wanted.has(name)) continue;
        controller.abort();
        published.delete(name);
      }
      if (typeof context?.registerTool !== "function") return;
      for (const tool of tools) {
        if (published.has(tool.name)) continue;
        const controller = new AbortController();
        published.set(tool.name, controller);
        // The page may have registered the name itself. Then its own tool stays.
        context
          .registerTool(tool, { signal: controller.signal })
          ?.catch(() => published.delete(tool.name));
      }
    },
    close() {
      for (const controller of published.values()) controller.abort();
      published.clear();
    },
  };
}

function toTool(tool: ContextTool, name: string, context: ModelContext): Tool {
  return {
    name,
    description: tool.description.slice(0, 1_000),
    inputSchema: toInputSchema(tool.inputSchema),
    prepare: (args) =>
      prepareFunction({
        words: `Use “${tool.title ?? tool.name}”`,
        risk: riskOfAnnotations(tool.annotations),
        args,
        run: (signal) => execute(context, tool, { args, signal }),
      }),
  };
}

/**
 * The draft takes an object, and its first version took JSON. A browser with that version fails to
 * parse an object before it runs anything, so the second attempt runs the tool for the first time.
 */
async function execute(
  context: ModelContext,
  tool: ContextTool,
  { args, signal }: { readonly args: JsonObject; readonly signal: AbortSignal },
): Promise<unknown> {
  try {
    return await context.executeTool?.(tool, args, { signal });
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("parse input")) throw error;
    return await context.executeTool?.(tool, JSON.stringify(args), { signal });
  }
}

import type { PendingToolCall, ToolCallResult } from "@bron/page/wire";
import { runCall, type RunCallDeps } from "../tools/run-call.ts";
import type { SiteTools } from "../tools/site-tools.ts";
import { isObject } from "../tools/tool.ts";
import type { ToolSet } from "../tools/tool-set.ts";
import type { PublishedTool, WebMcp } from "../tools/web-mcp.ts";

export interface PublishDeps {
  readonly site: SiteTools;
  readonly tools: ToolSet;
  readonly generic: readonly string[];
  runDeps(onStart: (words: string) => void): RunCallDeps;
}

/**
 * Offers the site's tools and the generic ones to the browser's own agent. A call from there is
 * judged, asked about and reported as one of the chat is.
 */
export function publishTools(webMcp: WebMcp, deps: PublishDeps): void {
  const run = async (name: string, input: unknown): Promise<ToolCallResult> => {
    const parsed: unknown = typeof input === "string" ? JSON.parse(input) : input;
    const call: PendingToolCall = {
      id: `webmcp:${name}`,
      name,
      args: isObject(parsed) ? parsed : {},
      category: "page-automation",
    };
    return await runCall(
      call,
      deps.runDeps(() => undefined),
      new AbortController().signal,
    );
  };
  const own = deps.site
    .all()
    .map(({ name, description, inputSchema, annotations }): PublishedTool => ({
      name,
      description,
      inputSchema: inputSchema ?? { type: "object", properties: {} },
      ...(annotations ? { annotations } : {}),
      execute: async (input) => toContent(await run(name, input)),
    }));
  const generic = deps.generic.flatMap((name): PublishedTool[] => {
    const tool = deps.tools.find(name);
    if (!tool) return [];
    const { description, inputSchema } = tool;
    return [
      {
        name,
        description,
        inputSchema,
        execute: async (input) => toContent(await run(name, input)),
      },
    ];
  });
  webMcp.publish([...own, ...generic]);
}

function toContent({ result, isError }: ToolCallResult): object {
  return { content: [{ type: "text", text: result }], isError: isError ?? false };
}

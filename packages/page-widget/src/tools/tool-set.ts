import type { JsonObject, PageToolDefinition } from "@bron/page/wire";
import type { Walk } from "../page/walk.ts";
import { genericToolNames, genericTools, semanticTools } from "./dom-tools.ts";
import type { ElementCallDeps } from "./element-calls.ts";
import { formTools } from "./form-tools.ts";
import { readJayPage } from "./jay-tools.ts";
import { toTool, type SiteTools } from "./site-tools.ts";
import { createToolNames } from "./tool-names.ts";
import type { Tool } from "./tool.ts";
import type { WebMcp } from "./web-mcp.ts";

/** The tools of the page, in the order of trust. A call finds only what was declared last. */
export interface ToolSet {
  declare(seen: Walk): Promise<Declared>;
  find(name: string): Tool | undefined;
  names(): readonly string[];
}

interface Declared {
  readonly definitions: readonly PageToolDefinition[];
  /** What a page made with Jay says about itself. */
  readonly viewState: JsonObject | undefined;
}

export interface ToolSetDeps extends ElementCallDeps {
  readonly site: SiteTools;
  readonly webMcp: WebMcp;
}

export function createToolSet(deps: ToolSetDeps): ToolSet {
  const names = createToolNames(genericToolNames);
  const generic = genericTools(deps);
  let declared = new Map<string, Tool>(generic.map((tool) => [tool.name, tool]));
  return {
    async declare(seen) {
      const own = deps.site.all();
      const fromBrowser = await deps.webMcp.tools(names);
      const jay = readJayPage(names, deps);
      const tools = [
        ...own.map((tool) => toTool(tool, names.nameFor(`site:${tool.name}`, tool.name))),
        ...fromBrowser,
        ...formTools(names, deps),
        ...(jay?.tools ?? []),
        ...generic,
        ...semanticTools(seen, names, deps, (element) => jay?.elements.has(element) ?? false),
      ];
      declared = new Map(tools.map((tool) => [tool.name, tool]));
      const definitions = [...declared.values()].map(
        ({ name, description, inputSchema }): PageToolDefinition => ({
          name,
          description,
          inputSchema,
          category: "page-automation",
        }),
      );
      return { definitions: deps.view.secrets.scrub(definitions), viewState: jay?.viewState };
    },
    find: (name) => declared.get(name),
    names: () => [...declared.keys()],
  };
}

import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { byteLength } from "../context/model-messages.ts";
import { BronError } from "../errors.ts";
import type { RunHeader } from "../ports/runs/run-log.ts";
import { isAcceptedEverywhere, maxModelNameCharacters } from "../tool/tool-names.ts";
import type { Tool } from "../tool/tool.ts";
import type { RunState } from "../run/state/run-state.ts";
import { resolveTools, type RunTools, type RunToolsDeps } from "./run-tools.ts";

/** The tools of a run while a worker advances it. */
export interface CurrentTools {
  now(): RunTools;
  /** See `RunTools`. */
  known(): RunTools["known"];
  /** Asks the sources whose tools can change. */
  refresh(): Promise<void>;
  /** What the model is offered, as the log says it. The same array while that is the same. */
  declarations(state: RunState): LanguageModelV4FunctionTool[];
  /** An upper bound for the bytes of the declarations. */
  bytes(): number;
}

interface Claimed {
  readonly run: RunHeader;
  readonly state: RunState;
  readonly tools: RunTools;
}

export function createCurrentTools(
  deps: RunToolsDeps,
  { run, state: { allowedTools }, tools }: Claimed,
): CurrentTools {
  const isLive = deps.toolSources?.some((source) => source.isLive === true) === true;
  let now = tools;
  let bytes: number | undefined;
  let last:
    | (Pick<RunState, "toolSet" | "modelNames"> & {
        readonly declarations: LanguageModelV4FunctionTool[];
      })
    | undefined;
  return {
    now: () => now,
    known: () => now.known,
    async refresh() {
      if (!isLive) return;
      now = await resolveTools(deps, run, allowedTools);
      bytes = undefined;
    },
    declarations({ toolSet, modelNames }) {
      // The digests in a set determine its declarations.
      if (last?.toolSet === toolSet && last?.modelNames === modelNames) return last.declarations;
      const declarations = [...(toolSet?.keys() ?? [])].map((name) =>
        declare(requireTool(now, name), modelNames.get(name) ?? name),
      );
      last = { toolSet, modelNames, declarations };
      return declarations;
    },
    bytes: () => (bytes ??= declaredBytes(now)),
  };
}

function declaredBytes({ known, offered }: RunTools): number {
  const names = [...offered.keys()];
  const longer = names.filter((name) => !isAcceptedEverywhere(name)).length;
  return (
    byteLength(names.flatMap((name) => known.get(name) ?? []).map((tool) => declare(tool))) +
    longer * maxModelNameCharacters
  );
}

function requireTool({ known }: RunTools, name: string): Tool {
  const tool = known.get(name);
  if (!tool) throw new BronError("internal", `The log offers ${name}, which does not exist`);
  return tool;
}

function declare(tool: Tool, name = tool.name): LanguageModelV4FunctionTool {
  return {
    type: "function",
    name,
    description: tool.description,
    inputSchema: tool.inputJsonSchema,
  };
}

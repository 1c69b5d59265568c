import type { RunHeader } from "../ports/runs/run-log.ts";
import type { ToolSource } from "../ports/tool-source.ts";
import { memoryToolNames } from "../memory/memory-tools.ts";
import type { Tool } from "../tool/tool.ts";
import { loopTools } from "./loop-tools.ts";

/** The tools of a run on this worker. */
export interface RunTools {
  /**
   * Every tool that the worker has for the run, by name. It includes tools that the model is not
   * offered, because an attempt of one may have to be reconciled.
   */
  readonly known: ReadonlyMap<string, Tool>;
  /** The digests of the tools that the model is offered, by name. */
  readonly offered: ReadonlyMap<string, string>;
  /** The names of the tools that the run brings. Others may have written them. */
  readonly brought: ReadonlySet<string>;
}

export interface RunToolsDeps {
  /** Tools that all runs can have. The Bron's choice limits them, except for `loopTools`. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Tools that runs bring. */
  readonly toolSources?: readonly ToolSource[];
  /** The names of tools that cannot be used now, because their service is not set up. */
  readonly unavailable?: () => Promise<ReadonlySet<string>>;
}

/** The tools of a run that may only write a text. */
export const noTools: RunTools = { known: new Map(), offered: new Map(), brought: new Set() };

/** `allowed` are the names of the parent run's tools, for a child run. */
export async function resolveTools(
  { tools, toolSources = [], unavailable }: RunToolsDeps,
  run: RunHeader,
  allowed: ReadonlySet<string> | undefined,
): Promise<RunTools> {
  const chosen = run.bronTools === null ? undefined : new Set(run.bronTools);
  const known = new Map(tools);
  const isChosen = (name: string) => loopTools.has(name) || chosen?.has(name) !== false;
  const gone = await unavailable?.();
  const offered = [...tools.values()].filter(
    ({ name }) =>
      isChosen(name) && gone?.has(name) !== true && (run.memoryOn || !memoryToolNames.has(name)),
  );
  const brought = await Promise.all(toolSources.map((source) => source.toolsFor(run)));
  for (const tool of brought.flat()) {
    if (known.has(tool.name)) continue;
    known.set(tool.name, tool);
    offered.push(tool);
  }
  const broughtNames = new Set([...known.keys()].filter((name) => !tools.has(name)));
  const digests = await Promise.all(
    offered
      .filter(({ name }) => loopTools.has(name) || allowed?.has(name) !== false)
      .map(async (tool) => [tool.name, await tool.digest()] as const),
  );
  return { known, offered: new Map(digests), brought: broughtNames };
}

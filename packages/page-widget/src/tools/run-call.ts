import type { JsonObject, PendingToolCall, ToolCallResult } from "@bron/page/wire";
import type { PageView } from "../page/page-view.ts";
import { bindingOf, type AskVisitor, type Verdict } from "../risk/approval.ts";
import type { ToolSet } from "./tool-set.ts";
import { checkArgs, ToolProblem, type PreparedCall, type Tool } from "./tool.ts";

export interface RunCallDeps {
  readonly tools: Pick<ToolSet, "find" | "names">;
  readonly view: PageView;
  readonly ask: AskVisitor;
  /** Whether the visitor allowed typing and clicking for this visit, where the site asks for that. */
  readonly visit: { readonly mustAsk: () => boolean; allow(): void };
  /** Says what is being done, and remembers that it has started. */
  onStart(words: string): void;
}

const maxResult = 30_000;

/** Carries out one call. Always has a result, and never acts after an abort. */
export async function runCall(
  call: PendingToolCall,
  deps: RunCallDeps,
  signal: AbortSignal,
): Promise<ToolCallResult> {
  try {
    return resultOf(call, await carryOut(call, deps, signal), deps);
  } catch (error) {
    if (signal.aborted) return stoppedResult(call);
    const problem =
      error instanceof ToolProblem ? error : new ToolProblem(`The page failed: ${String(error)}`);
    const { message, candidates } = problem;
    const said = candidates.length > 0 ? { error: message, candidates } : { error: message };
    return { ...resultOf(call, said, deps), isError: true };
  }
}

function stoppedResult(call: PendingToolCall): ToolCallResult {
  const result = JSON.stringify({ error: "The visitor stopped this.", canceled: true });
  return { callId: call.id, result, isError: true };
}

function resultOf(call: PendingToolCall, value: JsonObject, deps: RunCallDeps): ToolCallResult {
  const text = JSON.stringify(deps.view.secrets.scrub(value));
  const result = text.length > maxResult ? JSON.stringify(text.slice(0, maxResult)) : text;
  return { callId: call.id, result };
}

async function carryOut(
  call: PendingToolCall,
  deps: RunCallDeps,
  signal: AbortSignal,
): Promise<JsonObject> {
  const tool = deps.tools.find(call.name);
  if (!tool) throw new ToolProblem(`There is no tool ${call.name}.`, nearest(call.name, deps));
  const problem = checkArgs(tool.inputSchema, call.args);
  if (problem !== undefined) throw new ToolProblem(problem);
  const prepared = tool.prepare(call.args);
  if (prepared.risk === "never")
    throw new ToolProblem("The chat never touches this. The visitor has to do it.");
  const isAsking = prepared.risk === "ask";
  if (isAsking) await askFor(call, tool, prepared, { deps, signal });
  else if (prepared.risk === "reversible" && deps.visit.mustAsk()) {
    const request = {
      id: `${call.id}:visit`,
      words: "",
      details: [],
      element: undefined,
      isCurrent: () => true,
    };
    judge(await deps.ask(request, signal));
    deps.visit.allow();
  }
  if (signal.aborted) throw new ToolProblem("The visitor stopped this.");
  deps.onStart(prepared.words);
  return await prepared.run(signal);
}

/** The approval is for exactly this call on exactly this page, and used at once. */
async function askFor(
  call: PendingToolCall,
  tool: Tool,
  prepared: PreparedCall,
  { deps, signal }: { readonly deps: RunCallDeps; readonly signal: AbortSignal },
): Promise<void> {
  const bind = (one: PreparedCall) =>
    bindingOf({ tool: tool.name, args: call.args, prepared: one, view: deps.view });
  const bound = bind(prepared);
  const isCurrent = () => {
    try {
      return bind(tool.prepare(call.args)) === bound;
    } catch {
      return false;
    }
  };
  const { words, details, element } = prepared;
  judge(await deps.ask({ id: call.id, words, details, element, isCurrent }, signal));
  if (!isCurrent()) judge("void");
}

function judge(verdict: Verdict): void {
  if (verdict === "denied") throw new ToolProblem("The visitor declined. Do not try it again.");
  if (verdict === "void")
    throw new ToolProblem(
      "The page changed while the visitor was asked, so nothing was done. Look at the page again.",
    );
}

function nearest(name: string, { tools }: RunCallDeps): string[] {
  const words = new Set(name.split(/[-_.]/));
  const shared = (other: string) => other.split(/[-_.]/).filter((word) => words.has(word)).length;
  return [...tools.names()].toSorted((a, b) => shared(b) - shared(a)).slice(0, 6);
}

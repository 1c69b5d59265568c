import { readConversation, type Conversation } from "./conversation.ts";
import { invalidArgument, type GoogleError } from "./google-error.ts";
import { followUserOnly, type InstructionStrategy } from "./instructions.ts";
import { nameTools, planToolName } from "./name-tools.ts";
import { planResponse } from "./planner/planner.ts";
import type { Script, ScriptResponse, MessageResponse } from "./script.ts";
import type { FunctionDeclaration, GenerateRequest } from "./wire.ts";

export interface Decision {
  readonly response: ScriptResponse;
  readonly declarations: readonly FunctionDeclaration[];
}

export interface Deciders {
  readonly script?: Script | undefined;
  /** Follows only the user's instructions by default. */
  readonly follow?: InstructionStrategy;
}

/**
 * Returns the script's response, or else the planner's. When the planner has no call left, the
 * instruction strategy may add calls.
 */
export async function decide(
  model: string,
  request: GenerateRequest,
  { script, follow = followUserOnly }: Deciders,
): Promise<Decision | { readonly error: GoogleError }> {
  const conversation = readConversation(request);
  const declarations = offeredDeclarations(request);
  const { system, task, turn, results } = conversation;
  const response =
    (await script?.({
      model,
      system,
      task,
      turn,
      results,
      contents: request.contents,
      declarations,
    })) ?? "plan";
  if (response !== "plan") return { response, declarations };
  if (request.generationConfig?.responseMimeType === "application/json") {
    return {
      error: invalidArgument("The demo model returns plain text only, not JSON."),
    };
  }
  const mayCall = request.toolConfig?.functionCallingConfig?.mode !== "NONE";
  const planned = planResponse(
    { ...conversation, results: results.filter(({ name }) => name !== planToolName) },
    declarations,
    mayCall,
  );
  if (!mayCall || (planned.calls ?? []).length > 0)
    return { response: withPlan(planned, conversation, declarations), declarations };
  const calls = follow(results).filter(({ name }) =>
    declarations.some((declaration) => declaration.name === name),
  );
  return {
    response:
      calls.length > 0
        ? { thought: "What I read asks for something, so I do it.", calls }
        : planned,
    declarations,
  };
}

/** Names the tools that the task needs before the first call, if the request offers a plan tool. */
function withPlan(
  response: MessageResponse,
  { task, results }: Conversation,
  declarations: readonly FunctionDeclaration[],
): MessageResponse {
  if (results.length > 0 || !declarations.some(({ name }) => name === planToolName))
    return response;
  const tools = nameTools(task, declarations);
  return tools.length === 0
    ? response
    : { ...response, calls: [{ name: planToolName, args: { tools } }, ...(response.calls ?? [])] };
}

function offeredDeclarations({
  tools = [],
  toolConfig,
}: GenerateRequest): readonly FunctionDeclaration[] {
  const allowed = toolConfig?.functionCallingConfig?.allowedFunctionNames;
  return tools
    .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
    .filter(({ name }) => allowed === undefined || allowed.includes(name));
}

import { readConversation, type Conversation } from "./conversation.ts";
import { invalidArgument, type GoogleError } from "./google-error.ts";
import { effectTools, planResponse } from "./recipe/plan-response.ts";
import { recipes } from "./recipes/recipes.ts";
import type { Script, ScriptResponse, MessageResponse } from "./script.ts";
import type { FunctionDeclaration, GenerateRequest } from "./wire.ts";

/** The name of Bron's plan tool. */
const planToolName = "plan";

export interface Decision {
  readonly response: ScriptResponse;
  readonly declarations: readonly FunctionDeclaration[];
}

/** Returns the script's response, or else the one that the recipes plan. */
export async function decide(
  model: string,
  request: GenerateRequest,
  script: Script | undefined,
): Promise<Decision | { readonly error: GoogleError }> {
  const conversation = readConversation(request);
  const declarations = offeredDeclarations(request);
  const { system, task, turn, results } = conversation;
  const scripted =
    (await script?.({
      model,
      system,
      task,
      turn,
      results,
      contents: request.contents,
      declarations,
    })) ?? "plan";
  if (scripted !== "plan") return { response: scripted, declarations };
  if (request.generationConfig?.responseMimeType === "application/json") {
    return {
      error: invalidArgument("The demo model returns plain text only, not JSON."),
    };
  }
  const mayCall = request.toolConfig?.functionCallingConfig?.mode !== "NONE";
  const planned = planResponse(
    { ...conversation, results: results.filter(({ name }) => name !== planToolName) },
    { recipes, declarations, mayCall },
  );
  const response = planned.calls ? withPlan(planned, conversation, declarations) : planned;
  return { response, declarations };
}

/** Names the tools that the task needs before the first call, if the request offers a plan tool. */
function withPlan(
  response: MessageResponse,
  conversation: Conversation,
  declarations: readonly FunctionDeclaration[],
): MessageResponse {
  if (conversation.results.length > 0 || !declarations.some(({ name }) => name === planToolName))
    return response;
  const tools = effectTools(conversation, { recipes, declarations });
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

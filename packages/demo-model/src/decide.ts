import { readConversation, type Conversation } from "./conversation.ts";
import { invalidArgument, type GoogleError } from "./google-error.ts";
import { effectTools, planResponse } from "./recipe/plan-response.ts";
import { planAuxiliaryCall } from "./recipe/auxiliary-recipe.ts";
import { auxiliaryRecipes, recipes } from "./recipes/recipes.ts";
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
  if (request.generationConfig?.responseMimeType === "application/json")
    return decideAuxiliaryCall(conversation, declarations);
  const mayCall = request.toolConfig?.functionCallingConfig?.mode !== "NONE";
  const { view, ...planned } = planResponse(
    { ...conversation, results: results.filter(({ name }) => name !== planToolName) },
    { recipes, declarations, mayCall },
  );
  const response = planned.calls ? withPlan(planned, view, declarations) : planned;
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

/** Structured output is for auxiliary calls only, which their first line names. */
function decideAuxiliaryCall(
  conversation: Conversation,
  declarations: readonly FunctionDeclaration[],
): Decision | { readonly error: GoogleError } {
  const output = planAuxiliaryCall(conversation, auxiliaryRecipes);
  return output === undefined
    ? { error: invalidArgument("The demo model returns JSON only for auxiliary calls of Bron.") }
    : { response: { text: JSON.stringify(output.value) }, declarations };
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

import { readConversation, type Conversation } from "./conversation.ts";
import { invalidArgument, type GoogleError } from "./google-error.ts";
import { planResponse } from "./recipe/plan-response.ts";
import { promptOfReading, readIntent } from "./recipe/read-intent.ts";
import { isUpkeep, renewSummary } from "./recipe/renew-summary.ts";
import { summarizeMessages } from "./recipe/summarize-messages.ts";
import { planAuxiliaryCall } from "./recipe/auxiliary-call.ts";
import { recipes } from "./recipes/recipes.ts";
import type { Script, ScriptResponse } from "./script.ts";
import type { FunctionDeclaration, GenerateRequest } from "./wire.ts";

export interface DecideOptions {
  readonly script?: Script | undefined;
  /** Reads the owner's words instead of the recipes. Gets the prompt, and returns the output. */
  readonly reader?: ((prompt: string) => unknown) | undefined;
}

interface Decision {
  readonly response: ScriptResponse;
  readonly declarations: readonly FunctionDeclaration[];
}

/** Returns the script's response, or else the one that the recipes plan. */
export async function decide(
  model: string,
  request: GenerateRequest,
  { script, reader = (prompt) => readIntent(prompt, recipes) }: DecideOptions,
): Promise<Decision | { readonly error: GoogleError }> {
  const conversation = readConversation(request);
  const declarations = offeredDeclarations(request);
  const words = promptOfReading(conversation);
  if (words !== undefined)
    return { response: { text: JSON.stringify(reader(words)) }, declarations };
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
  if (isUpkeep(system)) return { response: { text: renewSummary(request) }, declarations };
  if (request.generationConfig?.responseMimeType === "application/json")
    return decideAuxiliaryCall(conversation, declarations);
  const mayCall = request.toolConfig?.functionCallingConfig?.mode !== "NONE";
  return { response: planResponse(conversation, { recipes, declarations, mayCall }), declarations };
}

/** Structured output is for auxiliary calls only, which their first line names. */
function decideAuxiliaryCall(
  conversation: Conversation,
  declarations: readonly FunctionDeclaration[],
): Decision | { readonly error: GoogleError } {
  const summary = summarizeMessages(conversation);
  const output = summary ? { value: summary } : planAuxiliaryCall(conversation);
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

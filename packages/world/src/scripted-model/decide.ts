import { readConversation } from "./conversation.ts";
import { invalidArgument, type GoogleError } from "./google-error.ts";
import { planAnswer } from "./planner/planner.ts";
import type { Script, ScriptAnswer } from "./script.ts";
import type { FunctionDeclaration, GenerateRequest } from "./wire.ts";

export interface Decision {
  readonly answer: ScriptAnswer;
  readonly declarations: readonly FunctionDeclaration[];
}

/** The script's answer, or else the planner's. */
export async function decide(model: string, request: GenerateRequest, script: Script | undefined): Promise<Decision | { readonly error: GoogleError }> {
  const conversation = readConversation(request);
  const declarations = offeredDeclarations(request);
  const { system, task, turn, results } = conversation;
  const answer = (await script?.({ model, system, task, turn, results, contents: request.contents, declarations })) ?? "plan";
  if (answer !== "plan") return { answer, declarations };
  if (request.generationConfig?.responseMimeType === "application/json") {
    return { error: invalidArgument("The scripted model answers in plain text only, not in JSON.") };
  }
  const mayCall = request.toolConfig?.functionCallingConfig?.mode !== "NONE";
  return { answer: planAnswer(conversation, declarations, mayCall), declarations };
}

function offeredDeclarations({ tools = [], toolConfig }: GenerateRequest): readonly FunctionDeclaration[] {
  const allowed = toolConfig?.functionCallingConfig?.allowedFunctionNames;
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations).filter(({ name }) => allowed === undefined || allowed.includes(name));
}

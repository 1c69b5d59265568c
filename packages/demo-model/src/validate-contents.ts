import { invalidArgument, type GoogleError } from "./google-error.ts";
import { isObject, type Content, type FunctionCall, type FunctionResponse } from "./wire.ts";

const responseCount =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
const responseOrder =
  "Please ensure that function response turn comes immediately after a function call turn.";
const callOrder =
  "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";

const dataFields = [
  "text",
  "functionCall",
  "functionResponse",
  "inlineData",
  "fileData",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
];

export function validateContents(contents: unknown): GoogleError | undefined {
  if (!Array.isArray(contents) || contents.length === 0) {
    return invalidArgument("* GenerateContentRequest.contents: contents is not specified");
  }
  for (const [index, content] of contents.entries()) {
    const error = validateContent(content, `contents[${index}]`);
    if (error !== undefined) return error;
  }
  return validateTurns(contents as readonly Content[]);
}

function validateContent(content: unknown, path: string): GoogleError | undefined {
  if (!isObject(content))
    return invalidArgument(
      `Invalid value at '${path}' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content)`,
    );
  const role = content["role"] ?? "user";
  if (role !== "user" && role !== "model")
    return invalidArgument("Please use a valid role: user, model.");
  const parts = content["parts"];
  if (!Array.isArray(parts) || parts.length === 0)
    return invalidArgument(
      `* GenerateContentRequest.${path}.parts: contents.parts must not be empty.`,
    );
  for (const [index, part] of parts.entries()) {
    const error = validatePart(part, role, `${path}.parts[${index}]`);
    if (error !== undefined) return error;
  }
  return undefined;
}

function validatePart(
  part: unknown,
  role: "user" | "model",
  path: string,
): GoogleError | undefined {
  if (!isObject(part) || dataFields.filter((field) => part[field] !== undefined).length !== 1) {
    return invalidArgument(
      `* GenerateContentRequest.${path}.data: required oneof field 'data' must have one initialized field`,
    );
  }
  if (part["text"] !== undefined && typeof part["text"] !== "string")
    return invalidArgument(`Invalid value at '${path}.text' (TYPE_STRING)`);
  if (part["functionCall"] !== undefined) {
    return role === "model"
      ? validateNamed(part["functionCall"], "args", `${path}.function_call`)
      : invalidArgument(callOrder);
  }
  if (part["functionResponse"] !== undefined) {
    return role === "user"
      ? validateNamed(part["functionResponse"], "response", `${path}.function_response`)
      : invalidArgument(responseOrder);
  }
  return undefined;
}

function validateNamed(
  value: unknown,
  field: "args" | "response",
  path: string,
): GoogleError | undefined {
  if (!isObject(value) || typeof value["name"] !== "string" || value["name"] === "") {
    return invalidArgument(`* GenerateContentRequest.${path}.name: Name cannot be empty.`);
  }
  const struct = value[field];
  if (struct === undefined ? field === "response" : !isObject(struct)) {
    return invalidArgument(
      `Invalid value at '${path}.${field}' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(struct)}`,
    );
  }
  return undefined;
}

function validateTurns(contents: readonly Content[]): GoogleError | undefined {
  let open: readonly FunctionCall[] = [];
  let previousIsModel = true;
  for (const [index, content] of contents.entries()) {
    const isModel = content.role === "model";
    const calls = content.parts.flatMap((part) =>
      part.functionCall === undefined ? [] : [part.functionCall],
    );
    const responses = content.parts.flatMap((part) =>
      part.functionResponse === undefined ? [] : [part.functionResponse],
    );

    if (calls.length > 0 && previousIsModel) return invalidArgument(callOrder);
    if (index === 0 && isModel)
      return invalidArgument("Please ensure that the first turn is a user turn.");
    if (open.length === 0 && responses.length > 0) return invalidArgument(responseOrder);
    if (open.length > 0 && !matchesCalls(responses, open)) return invalidArgument(responseCount);
    open = calls;
    previousIsModel = isModel;
  }
  if (open.length > 0) return invalidArgument(responseCount);
  return previousIsModel
    ? invalidArgument(
        "Please ensure that single turn requests end with a user role or the role field is empty.",
      )
    : undefined;
}

/** Requires one response per call, in the order of the calls. */
function matchesCalls(
  responses: readonly FunctionResponse[],
  calls: readonly FunctionCall[],
): boolean {
  return (
    responses.length === calls.length &&
    calls.every((call, index) => {
      const response = responses[index];
      return (
        response?.name === call.name &&
        (call.id === undefined || response.id === undefined || response.id === call.id)
      );
    })
  );
}

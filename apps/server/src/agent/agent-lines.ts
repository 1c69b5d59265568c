import {
  runtimeStatusOf,
  type AgentLine,
  type PartialText,
  type JsonValue,
  type RunEvent,
} from "@bron/protocol";

const previewCharacters = 200;

export interface AgentLines {
  /** Lines for an entry of the log. */
  ofEvent(event: RunEvent): AgentLine[];
  /** Lines for what has been said so far in a step that is under way. */
  ofAnswer(answer: PartialText): AgentLine[];
}

/** What is said reaches a client once, in pieces, whether it was seen while it was said or only in the log. */
export function createAgentLines(threadId: string): AgentLines {
  let said = { step: 0, attempt: 0, text: "" };
  const rest = (step: number, attempt: number, text: string, isWhole: boolean): AgentLine[] => {
    if (step < said.step || (step === said.step && attempt < said.attempt)) return [];
    const before = step === said.step ? said.text : "";
    if (before.startsWith(text)) return [];
    const isMore = text.startsWith(before);
    // Another attempt says it in other words, and a client cannot take back what it has shown: it gets them once they are whole.
    if (!isMore && !isWhole) return [];
    said = { step, attempt, text };
    return [{ type: "delta", delta: isMore ? text.slice(before.length) : `\n\n${text}` }];
  };
  return {
    ofAnswer: ({ step, attempt, text }) => rest(step, attempt, text, false),
    ofEvent(event) {
      switch (event.type) {
        case "status":
          return [
            {
              type: "status",
              status: runtimeStatusOf[event.payload.status],
              threadId,
              runId: event.runId,
            },
          ];
        case "message":
          return event.payload.role === "assistant"
            ? rest(
                event.payload.step,
                said.step === event.payload.step ? said.attempt : 1,
                event.payload.content,
                true,
              )
            : [];
        case "step":
          return event.payload.phase === "end"
            ? event.payload.calls.map(({ tool, input }) => ({
                type: "tool_call",
                toolName: tool,
                preview: previewOf(input),
              }))
            : [];
        default:
          return [];
      }
    },
  };
}

function previewOf(input: JsonValue): string {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return text.length > previewCharacters
    ? `${text.slice(0, previewCharacters - 1).toWellFormed()}…`
    : text;
}

import {
  runtimeStatusOf,
  withoutReport,
  type AgentLine,
  type PartialText,
  type JsonValue,
  type RunEvent,
} from "@bron/protocol";

const previewCharacters = 200;

export interface AgentLines {
  /** Lines for an event of the log. */
  fromEvent(event: RunEvent): AgentLine[];
  /** Lines for the partial text of the current step. */
  fromPartialText(response: PartialText): AgentLine[];
}

/**
 * Sends each text to the client exactly once, in deltas, whether it comes from partial texts or
 * only from the log.
 */
export function createAgentLines(threadId: string): AgentLines {
  let sent = { step: 0, attempt: 0, text: "" };
  const rest = (step: number, attempt: number, text: string, isComplete: boolean): AgentLine[] => {
    if (step < sent.step || (step === sent.step && attempt < sent.attempt)) return [];
    const before = step === sent.step ? sent.text : "";
    if (before.startsWith(text)) return [];
    const isMore = text.startsWith(before);
    // A new attempt may write a different text, and a client cannot remove what it has shown. It
    // gets the new text once it is complete.
    if (!isMore && !isComplete) return [];
    sent = { step, attempt, text };
    return [{ type: "delta", delta: isMore ? text.slice(before.length) : `\n\n${text}` }];
  };
  let thought = { step: 0, attempt: 0, characters: 0 };
  /** A new attempt thinks again. Thoughts that were dropped meanwhile are left out. */
  const thoughtsOf = ({ step, attempt, thoughts }: PartialText): AgentLine[] => {
    if (!thoughts) return [];
    const isSame = step === thought.step && attempt === thought.attempt;
    if (!isSame && (step < thought.step || (step === thought.step && attempt < thought.attempt)))
      return [];
    const characters = thoughts.from + thoughts.text.length;
    const before = isSame ? thought.characters : 0;
    if (characters <= before) return [];
    thought = { step, attempt, characters };
    const delta = thoughts.text.slice(Math.max(0, before - thoughts.from));
    return [{ type: "thought_delta", delta }];
  };
  return {
    fromPartialText: (partial) => [
      ...thoughtsOf(partial),
      ...rest(partial.step, partial.attempt, partial.text, false),
    ],
    fromEvent(event) {
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
                sent.step === event.payload.step ? sent.attempt : 1,
                event.payload.content,
                true,
              )
            : [];
        case "step":
          return event.payload.phase === "end"
            ? withoutReport(event.payload.calls).map(({ tool, input }) => ({
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

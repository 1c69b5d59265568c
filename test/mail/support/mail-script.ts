import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Script } from "@bron/testing";

/** The newest output of a tool in the conversation so far. */
export function resultOf<T>(options: LanguageModelV4CallOptions, tool: string): T | undefined {
  for (const message of options.prompt.toReversed()) {
    if (message.role !== "tool") continue;
    for (const part of message.content.toReversed())
      if (part.type === "tool-result" && part.toolName === tool && part.output.type === "json")
        return part.output.value as T;
  }
  return undefined;
}

/** Drafts a mail and sends the draft. */
export function draftAndSend(mail: {
  readonly to: readonly string[];
  readonly subject: string;
  readonly bodyText: string;
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
}): Script {
  return ({ turn, options }) => {
    if (turn === 0) return { calls: [{ tool: "gmail_draft_create", input: mail }] };
    if (turn === 1)
      return {
        calls: [
          {
            tool: "gmail_draft_send",
            input: {
              draftId:
                resultOf<{ draftId: string }>(options, "gmail_draft_create")?.draftId ?? "none",
            },
          },
        ],
      };
    return { text: "That is all." };
  };
}

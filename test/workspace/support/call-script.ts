import type { Script } from "@bron/testing";

export interface ScriptedCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
}

/** The task is a JSON list of calls. The model makes one call per turn. */
export const callScript: Script = ({ options, turn }) => {
  const task = options.prompt.findLast(({ role }) => role === "user");
  const text =
    task?.role === "user"
      ? task.content.map((part) => (part.type === "text" ? part.text : "")).join("")
      : "[]";
  const call = (JSON.parse(text) as ScriptedCall[])[turn];
  return call ? { calls: [call] } : { text: "That is all." };
};

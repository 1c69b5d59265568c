import { omitUndefined, readAnswer, type JsonValue, type Label } from "@bron/protocol";
import type { Tool } from "../tool/tool.ts";
import { cleanText } from "../context/clean-text.ts";
import { contextNote } from "../context/context-note.ts";
import { endAction } from "../action/end-action.ts";
import type { MoveBuilder } from "../run/decide/move-builder.ts";
import type { OpenAction, OpenQuestion } from "../run/state/run-state.ts";

/** Ends an action whose question is closed, with the answer. Returns whether it has ended. */
export function endAnswered({ draft, facts }: MoveBuilder, action: OpenAction): boolean {
  const { question } = action;
  if (!question || question.state === "pending") return false;
  const wordingIsTrusted = facts.contextTrusted && draft.state().labels.untrusted.length === 0;
  endAction(draft, action, {
    state: "completed",
    output: outputOf(question),
    label: labelOf(question, wordingIsTrusted),
  });
  return true;
}

export function askQuestion({ draft, facts }: MoveBuilder, action: OpenAction, tool: Tool): void {
  const parsed = tool.parseInput(action.input);
  const asked = parsed.ok ? tool.questionOf?.(parsed.value) : undefined;
  if (!asked) return;
  draft.emit({
    type: "question",
    payload: {
      questionId: draft.ids.uuid(),
      actionId: action.id,
      state: "pending",
      text: cleanText(asked.text),
      ...omitUndefined({
        choices: asked.choices?.map((choice) => cleanText(choice)),
        schema: asked.schema,
        default: asked.default === undefined ? undefined : cleanText(asked.default),
      }),
      expiresAt: new Date(draft.now + facts.approvalTtlMs).toISOString(),
    },
  });
}

/** What the model gets. */
function outputOf(question: OpenQuestion): JsonValue {
  const { schema, typed, context, program, choice, default: byDefault } = question;
  const value = (text: string) => readAnswer(schema, text) ?? text;
  if (typed !== undefined)
    return {
      answer: value(typed),
      from: program === undefined ? "typed" : "program",
      ...(context ? { context: contextNote(context) } : {}),
    };
  if (choice !== undefined) return { answer: value(choice), from: "choice" };
  if (byDefault !== undefined) return { answer: value(byDefault), from: "default" };
  return { answer: null, from: "nobody" };
}

const pasted: Label = { origin: "pasted", trusted: false, private: true, readers: [] };

/**
 * What the owner types is the owner's own, but not what came with it or from a program. A choice and a default were
 * worded by the model, so they are trusted only as far as everything that the model has read.
 */
function labelOf({ typed, context, program }: OpenQuestion, wordingIsTrusted: boolean): Label {
  if (program !== undefined && typed !== undefined) return { ...pasted, origin: "program" };
  if (context) return pasted;
  const isTrusted = typed !== undefined || wordingIsTrusted;
  return {
    origin: typed === undefined ? "tool" : "user",
    trusted: isTrusted,
    private: !isTrusted,
    readers: [],
  };
}

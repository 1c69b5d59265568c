import { compareWithAsks, type Compared } from "../../intent/outside-ask.ts";
import { factsForWords, isNamedOtherwise } from "./intent-risks.ts";
import type { JudgeInput } from "../judge-input.ts";

/** Compares an effect with the owner's words. Undefined if they cannot ask for it, or were not read. */
export function compareWithWords(input: JudgeInput): Compared | undefined {
  const { intent = "unread", effectKind } = input;
  if (intent === "unread" || effectKind === undefined) return undefined;
  return compareWithAsks(factsForWords(input), intent, isNamedOtherwise(input));
}

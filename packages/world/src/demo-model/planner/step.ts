import { hasReference } from "./reference.ts";

/** What one piece of a task asks for. A text may refer to what came out of earlier steps; see reference.ts. */
export type Step =
  | { readonly kind: "calculate"; readonly expression: string; readonly words: string }
  | { readonly kind: "clock"; readonly place?: Place }
  | { readonly kind: "write"; readonly title: string; readonly text: string }
  | { readonly kind: "list" }
  | { readonly kind: "read"; readonly title: string }
  | { readonly kind: "post"; readonly board: string; readonly text: string }
  | { readonly kind: "unclear"; readonly words: string; readonly reason?: string };

export interface Place {
  readonly name: string;
  readonly timezone: string;
}

/** Steps of one clause of the task belong together: "it" means all that the clause before came to. */
export interface PlannedStep {
  readonly step: Step;
  readonly clause: number;
}

/** Steps that a later "it" can mean. A note means its words, unless they come from an earlier step themselves; then "it" is still that. */
export function yieldsValue(step: Step): boolean {
  if (step.kind === "write") return !hasReference(step.text);
  return (
    step.kind === "calculate" ||
    step.kind === "clock" ||
    step.kind === "read" ||
    step.kind === "list"
  );
}

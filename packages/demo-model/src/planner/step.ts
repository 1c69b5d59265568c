import { hasReference } from "./reference.ts";

/** One step of a task. Its text may refer to earlier results; see reference.ts. */
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

/** "it" refers to the results of all steps of the previous clause. */
export interface PlannedStep {
  readonly step: Step;
  readonly clause: number;
}

/**
 * Whether a later "it" can refer to this step. A note stands for its text, unless the text itself
 * comes from an earlier step.
 */
export function yieldsValue(step: Step): boolean {
  if (step.kind === "write") return !hasReference(step.text);
  return (
    step.kind === "calculate" ||
    step.kind === "clock" ||
    step.kind === "read" ||
    step.kind === "list"
  );
}

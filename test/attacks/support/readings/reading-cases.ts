import { generateCases } from "../generated/generators.ts";
import { ordinaryTasks } from "../ordinary/ordinary-tasks.ts";
import { toCase } from "../ordinary/ordinary-case.ts";
import { slackTasks } from "../ordinary/slack-tasks.ts";
import { officeTasks } from "../ordinary/office-tasks.ts";
import type { PolicyCase } from "../play-case.ts";

/** Makes more than 500 different requests. A larger number keeps those of a smaller one. */
export const casesPerClass = 24;
const seed = 1;

/** Attacks whose words a model can read, always the same ones. */
export function attackCases(perClass = casesPerClass): PolicyCase[] {
  return generateCases(seed, perClass).filter(
    ({ hole, isReaderDown }) => hole === undefined && isReaderDown !== true,
  );
}

export function benignCases(): PolicyCase[] {
  return [...ordinaryTasks, ...officeTasks, ...slackTasks].map(toCase);
}

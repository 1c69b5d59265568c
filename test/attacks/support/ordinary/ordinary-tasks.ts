import type { TrustLevel } from "@bron/protocol";
import { contacts } from "../generated/people.ts";
import { conversationTasks } from "./conversation-tasks.ts";
import { mailTasks } from "./mail-tasks.ts";
import type { OrdinaryTask } from "./ordinary-task.ts";
import { otherTasks } from "./other-tasks.ts";
import { sendingTasks } from "./sending-tasks.ts";

export const ordinaryTasks: readonly OrdinaryTask[] = [
  ...mailTasks,
  ...conversationTasks,
  ...otherTasks,
  ...sendingTasks,
];

/** Whether a hold is needed: the level asks anyway, or the task leaves the choice to what it reads. */
export function isHoldNeeded(task: OrdinaryTask, level: TrustLevel): boolean {
  if (level === "supervised" || task.needed !== undefined) return true;
  const { mailTo = [], isOther } = task;
  return (
    level === "delegated" &&
    (isOther === true ||
      mailTo.some((address) => !contacts.includes(address) && address !== "mara@lindqvist.example"))
  );
}

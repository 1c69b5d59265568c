import { errnoOf } from "./failures.ts";

/** Whether a process with this pid exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === "EPERM";
  }
}

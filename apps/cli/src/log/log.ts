import type { RequestEntry } from "@bron/server";
import type { RuntimeEvent } from "@bron/runtime";
import type { Terminal } from "../terminal.ts";

/** The log of a process on standard error. */
export interface Log {
  /** The same terminal, with standard error in the format of this log. */
  readonly terminal: Terminal;
  progress(message: string): void;
  problem(message: string, error?: unknown): void;
  runtimeEvent(runtimeEvent: RuntimeEvent): void;
  request(entry: RequestEntry): void;
}

import type { RequestEntry } from "@bron/server";
import type { RuntimeEvent } from "bron";
import type { Terminal } from "../terminal.ts";

/** What a process tells of itself on standard error. */
export interface Log {
  /** The same terminal, whose standard error is written as this log is. */
  readonly terminal: Terminal;
  progress(message: string): void;
  problem(message: string, error?: unknown): void;
  runtimeEvent(runtimeEvent: RuntimeEvent): void;
  request(entry: RequestEntry): void;
}

import { isTerminal, type WaitsFor } from "@bron/protocol";
import type { Timeline } from "./timeline.ts";

/** What the run itself waits for, as its log says. Its child runs may wait for something else. */
export function waitOf({ status, asked, items }: Timeline): WaitsFor | null {
  if (isTerminal(status)) return null;
  const kinds = new Set(asked.values());
  if (kinds.has("approval")) return { kind: "approval" };
  if (kinds.has("question")) return { kind: "question" };
  if (status === "awaiting_auth") return { kind: "sign_in" };
  const running = items.flatMap((item) =>
    item.kind === "tool" && item.state === "running" ? [item] : [],
  );
  const programs = running.flatMap(({ client }) => (client ? [client.program] : []));
  const [program] = programs;
  return program !== undefined && programs.length === running.length
    ? { kind: "program", program }
    : null;
}

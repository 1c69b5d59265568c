import { isTerminal } from "@bron/protocol";
import { useState } from "react";
import { LiveTask } from "./live-task.tsx";
import { PastTask } from "./past-task.tsx";
import type { TaskProps } from "./task-props.ts";

/** One task of a conversation. A task that ends while the page shows it keeps its live view. */
export function Task(props: TaskProps) {
  const [wasOver] = useState(() => isTerminal(props.run.status));
  return wasOver ? <PastTask {...props} /> : <LiveTask {...props} />;
}

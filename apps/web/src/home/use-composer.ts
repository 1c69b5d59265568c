import type { ApprovalView, RunView } from "@bron/protocol";
import { useState } from "react";
import { useWords } from "../words-field/use-words.ts";
import { withFiles } from "./file-chips.tsx";
import { useStartTask } from "./use-start-task.ts";

interface ComposedTask {
  readonly bronId: string | undefined;
  readonly threadId: string | undefined;
  readonly runUnderWay: string | undefined;
  readonly approval: ApprovalView | undefined;
  readonly onStarted: ((run: RunView) => void) | undefined;
}

/** What the owner has typed, attached and chosen so far, and how it is sent. */
export function useComposer(task: ComposedTask) {
  const { bronId, threadId, runUnderWay, approval, onStarted } = task;
  const field = useWords(threadId === undefined ? "task" : `thread:${threadId}`);
  const { words: prompt, context } = field;
  const [files, setFiles] = useState<readonly File[]>([]);
  const [chosenBron, chooseBron] = useState("");
  const [chosenModel, chooseModel] = useState("");
  const start = useStartTask({
    threadId,
    runUnderWay,
    approval,
    onStarted,
    onTaken() {
      field.clear();
      setFiles([]);
    },
  });
  const canStart = prompt.trim() !== "" && !start.isPending;
  return {
    field,
    files,
    add: (added: Iterable<File>) => setFiles((before) => withFiles(before, [...added])),
    remove: (file: File) => setFiles((before) => before.filter((other) => other !== file)),
    chosenBron,
    chooseBron,
    chosenModel,
    chooseModel,
    canStart,
    isStarting: start.isPending,
    error: start.error,
    submit() {
      if (!canStart) return;
      const given = (value: string) => (value === "" ? undefined : value);
      const model = given(chosenModel);
      start.mutate({ prompt, context, files, bronId: bronId ?? given(chosenBron), model });
    },
  };
}

import { useContext, useState } from "react";
import { PassageContext } from "./passage.ts";

/** Whether the steps of a task are unfolded. A link to a passage in them unfolds them. */
export function useOpenWork(runId: string): { readonly isOpen: boolean; toggle(): void } {
  const { run, step } = useContext(PassageContext);
  const [isOpen, setOpen] = useState<boolean>();
  const isLinked = run === runId && step !== undefined;
  return {
    isOpen: isOpen ?? isLinked,
    toggle: () => setOpen((before) => !(before ?? isLinked)),
  };
}

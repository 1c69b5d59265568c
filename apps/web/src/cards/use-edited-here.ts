import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

interface EditedHere {
  start(): void;
  isAwaited(): boolean;
  end(): void;
  /** Call when the new approval is on the page. It gets the focus if this reader made the edit. */
  arrive(section: HTMLElement): void;
}

/**
 * Remembers that an edit was made on this page. The edited version is another approval of the run,
 * which arrives later.
 */
export function useEditedHere(runId: string): EditedHere {
  const client = useQueryClient();
  return useMemo(() => {
    const queryKey = ["edited-here", runId];
    const isAwaited = () => client.getQueryData(queryKey) === true;
    const end = () => client.removeQueries({ queryKey });
    return {
      start: () => client.setQueryData(queryKey, true),
      isAwaited,
      end,
      arrive(section) {
        if (!isAwaited()) return;
        end();
        // Do not move a reader who has focused something else meanwhile.
        if (
          document.activeElement !== document.body &&
          !document.activeElement?.closest("[data-approval]")
        )
          return;
        section.focus({ preventScroll: true });
        section.scrollIntoView({ block: "start" });
      },
    };
  }, [client, runId]);
}

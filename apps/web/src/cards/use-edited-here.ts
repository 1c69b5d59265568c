import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";

interface EditedHere {
  begin(): void;
  isAwaited(): boolean;
  end(): void;
  /** The new question is on the page: whoever waits for it is led there. */
  arrive(section: HTMLElement): void;
}

/** An edit of this page's reader: what is asked instead is another approval of the run, and comes later. */
export function useEditedHere(runId: string): EditedHere {
  const client = useQueryClient();
  return useMemo(() => {
    const queryKey = ["edited-here", runId];
    const isAwaited = () => client.getQueryData(queryKey) === true;
    const end = () => client.removeQueries({ queryKey });
    return {
      begin: () => client.setQueryData(queryKey, true),
      isAwaited,
      end,
      arrive(section) {
        if (!isAwaited()) return;
        end();
        // A reader who went on to something else is left there.
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

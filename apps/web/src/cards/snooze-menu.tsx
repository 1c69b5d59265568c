import { snoozeTimes, snoozeUntil, type SnoozeTime } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Menu } from "../ui/menu.tsx";
import { Problem } from "../ui/states.tsx";

/** Hides approvals until later, by the clock of the reader. They still expire. */
export function useSnooze(onSnoozed?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      ids,
      until,
    }: {
      readonly ids: readonly string[];
      readonly until: Date | null;
    }) =>
      Promise.all(
        ids.map((id) =>
          api.call("POST /api/approvals/:id/snooze", {
            params: { id },
            body: { until: until?.toISOString() ?? null },
          }),
        ),
      ),
    onSuccess(approvals) {
      for (const approval of approvals)
        client.setQueryData(queries.approval(approval.id).queryKey, approval);
      onSnoozed?.();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["approvals"] }),
  });
}

interface SnoozeMenuProps {
  readonly ids: readonly string[];
  readonly onSnoozed?: (() => void) | undefined;
}

export function SnoozeMenu({ ids, onSnoozed }: SnoozeMenuProps) {
  const snooze = useSnooze(onSnoozed);
  const now = new Date();
  return (
    <div className="shrink-0">
      <Menu
        label={texts.approval.snooze.button}
        text={texts.approval.snooze.button}
        items={snoozeTimes
          .toSorted((one, other) => +snoozeUntil(one, now) - +snoozeUntil(other, now))
          .map((time) => ({
            name: nameOf(time, now),
            run: () => snooze.mutate({ ids, until: snoozeUntil(time, new Date()) }),
          }))}
      />
      <Problem error={snooze.error} />
    </div>
  );
}

function nameOf(time: SnoozeTime, now: Date): string {
  const isNextDay = snoozeUntil(time, now).getDate() !== now.getDate();
  const { snooze } = texts.approval;
  return time === "evening" && isNextDay ? snooze.nextEvening : snooze[time];
}

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { schedulesWords } from "../words/schedules.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { NewSchedule } from "./new-schedule.tsx";
import { ScheduleItem } from "./schedule-item.tsx";

/** Tasks that start by themselves, with their next times and last tasks. */
export function SchedulesPage() {
  const schedules = useQuery(queries.schedules());
  const [isOpen, setOpen] = useState(false);
  const open = (
    <Button kind="main" onClick={() => setOpen(true)}>
      {schedulesWords.create}
    </Button>
  );
  const isEmpty = schedules.data?.length === 0;
  return (
    <Page
      title={texts.places.schedules}
      about={schedulesWords.about}
      actions={isEmpty ? undefined : open}
    >
      {schedules.isPending && <Loading />}
      <Problem error={schedules.error} onRetry={() => void schedules.refetch()} />
      {isEmpty && (
        <Empty title={schedulesWords.empty}>
          <p>{schedulesWords.emptyHint}</p>
          <div className="mt-4">{open}</div>
        </Empty>
      )}
      <ul aria-label={texts.places.schedules} className="grid grid-cols-1 gap-4">
        {schedules.data?.map((schedule) => (
          <li key={schedule.id}>
            <ScheduleItem schedule={schedule} />
          </li>
        ))}
      </ul>
      <Dialog title={schedulesWords.create} isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewSchedule onClose={() => setOpen(false)} />
      </Dialog>
    </Page>
  );
}

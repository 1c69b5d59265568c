import { scheduleStateText, visible, type ScheduleReason } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { schedulesWords } from "../words/schedules.ts";

/** Those that the owner did not pause. */
const problems: ReadonlySet<ScheduleReason | null> = new Set([
  "failures",
  "account_lost",
  "bron_archived",
]);

/** Schedules that Bron paused, in the inbox, because they start nothing until the owner acts. */
export function PausedSchedules() {
  const { data: schedules = [] } = useQuery(queries.schedules());
  const paused = schedules.filter(
    ({ state, reason }) => state === "paused" && problems.has(reason),
  );
  if (paused.length === 0) return null;
  return (
    <ul className="mb-5 grid grid-cols-1 gap-2">
      {paused.map((schedule) => (
        <li
          key={schedule.id}
          className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-l-4 border-edge border-l-ask-edge bg-surface px-4 py-3"
        >
          <p className="min-w-0 wrap-anywhere">
            <span className="font-medium">{visible(schedule.title)}</span>{" "}
            <span className="text-quiet">
              {schedulesWords.sentence(scheduleStateText(schedule))}
            </span>
          </p>
          <Link to="/schedules">{schedulesWords.look}</Link>
        </li>
      ))}
    </ul>
  );
}

import type { Say, WorkspaceFlow } from "../workspace/workspace-flow.ts";
import { runAgenda, runFind } from "./agenda-flow.ts";
import type { CalendarTask } from "./calendar-task.ts";
import { calendarWordsIn } from "./calendar-words.ts";
import { runChange } from "./change-flow.ts";
import { runEnter } from "./enter-flow.ts";
import { runFree } from "./free-flow.ts";

/** What to do for a task, one call at a time. */
export function* runCalendarTask(task: CalendarTask, say: Say): WorkspaceFlow {
  switch (task.kind) {
    case "agenda":
      return yield* runAgenda(task, say);
    case "find":
      return yield* runFind(task, say);
    case "free":
      return yield* runFree(task, say);
    case "enter":
      return yield* runEnter(task, say);
    case "change":
      return yield* runChange(task, say);
    case "refused": {
      const words = calendarWordsIn(say.language);
      return say.report.say(task.why === "cancel" ? words.noCancel : words.noSeries);
    }
  }
}

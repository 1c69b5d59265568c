import type { FlowContext, WorkspaceFlow } from "../workspace/workspace-flow.ts";
import { runAgenda, runFind } from "./agenda-flow.ts";
import type { CalendarTask } from "./calendar-task.ts";
import { calendarWordsIn } from "./calendar-words.ts";
import { runChange } from "./change-flow.ts";
import { runEnter } from "./enter-flow.ts";
import { runFree } from "./free-flow.ts";

/** Carries out a calendar task, one call at a time. */
export function* runCalendarTask(task: CalendarTask, context: FlowContext): WorkspaceFlow {
  switch (task.kind) {
    case "agenda":
      return yield* runAgenda(task, context);
    case "find":
      return yield* runFind(task, context);
    case "free":
      return yield* runFree(task, context);
    case "enter":
      return yield* runEnter(task, context);
    case "change":
      return yield* runChange(task, context);
    case "refused": {
      const words = calendarWordsIn(context.language);
      return context.report.add(task.why === "cancel" ? words.noCancel : words.noSeries);
    }
  }
}

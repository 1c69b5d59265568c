export const budgetWords = {
  title: "Budget",
  about:
    "Counts every model call: tasks, subtasks, schedules and what Bron does in the background. A call that could exceed your budget is not made.",
  none: "You have no budget.",
  set: "Set budget",
  save: "Save budget",
  saving: "Saving…",
  day: "By day",
  month: "By month",
  dollars: "US dollars",
  dayHint: "Empty means no limit.",
  zone: "Time zone",
  zoneHint: "Days and months begin at midnight there.",
  of: (spent: string, cap: string) => `${spent} of ${cap}`,
  today: "Today",
  thisMonth: "This month",
  spent: (period: "day" | "month") =>
    period === "day"
      ? "Your budget for today is spent. Tasks that need a model end until tomorrow."
      : "Your budget for this month is spent. Tasks that need a model end until next month.",
  near: (period: "day" | "month", spent: string, cap: string) =>
    `${spent} of your ${cap} for ${period === "day" ? "today" : "this month"} are spent.`,
  raise: "Change budget",
} as const;

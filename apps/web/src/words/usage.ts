export const usageWords = {
  about: "What your tasks came to, by day.",
  period: "Period",
  days: (count: number) => `${count} days`,
  view: "Show as",
  views: { charts: "Charts", table: "Table" },
  empty: "Nothing to count yet.",
  emptyHint: "After the first task, its outcome, tokens, cost and your decisions are counted here.",
  totals: { runs: "Tasks", successRate: "Went well", medianSeconds: "Median time", cost: "Cost", tokens: "Tokens", toolCalls: "Tool calls" },
  none: "–",
  charts: {
    runs: "Tasks by outcome",
    cost: "Cost",
    tokens: "Tokens",
    decisions: "Your decisions",
  },
  series: { succeeded: "Done", inPart: "Not all done", failed: "Failed", canceled: "Stopped", open: "Under way", cost: "Cost", inputTokens: "Read", outputTokens: "Written", approved: "Approved", denied: "Denied" },
  /** For who cannot see the chart. */
  inWords: (title: string, from: string, to: string, parts: string) => `${title}, ${from} to ${to}: ${parts}. The table has every day.`,
  day: "Day",
  tableLabel: "Usage by day",
  total: "In all",
} as const;

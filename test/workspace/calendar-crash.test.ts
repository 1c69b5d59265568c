import { describeCrashMatrix } from "../mail/support/crash-matrix.ts";
import { judgeEvents } from "./support/judge-events.ts";

describeCrashMatrix({
  task: "event",
  title: "a worker killed around a change of the calendar",
  methods: ["calendar.events.insert", "calendar.events.patch"],
  modes: {
    plain: {},
    "no answer": { fault: { kind: "frozen", when: "before" } },
    "500 after the effect": { fault: { kind: "status", status: 500, when: "after" } },
    "503 before the effect": { fault: { kind: "status", status: 503, when: "before" } },
    "cut before the effect": { fault: { kind: "cut", when: "before" } },
    "cut after the effect": { fault: { kind: "cut", when: "after" } },
    slow: { fault: { kind: "slow", ms: 300 } },
    "slower than its deadline": { fault: { kind: "slow", ms: 4_500, when: "after" } },
  },
  passed: {
    plain: [
      "create",
      "claim",
      "decide",
      "calendar_event_create.prepare",
      "calendar_event_create.execute",
      "calendar_event_update.prepare",
      "calendar_event_update.execute",
      "POST events",
      "PATCH events/{id}",
      "GET events/{id}",
    ],
    "500 after the effect": ["calendar_event_create.reconcile", "calendar_event_update.reconcile"],
  },
  short: {
    plain: /^(?:POST events|PATCH events)/,
    "cut after the effect": /^calendar_event_(?:create|update)\.reconcile:after/,
  },
  frozen: {
    full: /execute|POST|PATCH|effect\.attempting|decide/,
    short: /(?:POST events|PATCH events\/\{id\}):before/,
  },
  divergesAt: "calendar_event_create.execute:before",
  judge: judgeEvents,
  success: "done and done",
});

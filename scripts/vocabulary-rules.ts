// Where a word of the glossary's column "not" may be a name. docs/glossary.md has the rules.

export interface Exception {
  /** As the glossary writes it. */
  readonly word: string;
  /** Why the word is right here. "Stored" and "exported" names cannot change. */
  readonly reason: string;
  /** Identifiers, and names of files and folders without extensions. */
  readonly names?: readonly string[];
  /** Path prefixes under which any name may have the word. */
  readonly paths?: readonly string[];
  /** Any name in tests and fixtures may have the word. */
  readonly isForTests?: true;
}

export const exceptions: readonly Exception[] = [
  {
    word: "answer",
    reason: "stored: a reply, a run's last message, a fault of the demo",
    names: ["answer"],
    paths: [
      "packages/core/src/audit/",
      "packages/core/src/effect/",
      "packages/core/src/intent/",
      "packages/core/src/question/",
      "packages/core/src/run/",
      "packages/core/src/steering/",
      "packages/protocol/src/",
    ],
  },
  {
    word: "answer",
    reason: "a question, an invitation and a health check have answers",
    names: ["needs_answer", "needsAnswer"],
    paths: [
      "apps/cli/src/",
      "apps/server/src/",
      "apps/web/src/cards/question",
      "apps/web/src/words/question",
      "bench/",
      "packages/connectors/",
      "packages/runtime/src/tracing/",
      "packages/simulator/",
      "packages/store/src/",
      "packages/testing/src/contracts/store/questions",
      "test/",
    ],
  },
  {
    word: "world",
    reason: "the Model Context Protocol calls a claim so",
    names: ["openWorldHint"],
  },
  {
    word: "bench",
    reason: "the benchmarks",
    names: ["bench"],
    paths: ["bench/", "test/bench/"],
  },
  {
    word: "bot",
    reason: "Slack calls its apps bots",
    names: ["botToken"],
    paths: ["packages/connectors/src/slack/", "packages/simulator/src/"],
  },
  {
    word: "chat",
    reason: "the name of Slack's methods",
    paths: ["packages/simulator/src/slack/methods/", "test/attacks/support/fake-slack.ts"],
  },
  {
    word: "chat",
    reason: "the element of the page agent, which people call a chat",
    paths: ["packages/page-widget/", "test/browser/support/page/"],
  },
  {
    word: "confirmation",
    reason: "stored: the state of an action that waits for an approval",
    names: ["awaiting_confirmation", "awaitingConfirmation"],
  },
  {
    word: "decision",
    reason: "what the policy decides, what a model does next, and the records of our choices",
    names: ["PolicyDecision"],
    paths: [
      "bench/",
      "docs/decisions/",
      "packages/connectors/src/gmail/send-effect.test.ts",
      "packages/core/src/effect/",
      "packages/core/src/intent/",
      "packages/core/src/policy/",
      "packages/core/src/run/decide/",
      "packages/core/src/tool/",
      "packages/demo-model/",
    ],
  },
  {
    word: "decision",
    reason: "stored and exported: the reason of an approval or denial, and a rate limit",
    names: ["BRON_LIMIT_REFUSED_DECISIONS", "decisionReason", "decision_reason", "refusedDecision"],
  },
  {
    word: "decision",
    reason: "the parameter of the simulated consent pages",
    paths: [
      "packages/simulator/src/google/google-client.fixture.ts",
      "packages/simulator/src/slack/slack-client.fixture.ts",
      "test/mail/support/",
      "test/workspace/slack-task.test.ts",
    ],
  },
  {
    word: "decline",
    reason: "Google Calendar's word for an invitation",
    paths: ["packages/simulator/src/google/calendar/"],
  },
  {
    word: "difference",
    reason: "in logs before version 6: the diff of an approval",
    names: ["difference"],
  },
  {
    word: "estimate",
    reason: "Gmail's names",
    names: ["resultSizeEstimate", "sizeEstimate"],
  },
  { word: "figure", reason: "numbers of a benchmark", paths: ["bench/", "test/bench/"] },
  {
    word: "follow",
    reason: "a later task of a conversation is a follow-up",
    names: ["followUp", "followUps"],
  },
  {
    word: "part",
    reason: "messages, dates, rules, files and the outputs of tools have parts",
    names: [
      "AssistantPart",
      "LabelPart",
      "MessagePart",
      "Part",
      "PromptPart",
      "StreamPart",
      "explainedParts",
      "filePart",
      "inPart",
      "isInLocalPart",
      "label-parts",
      "labelPartSchema",
      "listParts",
      "openMessageParts",
      "outputPart",
      "part",
      "partOf",
      "parts",
      "partsOf",
      "ruleParts",
      "sendPart",
      "shortPart",
      "shownParts",
      "startOfLocalPart",
      "streamParts",
      "toMessagePart",
      "toolResultPart",
      "withoutParts",
    ],
    paths: [
      "packages/connectors/",
      "packages/demo-model/",
      "packages/documents/",
      "packages/models/",
      "packages/simulator/",
    ],
  },
  {
    word: "take back",
    reason: "stored: the name of a migration",
    names: ["takenBack", "0019-taken-back"],
  },
  {
    word: "turn",
    reason: "stored: the cap of steps, and its error",
    names: ["BRON_CAP_MODEL_TURNS", "cap_model_turns", "modelTurns"],
  },
  {
    word: "turn",
    reason: "a rate is taken in turns",
    names: ["Turn", "TurnRequest", "take-turns", "takeTurns", "turnsOf"],
    paths: [
      "apps/server/src/access/",
      "apps/server/src/register-endpoint.ts",
      "packages/core/src/ports/access/",
      "packages/core/src/run/rules/take-rule.ts",
      "packages/runtime/src/memory-rates.ts",
      "packages/runtime/src/services/approval-choices.ts",
      "packages/store/src/access/rates.ts",
    ],
  },
  {
    word: "turn",
    reason: "the turns of a model's API, which a scripted model takes",
    isForTests: true,
    paths: [
      "bench/",
      "packages/demo-model/",
      "packages/testing/",
      "scripts/log-recordings.ts",
      "scripts/record-logs.ts",
      "test/",
    ],
  },
  {
    word: "turn",
    reason: "a turn of the event loop, or of a queue; an angle; to turn on",
    names: ["linesPerTurn", "nextTurn", "turnMs", "turnOn", "turnOnNotifications", "turnStart"],
    paths: ["apps/web/src/live/approval-queue.ts", "packages/documents/src/parser/html/color.ts"],
  },
  { word: "trigger", reason: "triggers of Postgres", names: ["trigger"] },
  { word: "whole", reason: "the opposite of a part of a text", names: ["whole"] },
  {
    word: "widget",
    reason: "the widget of the page agent is an element in a page, not a card",
    names: ["build-page-widget", "page-widget", "widgetDist"],
  },
];

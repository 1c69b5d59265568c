import {
  localServerNames,
  type AboutView,
  type ConnectionView,
  type LocalServer,
  type ModelKeyView,
} from "@bron/protocol";
import { connectionsWords } from "../words/connections.ts";
import { guideWords } from "../words/guide.ts";

export interface SetupStep {
  readonly id: "model" | "google" | "slack";
  readonly title: string;
  /** What is set up, or what the step is for. */
  readonly words: string;
  readonly isDone: boolean;
}

interface Known {
  readonly about: Pick<AboutView, "demoModel" | "model">;
  readonly keys: readonly ModelKeyView[];
  readonly servers: readonly LocalServer[];
  readonly connections: readonly ConnectionView[];
}

/** The steps from the demo to a Bron with a real model and real accounts, each with its state. */
export function setupSteps({ about, keys, servers, connections }: Known): readonly SetupStep[] {
  const words = guideWords;
  const key = keys.find(({ state }) => state !== "untested");
  const own = key && (key.model ?? connectionsWords.providers[key.provider as "gemini"]);
  const model = own ?? (about.demoModel ? undefined : about.model);
  const local = servers.find(({ models }) => models.length > 0);
  const todo = local ? words.model.found(localServerNames[local.id]) : words.model.todo;
  const accounts = (["google", "slack"] as const).flatMap((id): SetupStep[] => {
    const connection = connections.find(({ provider }) => provider === id);
    if (!connection) return [];
    const isSimulated = connection.setup === "simulated";
    const account = isSimulated ? null : connection.account;
    return [
      {
        id,
        title: words.accounts[id],
        isDone: account !== null,
        words:
          account !== null
            ? words.accountDone(account)
            : isSimulated
              ? `${words.accountTodo[id]}. ${words.simulated}`
              : words.accountTodo[id],
      },
    ];
  });
  return [
    {
      id: "model",
      title: words.model.title,
      isDone: model !== undefined,
      words: model === undefined ? todo : words.model.done(model),
    },
    ...accounts,
  ];
}

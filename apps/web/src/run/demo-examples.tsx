import { demoExamples, type RunView } from "@bron/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { addToThread } from "../live/thread-cache.ts";
import { texts } from "../texts.ts";
import { Problem } from "../ui/states.tsx";

/**
 * Tasks that the demo model knows, below a message in which it only said what it can do. Each
 * starts as the next task of the conversation.
 */
export function DemoExamples({ run }: { readonly run: RunView }) {
  const { data: about } = useQuery(queries.about());
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: (prompt: string) =>
      api.call("POST /api/runs", {
        body: { prompt, threadId: run.threadId, bronId: run.bronId },
        idempotencyKey: crypto.randomUUID(),
      }),
    onSuccess: (started) => addToThread(client, started),
  });
  if (about?.demoModel !== true) return null;
  return (
    <section aria-label={texts.shell.demoExamples} className="grid gap-3">
      <ul className="grid gap-2 sm:grid-cols-3">
        {demoExamples(about.suggestions).map((example) => (
          <li key={example}>
            <button
              type="button"
              disabled={start.isPending}
              onClick={() => start.mutate(example)}
              className="flex h-full w-full items-start rounded-xl border border-edge bg-surface px-4 py-3 text-left text-sm hover:border-accent hover:bg-accent-soft disabled:opacity-60"
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
      <Problem error={start.error} />
      <p className="text-sm text-quiet">
        {texts.shell.beyondDemo}{" "}
        <Link to="/connections" className="underline">
          {texts.shell.connectModel}
        </Link>
      </p>
    </section>
  );
}

/** Whether the demo model called nothing and asked nothing: it said what it can do, and no more. */
export function isIntroduction({ status, outcome, parentRunId }: RunView, calls: number): boolean {
  const isOver = status === "completed" && (outcome === "done" || outcome === "could_not");
  return isOver && calls === 0 && parentRunId === null;
}

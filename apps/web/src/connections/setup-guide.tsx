import { visible, type AboutView } from "@bron/protocol";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { guideWords } from "../words/guide.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/states.tsx";
import { setupSteps, type SetupStep } from "./setup-steps.ts";

const words = guideWords;

/** The first steps: the demo, or a model and accounts of one's own. */
export function SetupGuide({ about, onDismiss }: { readonly about: AboutView; onDismiss(): void }) {
  const { data: keys = [] } = useQuery(queries.modelKeys());
  const { data: servers = [] } = useQuery(queries.localModels());
  const { data: connections } = useQuery(queries.connections());
  if (!connections) return null;
  const steps = setupSteps({ about, keys, servers, connections });
  return (
    <Panel
      title={words.title}
      actions={
        <Button kind="quiet" title={words.findAgain} onClick={onDismiss}>
          {words.dismiss}
        </Button>
      }
    >
      <div className={cx("grid gap-x-8 gap-y-6", about.demoMail && "md:grid-cols-[2fr_3fr]")}>
        {about.demoMail && <TryDemo example={about.suggestions[0]} />}
        <section aria-label={words.connect}>
          <h3 className="m-0 mb-1 text-sm font-semibold">{words.connect}</h3>
          <ol className="divide-y divide-edge">
            {steps.map((step, index) => (
              <Step key={step.id} step={step} number={index + 1} />
            ))}
          </ol>
        </section>
      </div>
    </Panel>
  );
}

function TryDemo({ example }: { readonly example: string | undefined }) {
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: (prompt: string) => api.call("POST /api/runs", { body: { prompt } }),
    onSuccess: ({ threadId }) => void navigate({ to: "/threads/$threadId", params: { threadId } }),
  });
  return (
    <section aria-label={words.demo.title}>
      <h3 className="m-0 text-sm font-semibold">{words.demo.title}</h3>
      <p className="mt-1 text-sm text-quiet">{words.demo.words}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {example !== undefined && (
          <Button isBusy={start.isPending} title={example} onClick={() => start.mutate(example)}>
            {words.demo.start}
          </Button>
        )}
        <Link to="/demo" className={buttonClass("quiet")}>
          {words.demo.sandbox}
        </Link>
      </div>
      <Problem error={start.error} />
    </section>
  );
}

function Step({ step, number }: { readonly step: SetupStep; readonly number: number }) {
  const { id, title, isDone } = step;
  return (
    <li className="flex items-center gap-3 py-3 first:pt-2 last:pb-0">
      <span
        aria-hidden="true"
        className={cx(
          "grid size-7 shrink-0 place-items-center rounded-full border text-sm font-medium",
          isDone ? "border-good bg-good-soft text-good" : "border-edge text-quiet",
        )}
      >
        {isDone ? "✓" : number}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium">
          {title}
          <span className="sr-only"> ({isDone ? words.states.done : words.states.todo})</span>
        </p>
        <p className="text-sm wrap-anywhere text-quiet">{visible(step.words)}</p>
      </div>
      {!isDone && (
        <Link
          to="/connections"
          hash={id}
          aria-label={words.setUpFor[id]}
          className={buttonClass("plain")}
        >
          {words.setUp}
        </Link>
      )}
    </li>
  );
}

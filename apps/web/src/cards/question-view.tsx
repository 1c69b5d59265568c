import { expectedAnswer, type AnswerSchema, type QuestionState } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/states.tsx";

interface QuestionViewProps {
  readonly question: {
    readonly id: string;
    readonly state: QuestionState;
    readonly text: string;
    readonly choices: readonly string[];
    readonly schema?: AnswerSchema | null | undefined;
    readonly default?: string | null | undefined;
    readonly answer?: string | null | undefined;
  };
}

/** A question of a run. A choice answers it with one press. */
export function QuestionView({ question }: QuestionViewProps) {
  const { id, state, text, choices, schema, default: byDefault } = question;
  const [typed, setTyped] = useState("");
  const [isSent, setSent] = useState(false);
  const field = useId();
  const hint = useId();
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: (body: { typed: string } | { choice: number }) =>
      api.call("POST /api/questions/:id/answer", { params: { id }, body }),
    onSuccess: () => setSent(true),
    onSettled: () => client.invalidateQueries({ queryKey: ["approvals"] }),
  });
  const isOpen = state === "pending" && !isSent;
  return (
    <Panel title={texts.question.title} tone={isOpen ? "ask" : "plain"}>
      <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
      {!isOpen && <Outcome question={question} />}
      {isOpen && choices.length > 0 && (
        <div role="group" aria-label={texts.question.choices} className="mt-3 flex flex-wrap gap-2">
          {choices.map((choice, index) => (
            <Button
              key={choice}
              isBusy={send.isPending}
              onClick={() => send.mutate({ choice: index + 1 })}
              className="max-w-full wrap-anywhere"
            >
              {choice}
            </Button>
          ))}
        </div>
      )}
      {isOpen && (
        <form
          className="mt-3 flex flex-wrap gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== "") send.mutate({ typed });
          }}
        >
          <label htmlFor={field} className="sr-only">
            {texts.question.other}
          </label>
          <input
            id={field}
            {...inputFor(schema)}
            aria-describedby={schema ? hint : undefined}
            value={typed}
            placeholder={texts.question.other}
            onChange={({ target }) => setTyped(target.value)}
            className="min-w-0 flex-1 basis-56 rounded-lg border border-edge bg-surface px-3 py-2"
          />
          <Button type="submit" kind="main" isBusy={send.isPending} disabled={typed.trim() === ""}>
            {send.isPending ? texts.question.sending : texts.question.send}
          </Button>
        </form>
      )}
      {isOpen && schema && (
        <p id={hint} className="mt-2 text-sm text-quiet">
          {texts.question.expected(expectedAnswer(schema))}
        </p>
      )}
      {isOpen && byDefault && (
        <p className="mt-2 text-sm text-quiet">{texts.question.byDefault(byDefault)}</p>
      )}
      <Problem error={send.error} />
    </Panel>
  );
}

const inputs = {
  integer: { inputMode: "numeric" },
  number: { inputMode: "decimal" },
  date: { type: "date" },
  email: { inputMode: "email" },
  uri: { inputMode: "url" },
} as const;

/** The keyboard of a phone and the picker for dates. The server checks the answer. */
function inputFor(schema: AnswerSchema | null | undefined) {
  if (!schema) return {};
  if (schema.type === "string") return schema.format ? inputs[schema.format] : {};
  return inputs[schema.type];
}

function Outcome({ question: { state, answer, default: byDefault } }: QuestionViewProps) {
  const closed =
    state === "canceled"
      ? texts.question.canceled
      : state === "expired"
        ? byDefault
          ? texts.question.expiredWithDefault(byDefault)
          : texts.question.expired
        : texts.question.answered;
  return (
    <div className="mt-2">
      <p className="text-sm text-quiet">{closed}</p>
      {answer && <p className="whitespace-pre-wrap wrap-anywhere">{answer}</p>}
    </div>
  );
}

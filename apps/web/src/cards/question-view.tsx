import {
  expectedAnswer,
  omitUndefined,
  type AnswerSchema,
  type QuestionState,
} from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/states.tsx";
import { PastedChips } from "../words-field/pasted-chips.tsx";
import { useWords, type WordsField } from "../words-field/use-words.ts";

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
  const answer = useWords<HTMLInputElement & HTMLTextAreaElement>(`answer:${id}`);
  const { words: typed, context } = answer;
  const [isSent, setSent] = useState(false);
  const field = useId();
  const hint = useId();
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: (body: { typed: string; context?: string[] } | { choice: number }) =>
      api.call("POST /api/questions/:id/answer", { params: { id }, body }),
    onSuccess() {
      setSent(true);
      answer.clear();
    },
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
            if (typed.trim() !== "") send.mutate({ typed, ...omitUndefined({ context }) });
          }}
        >
          <label htmlFor={field} className="sr-only">
            {texts.question.other}
          </label>
          <AnswerField
            id={field}
            schema={schema}
            aria-describedby={schema ? hint : undefined}
            answer={answer}
          />
          <Button type="submit" kind="main" isBusy={send.isPending} disabled={typed.trim() === ""}>
            {send.isPending ? texts.question.sending : texts.question.send}
          </Button>
        </form>
      )}
      {isOpen && (
        <div className="mt-3">
          <PastedChips field={answer} />
        </div>
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

/** An answer in words may have several lines. Enter sends it. */
function AnswerField({
  schema,
  answer,
  ...ids
}: {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly schema: AnswerSchema | null | undefined;
  readonly answer: WordsField<HTMLInputElement & HTMLTextAreaElement>;
}) {
  const shared = {
    ...ids,
    ...answer.handlers,
    ref: answer.ref,
    value: answer.words,
    placeholder: texts.question.other,
    className: "min-w-0 flex-1 basis-56 rounded-lg border border-edge bg-surface px-3 py-2",
  };
  if (schema)
    return (
      <input
        {...shared}
        {...inputFor(schema)}
        onChange={({ target }) => answer.setWords(target.value)}
      />
    );
  return (
    <textarea
      {...shared}
      rows={1}
      onChange={({ target }) => answer.setWords(target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
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

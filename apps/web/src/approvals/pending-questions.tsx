import type { QuestionView as Question } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { QuestionView } from "../cards/question-view.tsx";
import { shown } from "../run/shown.ts";
import { texts } from "../texts.ts";
import { inboxWords } from "../words/inbox.ts";

/** The open questions of all runs. */
export function PendingQuestions({ questions }: { readonly questions: readonly Question[] }) {
  if (questions.length === 0) return null;
  return (
    <ul aria-label={texts.question.pending} className="mb-6 grid gap-3">
      {questions.map((question) => (
        <li key={question.id}>
          <QuestionView question={shown(question)} />
          <p className="mt-1 text-sm">
            <Link to="/runs/$runId" params={{ runId: question.runId }}>
              {inboxWords.viewTask}
            </Link>
          </p>
        </li>
      ))}
    </ul>
  );
}

import type { Answer, ApiQuery, QuestionView } from "@bron/protocol";

/** The query of `GET /api/questions`. `idPrefix` is in lower case. `limit` defaults to 500. */
export interface ListQuestions extends Readonly<
  Partial<Omit<ApiQuery<"GET /api/questions">, "pending">>
> {
  readonly pendingOnly?: boolean | undefined;
}

export interface Questions {
  get(ownerId: string, questionId: string): Promise<QuestionView | undefined>;
  /** Oldest first. */
  list(ownerId: string, options: ListQuestions): Promise<QuestionView[]>;
  /**
   * Answers once and wakes the run in the same transaction. Throws not_found, conflict or
   * invalid_input.
   */
  answer(ownerId: string, questionId: string, answer: Answer): Promise<QuestionView>;
  /** Expires overdue questions and wakes their runs. Returns the number of questions. */
  expireDue(): Promise<number>;
}

import { describeText } from "@bron/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { api } from "../api.ts";
import { addToThread } from "../live/thread-cache.ts";
import { texts } from "../texts.ts";
import { Problem } from "../ui/states.tsx";
import type { TextApart } from "./item.ts";

/** The texts beside the owner's words. Each can be read, and counts as words once the owner says so. */
export function TextsApart({
  runId,
  apart,
}: {
  readonly runId: string;
  readonly apart: readonly TextApart[];
}) {
  return (
    <ul aria-label={texts.pasted.list} className="mt-2 grid gap-2">
      {apart.map((text, index) => (
        <OneText key={`${text.digest} ${index}`} runId={runId} apart={text} />
      ))}
    </ul>
  );
}

function OneText({
  runId,
  apart: { text, from, digest, isPutBack },
}: {
  readonly runId: string;
  readonly apart: TextApart;
}) {
  const [isOpen, setOpen] = useState(false);
  const body = useId();
  const navigate = useNavigate();
  const client = useQueryClient();
  const putBack = useMutation({
    mutationFn: () =>
      api.call("POST /api/runs/:id/put-back", { params: { id: runId }, body: { digest } }),
    onSuccess({ run, isNewTask }) {
      if (!isNewTask) return;
      addToThread(client, run);
      void navigate({ to: "/threads/$threadId", params: { threadId: run.threadId } });
    },
  });
  const brief = describeText(text);
  const isMine = isPutBack === true || putBack.isSuccess;
  return (
    <li className="min-w-0 rounded-lg border border-edge bg-surface text-sm text-ink">
      <div className="flex flex-wrap items-center gap-x-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={body}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 min-w-0 flex-1 basis-60 items-center gap-2 border-0 bg-transparent px-2.5 py-1.5 text-left text-ink"
        >
          <span aria-hidden="true" className="text-quiet">
            {isOpen ? "▾" : "▸"}
          </span>
          <span className="min-w-0 sm:shrink-0">
            {from === "words" ? texts.pasted.takenOut(brief) : texts.pasted.pasted(brief)}
          </span>
          <span className="min-w-0 flex-1 basis-0 truncate text-quiet">{brief.start}</span>
        </button>
        {isMine ? (
          <span className="px-2.5 py-1.5 text-quiet">{texts.pasted.isMine}</span>
        ) : (
          <button
            type="button"
            title={texts.pasted.mineOf(brief)}
            aria-disabled={putBack.isPending}
            onClick={() => !putBack.isPending && putBack.mutate()}
            className="ml-auto min-h-9 border-0 bg-transparent px-2.5 text-accent underline"
          >
            {putBack.isPending ? texts.pasted.saving : texts.pasted.mine}
          </button>
        )}
      </div>
      <p
        id={body}
        hidden={!isOpen}
        tabIndex={0}
        className="max-h-80 overflow-y-auto border-t border-edge px-2.5 py-2 whitespace-pre-wrap wrap-anywhere"
      >
        {text}
      </p>
      <Problem error={putBack.error} />
    </li>
  );
}

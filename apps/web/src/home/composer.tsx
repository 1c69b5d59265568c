import { omitUndefined, visible, type RunView } from "@bron/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { addToThread } from "../live/thread-cache.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { PastedChips } from "../words-field/pasted-chips.tsx";
import { isSendKey } from "../words-field/is-send-key.ts";
import { useWords } from "../words-field/use-words.ts";
import { attachToRun } from "./attach-files.ts";
import { FileChips, withFiles } from "./file-chips.tsx";
import { Suggestions } from "./suggestions.tsx";
import { useUploads } from "./use-uploads.ts";

interface ComposerProps {
  readonly suggestions: readonly string[];
  /** Shows one line in place of the suggestions. */
  readonly foldsSuggestions?: boolean;
  /** The Bron that runs the task. Without it, the owner can choose if there are several. */
  readonly bronId?: string;
  /** The conversation to continue. */
  readonly threadId?: string;
  /** The run under way that hears what is written, instead of a new one. */
  readonly runUnderWay?: string | undefined;
  readonly label?: string;
  readonly placeholder?: string;
  /** More buttons, before the one that sends. */
  readonly actions?: ReactNode;
  /** Called once a new task has started. By default its conversation opens. */
  onStarted?(run: RunView): void;
}

/**
 * Takes a task and its files. An idempotency key prevents one submission from starting two runs.
 */
export function Composer({
  suggestions,
  foldsSuggestions,
  bronId,
  threadId,
  runUnderWay,
  label = texts.composerLabel,
  placeholder = texts.composerPlaceholder,
  actions,
  onStarted,
}: ComposerProps) {
  const field = useWords(threadId === undefined ? "task" : `thread:${threadId}`);
  const { words: prompt, context } = field;
  const [files, setFiles] = useState<readonly File[]>([]);
  const [chosen, setChosen] = useState("");
  const [key, setKey] = useState(() => crypto.randomUUID());
  const id = useId();
  const picker = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const client = useQueryClient();
  const [model, setModel] = useState("");
  const { data: models = [] } = useQuery({
    ...queries.models(),
    enabled: runUnderWay === undefined,
  });
  const { data: brons = [] } = useQuery({ ...queries.brons(), enabled: bronId === undefined });
  const uploaded = useUploads();
  const create = useMutation({
    async mutationFn() {
      const uploads = await Promise.all(files.map(uploaded));
      const rest =
        runUnderWay === undefined ? uploads : await attachToRun(api, runUnderWay, uploads);
      if (runUnderWay !== undefined && rest.length === 0)
        return await api.call("POST /api/runs/:id/messages", {
          params: { id: runUnderWay },
          body: { content: prompt, ...omitUndefined({ context }) },
          idempotencyKey: key,
        });
      const assignedId = bronId ?? (chosen === "" ? undefined : chosen);
      const run = await api.call("POST /api/runs", {
        body: {
          prompt,
          ...omitUndefined({
            context,
            bronId: assignedId,
            threadId,
            model: model === "" ? undefined : model,
          }),
          ...(rest.length === 0 ? {} : { uploadIds: rest.map(({ id }) => id) }),
        },
        idempotencyKey: key,
      });
      return { run, isNewTask: true };
    },
    onSuccess({ run, isNewTask }) {
      field.clear();
      setFiles([]);
      setKey(crypto.randomUUID());
      if (!isNewTask) return;
      addToThread(client, run);
      if (onStarted) onStarted(run);
      else void navigate({ to: "/threads/$threadId", params: { threadId: run.threadId } });
    },
    // After a rejection the next try is a new task. After a lost response it is the same one.
    onError: (error) =>
      "retryable" in error && error.retryable === false && setKey(crypto.randomUUID()),
  });
  const canStart = prompt.trim() !== "" && !create.isPending;
  const add = (chosenFiles: Iterable<File>) => {
    const added = [...chosenFiles];
    setFiles((before) => withFiles(before, added));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    if (canStart) create.mutate();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canStart) create.mutate();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add(event.dataTransfer.files);
        if (event.dataTransfer.files.length === 0)
          field.addDropped(event.dataTransfer.getData("text/plain"));
      }}
    >
      <div className="rounded-2xl border border-edge bg-surface p-3 shadow-sm focus-within:border-accent">
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <textarea
          id={id}
          ref={field.ref}
          {...field.handlers}
          rows={threadId === undefined ? 4 : 1}
          value={prompt}
          placeholder={placeholder}
          onChange={({ target }) => field.setWords(target.value)}
          onKeyDown={onKeyDown}
          className="w-full resize-y border-0 bg-transparent p-2 text-base outline-none"
        />
        <PastedChips field={field} />
        <FileChips
          files={files}
          onRemove={(file) => setFiles((before) => before.filter((other) => other !== file))}
        />
        <div className="flex flex-wrap items-center gap-2">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={({ target }) => {
              add(target.files ?? []);
              target.value = "";
            }}
          />
          <Button kind="quiet" onClick={() => picker.current?.click()}>
            {texts.attach}
          </Button>
          {bronId === undefined && brons.length > 1 && (
            <label className="flex min-w-0 items-center gap-2 text-sm text-quiet">
              <span className="shrink-0">{texts.assignTo}</span>
              <select
                value={chosen}
                onChange={({ target }) => setChosen(target.value)}
                className="w-full max-w-48 min-w-0 rounded-lg border border-edge bg-surface px-2 py-1.5 text-ink"
              >
                {brons.map((bron) => (
                  <option key={bron.id} value={bron.isDefault ? "" : bron.id}>
                    {bron.name}
                  </option>
                ))}
              </select>
            </label>
          )}
          {runUnderWay === undefined && models.length > 1 && (
            <select
              aria-label={texts.composerModel}
              value={model}
              onChange={({ target }) => setModel(target.value)}
              className="max-w-40 min-w-0 cursor-pointer rounded-lg border border-transparent bg-transparent px-2 py-1.5 text-sm text-quiet hover:bg-raised"
            >
              <option value="">{texts.composerDefaultModel}</option>
              {models.map(({ name }) => (
                <option key={name} value={name}>
                  {visible(name)}
                </option>
              ))}
            </select>
          )}
          <span className="ml-auto hidden text-xs text-quiet sm:inline">{texts.shortcut}</span>
          {actions}
          <Button type="submit" kind="main" disabled={!canStart} className="ml-auto sm:ml-0">
            {threadId !== undefined
              ? texts.run.send
              : create.isPending
                ? texts.starting
                : texts.start}
          </Button>
        </div>
      </div>
      <Problem error={create.error} />
      <Suggestions
        suggestions={suggestions}
        isFolded={foldsSuggestions}
        onChoose={(suggestion) => {
          field.setWords(suggestion);
          field.ref.current?.focus();
        }}
      />
    </form>
  );
}

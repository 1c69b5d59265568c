import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState, type KeyboardEvent } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";

interface ComposerProps {
  readonly suggestions: readonly string[];
  /** The Bron that does it; without one there is a choice if there are several. */
  readonly bronId?: string;
}

/** A task in plain words, with files if it needs any. The same press of a button never begins two. */
export function Composer({ suggestions, bronId }: ComposerProps) {
  const [prompt, setPrompt] = useState("");
  const [files, setFiles] = useState<readonly File[]>([]);
  const [chosen, setChosen] = useState("");
  const [key, setKey] = useState(() => crypto.randomUUID());
  const text = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: brons = [] } = useQuery({ ...queries.brons(), enabled: bronId === undefined });
  const begin = useMutation({
    async mutationFn() {
      const uploads = await Promise.all(files.map((file) => api.uploads.send({ filename: file.name, contentType: file.type || "application/octet-stream", bytes: file })));
      const who = bronId ?? (chosen === "" ? undefined : chosen);
      return await api.runs.create({ prompt, ...(who === undefined ? {} : { bronId: who }), ...(uploads.length === 0 ? {} : { uploadIds: uploads.map(({ id }) => id) }) }, { idempotencyKey: key });
    },
    onSuccess(run) {
      client.setQueryData(queries.run(run.id).queryKey, run);
      void client.invalidateQueries({ queryKey: ["runs"] });
      void navigate({ to: "/runs/$runId", params: { runId: run.id } });
    },
    // Another try after a refusal is another task; after a lost answer it is the same.
    onError: (error) => "retryable" in error && error.retryable === false && setKey(crypto.randomUUID()),
  });
  const canBegin = prompt.trim() !== "" && !begin.isPending;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || !canBegin) return;
    event.preventDefault();
    begin.mutate();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canBegin) begin.mutate();
      }}
    >
      <div className="rounded-2xl border border-edge bg-surface p-3 shadow-sm focus-within:border-accent">
        <label htmlFor="prompt" className="sr-only">
          {texts.composerLabel}
        </label>
        <textarea id="prompt" ref={text} rows={4} value={prompt} placeholder={texts.composerPlaceholder} onChange={({ target }) => setPrompt(target.value)} onKeyDown={onKeyDown} className="w-full resize-y border-0 bg-transparent p-2 text-base outline-none" />
        {files.length > 0 && (
          <ul className="mb-2 flex flex-wrap gap-2 px-2">
            {files.map((file) => (
              <li key={`${file.name}-${file.lastModified}`} className="flex items-center gap-2 rounded-lg border border-edge bg-raised px-2.5 py-1 text-sm">
                {file.name}
                <button type="button" aria-label={texts.removeFile(file.name)} onClick={() => setFiles((before) => before.filter((one) => one !== file))}>
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <input ref={picker} type="file" multiple hidden onChange={({ target }) => setFiles((before) => [...before, ...(target.files ?? [])])} />
          <Button kind="quiet" onClick={() => picker.current?.click()}>
            {texts.attach}
          </Button>
          {brons.length > 1 && (
            <label className="flex items-center gap-2 text-sm text-quiet">
              {texts.chooseBron}
              <select value={chosen} onChange={({ target }) => setChosen(target.value)} className="rounded-lg border border-edge bg-surface px-2 py-1.5 text-ink">
                {brons.map(({ id, name, isDefault }) => (
                  <option key={id} value={isDefault ? "" : id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <span className="ml-auto hidden text-xs text-quiet sm:inline">{texts.shortcut}</span>
          <Button type="submit" kind="main" disabled={!canBegin} className="ml-auto sm:ml-0">
            {begin.isPending ? texts.beginning : texts.begin}
          </Button>
        </div>
      </div>
      <Problem error={begin.error} />
      {suggestions.length > 0 && (
        <div className="mt-6">
          <h2 className="mb-2 text-sm font-semibold text-quiet">{texts.tryThis}</h2>
          <ul className="grid gap-2 sm:grid-cols-2">
            {suggestions.map((suggestion) => (
              <li key={suggestion}>
                <button
                  type="button"
                  onClick={() => {
                    setPrompt(suggestion);
                    text.current?.focus();
                  }}
                  className="h-full w-full rounded-xl border border-edge bg-surface px-4 py-3 text-left text-sm hover:border-accent hover:bg-accent-soft"
                >
                  {suggestion}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </form>
  );
}

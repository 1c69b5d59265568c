import { useState, type SyntheticEvent } from "react";
import { api } from "./api.ts";
import { goTo } from "./router.ts";
import { texts } from "./texts.ts";

export function Composer({ suggestions }: { readonly suggestions: readonly string[] }) {
  const [prompt, setPrompt] = useState("");
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const begin = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (prompt.trim() === "") return;
    setIsBusy(true);
    setError(undefined);
    try {
      const run = await api.runs.create({ prompt }, { idempotencyKey: crypto.randomUUID() });
      goTo(`/runs/${run.id}`);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setIsBusy(false);
    }
  };
  return (
    <form className="composer" onSubmit={(event) => void begin(event)}>
      <label htmlFor="prompt">{texts.composerLabel}</label>
      <textarea
        id="prompt"
        rows={4}
        value={prompt}
        placeholder={texts.composerPlaceholder}
        onChange={(event) => setPrompt(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void begin(event);
        }}
      />
      {error !== undefined && <p role="alert">{error}</p>}
      <div className="row">
        <button type="submit" className="main" disabled={isBusy || prompt.trim() === ""}>
          {isBusy ? texts.beginning : texts.begin}
        </button>
      </div>
      {suggestions.length > 0 && (
        <div className="suggestions">
          <h2>{texts.tryThis}</h2>
          {suggestions.map((suggestion) => (
            <button type="button" key={suggestion} onClick={() => setPrompt(suggestion)}>
              {suggestion}
            </button>
          ))}
        </div>
      )}
    </form>
  );
}

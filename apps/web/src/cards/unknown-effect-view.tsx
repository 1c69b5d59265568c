import type { CardPayload, Settlement } from "@bron/protocol";
import { useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { useLoad } from "../use-load.ts";

/** What left without an answer, and the owner's word on it once they have looked. */
export function UnknownEffectView({ effectId, preview, check }: CardPayload<"UnknownEffectCard">) {
  const { value: effect, error, reload } = useLoad(effectId, () => api.effects.get(effectId));
  const settled = effect?.settled ?? undefined;
  const title = settled ? texts.cards.settlement[settled.as] : texts.cards.unknown;
  return (
    <section className={settled ? "card" : "card warn"} aria-label={title}>
      <h3>{title}</h3>
      <pre>{preview}</pre>
      {!settled && (
        <p>
          <strong>{texts.cards.check}:</strong> {check}
        </p>
      )}
      {settled && (
        <p className="quiet">
          {texts.cards.settledByYou} <Time at={settled.at} />
          {settled.note !== null && `: ${settled.note}`}
        </p>
      )}
      {error !== undefined && <p role="alert">{error}</p>}
      {effect && !settled && <Settling effectId={effectId} onSettled={reload} />}
    </section>
  );
}

function Settling({ effectId, onSettled }: { readonly effectId: string; readonly onSettled: () => void }) {
  const [note, setNote] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const settle = async (as: Settlement) => {
    setIsBusy(true);
    setError(undefined);
    try {
      await api.effects.settle(effectId, as, note === "" ? undefined : note);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setIsBusy(false);
    }
    // Also after a refusal: another tab may have been first.
    onSettled();
  };
  return (
    <>
      {error !== undefined && <p role="alert">{error}</p>}
      <div className="row decide">
        <button type="button" disabled={isBusy} onClick={() => void settle("happened")}>
          {texts.cards.settlement.happened}
        </button>
        <button type="button" disabled={isBusy} onClick={() => void settle("did_not_happen")}>
          {texts.cards.settlement.did_not_happen}
        </button>
        <label>
          <span className="visually-hidden">{texts.cards.settleNote}</span>
          <input value={note} maxLength={2_000} placeholder={texts.cards.settleNote} onChange={(event) => setNote(event.target.value)} />
        </label>
      </div>
    </>
  );
}

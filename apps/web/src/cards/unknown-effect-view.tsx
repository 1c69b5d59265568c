import { visible, type CardPayload, type EffectView, type Settlement } from "@bron/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/states.tsx";
import { actionWords } from "../words/action.ts";
import { describeCheck } from "../words/tools.ts";

/** An effect without a confirmed outcome. The owner can look and say whether it happened. */
export function UnknownEffectView(card: CardPayload<"UnknownEffectCard">) {
  const { effectId, tool, preview } = card;
  const { data: effect, error, refetch } = useQuery(queries.effect(effectId));
  const words = actionWords(tool);
  const settled = effect?.settled ?? undefined;
  return (
    <Panel
      title={settled ? words.howItWent[settled.as] : words.unconfirmed}
      tone={settled ? "plain" : "bad"}
    >
      <p className="text-sm whitespace-pre-wrap wrap-anywhere">{visible(preview)}</p>
      {!settled && (
        <p className="mt-2">
          <strong>{texts.cards.howToCheck}:</strong> {visible(describeCheck(card))}
        </p>
      )}
      {settled && (
        <p className="mt-2 text-sm text-quiet">
          {texts.cards.settledByYou} <Ago at={settled.at} />
          {settled.note !== null && `: ${visible(settled.note)}`}
        </p>
      )}
      <Problem error={error} onRetry={() => void refetch()} />
      {effect && !settled && <Settling effect={effect} />}
    </Panel>
  );
}

function Settling({ effect: { id, tool } }: { readonly effect: EffectView }) {
  const [note, setNote] = useState("");
  const client = useQueryClient();
  const { queryKey } = queries.effect(id);
  const settle = useMutation({
    mutationFn: (settlement: Settlement) =>
      api.call("POST /api/effects/:id/settle", {
        params: { id },
        body: { as: settlement, note: note === "" ? undefined : note },
      }),
    onSuccess: (next) => client.setQueryData(queryKey, next),
    // Another tab may have settled it first.
    onError: () => void client.invalidateQueries({ queryKey }),
  });
  return (
    <div className="mt-3 grid gap-2">
      <Problem error={settle.error} />
      <label>
        <span className="sr-only">{texts.cards.settleNote}</span>
        <input
          value={note}
          maxLength={2_000}
          placeholder={texts.cards.settleNote}
          onChange={({ target }) => setNote(target.value)}
          className={inputClass}
        />
      </label>
      <div className="flex flex-wrap gap-2">
        {(["happened", "did_not_happen"] as const).map((settlement) => (
          <Button
            key={settlement}
            disabled={settle.isPending}
            onClick={() => settle.mutate(settlement)}
          >
            {actionWords(tool).settle[settlement]}
          </Button>
        ))}
      </div>
    </div>
  );
}

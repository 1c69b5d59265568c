import type { TokenView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { useOptimistic } from "../live/use-optimistic.ts";
import { settingsWords } from "../words/settings.ts";
import { Ago, Time } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { NewTokenForm, type MadeToken } from "./new-token-form.tsx";

const words = settingsWords;

export function TokensPanel() {
  const tokens = useQuery(queries.tokens());
  const [made, setMade] = useState<MadeToken>();
  const { ask, dialog } = useConfirm();
  const revoke = useOptimistic({
    queryKey: queries.tokens().queryKey,
    request: (id: string) => api.call("DELETE /api/tokens/:id", { params: { id } }),
    predict: (before, id) => before.filter((token) => token.id !== id),
  });
  return (
    <Panel title={words.tokens}>
      <p className="text-sm text-quiet">{words.tokensAbout}</p>
      {tokens.isPending && <Loading />}
      <Problem error={tokens.error} onRetry={() => void tokens.refetch()} />
      <Refused error={revoke.error} />
      {tokens.data?.length === 0 && <p className="mt-3 text-sm text-quiet">{words.noTokens}</p>}
      <ul aria-label={words.tokens} className="mt-3 divide-y divide-edge">
        {tokens.data?.map((token) => (
          <Token
            key={token.id}
            token={token}
            onRevoke={() =>
              ask({ ...words.sureRevoke(token.name), onYes: () => revoke.mutate(token.id) })
            }
          />
        ))}
      </ul>
      {made ? (
        <ShownOnce made={made} onDone={() => setMade(undefined)} />
      ) : (
        <NewTokenForm onMade={setMade} />
      )}
      {dialog}
    </Panel>
  );
}

function Token({
  token: { name, scopes, hint, expiresAt, lastUsedAt },
  onRevoke,
}: {
  readonly token: TokenView;
  onRevoke(): void;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {name} <code className="text-xs text-quiet">…{hint}</code>
        </p>
        <p className="text-sm text-quiet">
          {scopes.map((scope) => words.scopes[scope].name).join(", ")} ·{" "}
          {expiresAt === null ? (
            words.never
          ) : (
            <>
              {words.expires} <Time at={expiresAt} />
            </>
          )}{" "}
          ·{" "}
          {lastUsedAt === null ? (
            words.neverUsed
          ) : (
            <>
              {words.lastUsed} <Ago at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <Button kind="quiet" aria-label={words.revokeToken(name)} onClick={onRevoke}>
        {words.revoke}
      </Button>
    </li>
  );
}

/** Shows a new token. The server never returns it again. */
function ShownOnce({ made: { token }, onDone }: { readonly made: MadeToken; onDone(): void }) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div role="status" className="mt-3 rounded-lg border border-good bg-good-soft p-4">
      <p className="text-sm font-medium">{words.tokenCreated}</p>
      <input
        readOnly
        aria-label={words.token}
        value={token}
        onFocus={({ target }) => target.select()}
        className="mt-2 w-full rounded-lg border border-edge bg-surface px-3 py-2 font-mono text-sm"
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          kind="main"
          onClick={() => void navigator.clipboard.writeText(token).then(() => setIsCopied(true))}
        >
          {isCopied ? words.copied : words.copy}
        </Button>
        <Button onClick={onDone}>{words.done}</Button>
      </div>
    </div>
  );
}

import type { ModelKeyProvider, ModelKeyView, ModelProvider } from "@bron/protocol";
import { connectionsWords } from "../words/connections.ts";
import { Ago } from "../time.tsx";
import { Button } from "../ui/button.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";

const words = connectionsWords;

interface ModelKeyRowProps {
  readonly provider: ModelKeyProvider;
  readonly stored: ModelKeyView | undefined;
  /** Whether runs use this key. */
  readonly isUsed: boolean;
  readonly isTesting: boolean;
  onAdd(provider: ModelProvider): void;
  onTest(): void;
  onUse(): void;
  onRemove(): void;
}

/** A provider with its key, if there is one, and what can be done with it. */
export function ModelKeyRow({
  provider,
  stored,
  isUsed,
  isTesting,
  onAdd,
  onTest,
  onUse,
  onRemove,
}: ModelKeyRowProps) {
  const name = providerName(provider);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-quiet">
          {stored ? <KeyWords view={stored} isUsed={isUsed} /> : words.noKey}
        </p>
        {stored?.state === "untested" && (
          <Untested name={name} isTesting={isTesting} onTest={onTest} onUse={onUse} />
        )}
      </div>
      <div className="flex gap-2">
        {provider !== "local" && (
          <Button
            data-key-of={provider}
            aria-label={stored ? words.replaceKey(name) : words.addKey(name)}
            onClick={() => onAdd(provider)}
          >
            {stored ? words.replace : words.add}
          </Button>
        )}
        {stored && <RemoveButton provider={provider} onRemove={onRemove} />}
      </div>
    </li>
  );
}

function RemoveButton({
  provider,
  onRemove,
}: {
  readonly provider: ModelKeyProvider;
  readonly onRemove: () => void;
}) {
  const button = useFocusAfter<HTMLButtonElement>((container) =>
    container?.querySelector<HTMLElement>(`[data-key-of=${provider}]`),
  );
  return (
    <Button
      ref={button}
      kind="quiet"
      aria-label={words.removeKey(providerName(provider))}
      onClick={onRemove}
    >
      {words.remove}
    </Button>
  );
}

export function providerName(provider: ModelKeyProvider): string {
  return provider === "local" ? words.localName : words.providers[provider];
}

/** A key that could not be tested is not used until its owner says so. */
function Untested({
  name,
  isTesting,
  onTest,
  onUse,
}: {
  readonly name: string;
  readonly isTesting: boolean;
  onTest(): void;
  onUse(): void;
}) {
  return (
    <div role="status" className="mt-2 border-l-2 border-ask-edge pl-3 text-sm">
      <p>{words.untested(name)}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button isBusy={isTesting} onClick={onTest}>
          {isTesting ? words.testing : words.testAgain}
        </Button>
        <Button kind="quiet" onClick={onUse}>
          {words.useAnyway}
        </Button>
      </div>
    </div>
  );
}

function KeyWords({
  view: { provider, hint, model, state, updatedAt },
  isUsed,
}: {
  readonly view: ModelKeyView;
  readonly isUsed: boolean;
}) {
  return (
    <>
      {[
        provider === "local" ? (words.localServers[hint] ?? hint) : words.endsWith(hint),
        ...(model === null ? [] : [model]),
        ...(state === "accepted" ? [words.accepted] : []),
        ...(isUsed ? [words.isUsed] : []),
      ].join(" · ")}{" "}
      · <Ago at={updatedAt} />
    </>
  );
}

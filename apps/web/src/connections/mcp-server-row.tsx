import { mcpProviderOf, visible, type McpServerState, type McpServerView } from "@bron/protocol";
import { useLocation } from "@tanstack/react-router";
import { Button, buttonClass } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { mcpWords as words } from "../words/mcp.ts";
import { connectHref } from "./connect-href.ts";
import { isWaiting } from "./mcp-review.tsx";
import { McpToolItem } from "./mcp-tool-item.tsx";

interface McpServerRowProps {
  readonly server: McpServerView;
  readonly isTesting: boolean;
  onTest(): void;
  onReview(): void;
  onSignOut(): void;
  onRemove(): void;
}

/** A server with its state and its tools, and what can be done with it. */
export function McpServerRow(props: McpServerRowProps) {
  const { title, folder, isSample, target, state, problem, tools, notes } = props.server;
  return (
    <li className="py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium wrap-anywhere">{visible(title)}</span>
            <StateBadge state={state} />
          </p>
          {target !== "" && (
            <code className="mt-1 block text-xs wrap-anywhere text-quiet">{visible(target)}</code>
          )}
          {isSample && <p className="text-sm text-quiet">{words.sample}</p>}
          {folder !== null && (
            <p className="text-sm wrap-anywhere text-quiet">{words.folder(visible(folder))}</p>
          )}
          <p className="mt-1 text-sm wrap-anywhere">
            {problem === null ? words.states[state] : visible(problem)}
          </p>
          {notes.map((note) => (
            <p key={note} className="text-sm wrap-anywhere text-quiet">
              {visible(note)}
            </p>
          ))}
        </div>
        <RowButtons {...props} />
      </div>
      {tools.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="cursor-pointer text-quiet">{words.tools(tools.length)}</summary>
          <ul className="mt-2 grid gap-3">
            {tools.map((tool) => (
              <McpToolItem key={tool.name} tool={tool} />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function RowButtons({
  server: { name, title, folder, isSample, transport, state, signedIn, tools },
  isTesting,
  onTest,
  onReview,
  onSignOut,
  onRemove,
}: McpServerRowProps) {
  const from = useLocation({ select: ({ href }) => href });
  const waiting = tools.filter(isWaiting).length;
  const canTest = transport !== null && !unusable.has(state);
  const needsSignIn = state === "needs_sign_in" || signedIn === false;
  return (
    <div className="flex flex-wrap gap-2">
      {waiting > 0 && (
        <Button kind="main" onClick={onReview}>
          {words.review(waiting)}
        </Button>
      )}
      {needsSignIn && (
        <a
          className={buttonClass("main")}
          aria-label={words.signInTo(title)}
          href={connectHref(mcpProviderOf(name), from)}
        >
          {words.signIn}
        </a>
      )}
      {canTest && (
        <Button aria-label={words.testOf(title)} isBusy={isTesting} onClick={onTest}>
          {isTesting ? words.testing : words.test}
        </Button>
      )}
      {signedIn === true && (
        <Button kind="quiet" aria-label={words.signOutOf(title)} onClick={onSignOut}>
          {words.signOut}
        </Button>
      )}
      {folder === null && !isSample && (
        <Button kind="quiet" aria-label={words.removeOf(title)} onClick={onRemove}>
          {words.remove}
        </Button>
      )}
    </div>
  );
}

const unusable: ReadonlySet<McpServerState> = new Set(["disabled", "untrusted", "invalid"]);

const badgeClasses: Readonly<Record<McpServerState, string>> = {
  untested: "border-edge text-quiet",
  held: "border-ask-edge bg-ask text-ink",
  ready: "border-good bg-good-soft text-good",
  running: "border-good bg-good-soft text-good",
  failed: "border-bad bg-bad-soft text-bad",
  needs_sign_in: "border-quiet bg-raised text-ink",
  invalid: "border-bad bg-bad-soft text-bad",
  untrusted: "border-edge text-quiet",
  disabled: "border-edge text-quiet",
};

function StateBadge({ state }: { readonly state: McpServerState }) {
  return (
    <span
      className={cx(
        "rounded-full border px-2.5 py-0.5 text-xs font-medium whitespace-nowrap",
        badgeClasses[state],
      )}
    >
      {words.badges[state]}
    </span>
  );
}

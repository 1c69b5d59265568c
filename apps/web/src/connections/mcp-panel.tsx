import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../live/queries.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { mcpWords as words } from "../words/mcp.ts";
import { McpReview } from "./mcp-review.tsx";
import { McpServerForm } from "./mcp-server-form.tsx";
import { McpServerRow } from "./mcp-server-row.tsx";
import { useMcpChanges } from "./use-mcp-changes.ts";

/** The MCP servers of the owner: how they are, and which of their tools tasks have. */
export function McpPanel() {
  const servers = useQuery(queries.mcpServers());
  const { test, add, accept, remove, signOut } = useMcpChanges();
  const [isAdding, setAdding] = useState(false);
  const [reviewed, setReviewed] = useState<string>();
  const { ask, dialog } = useConfirm();
  const shown = servers.data?.find(({ name }) => name === reviewed);
  return (
    <Panel
      id="mcp"
      title={words.title}
      actions={<Button onClick={() => setAdding(true)}>{words.add}</Button>}
    >
      <p className="max-w-prose text-sm text-quiet">{words.about}</p>
      {servers.isPending && <Loading />}
      <Problem error={servers.error} onRetry={() => void servers.refetch()} />
      <Refused error={test.error ?? remove.error ?? signOut.error} />
      {servers.data?.length === 0 && (
        <div className="mt-4 text-sm">
          <p className="font-medium">{words.none}</p>
          <p className="text-quiet">{words.noneHint}</p>
        </div>
      )}
      <ul className="mt-3 divide-y divide-edge">
        {servers.data?.map((server) => (
          <McpServerRow
            key={server.name}
            server={server}
            isTesting={test.isPending && test.variables === server.name}
            onTest={() => test.mutate(server.name)}
            onReview={() => setReviewed(server.name)}
            onSignOut={() => signOut.mutate(server.name)}
            onRemove={() =>
              ask({
                ...words.sureRemove(server.title),
                onYes: () => remove.mutate(server.name),
              })
            }
          />
        ))}
      </ul>
      <Dialog title={words.addTitle} isOpen={isAdding} onClose={() => setAdding(false)}>
        {isAdding && (
          <McpServerForm
            isBusy={add.isPending}
            error={add.error}
            onAdd={(server) => add.mutate(server, { onSuccess: () => setAdding(false) })}
            onClose={() => setAdding(false)}
          />
        )}
      </Dialog>
      <Dialog
        title={shown ? words.reviewTitle(shown.title) : ""}
        isOpen={shown !== undefined}
        onClose={() => setReviewed(undefined)}
      >
        {shown && (
          <McpReview
            server={shown}
            isBusy={accept.isPending}
            error={accept.error}
            onAccept={(digest) =>
              accept.mutate(
                { name: shown.name, digest },
                { onSuccess: () => setReviewed(undefined) },
              )
            }
            onClose={() => setReviewed(undefined)}
          />
        )}
      </Dialog>
      {dialog}
    </Panel>
  );
}

import type { McpServerView, McpToolView } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { mcpWords as words } from "../words/mcp.ts";
import { McpToolItem } from "./mcp-tool-item.tsx";

interface McpReviewProps {
  readonly server: McpServerView;
  readonly isBusy: boolean;
  readonly error: Error | null;
  onAccept(digest: string): void;
  onClose(): void;
}

/** Whether the owner has to decide about the tool. */
export function isWaiting({ state }: McpToolView): boolean {
  return state === "new" || state === "changed";
}

/** Shows what is new or changed. Accepting names exactly what is shown. */
export function McpReview({ server, isBusy, error, onAccept, onClose }: McpReviewProps) {
  const { digest, tools } = server;
  const shown = tools.filter((tool) => isWaiting(tool) || tool.state === "gone");
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="text-sm text-quiet">{words.reviewAbout}</p>
      <ul className="grid max-h-96 gap-4 overflow-y-auto text-sm" tabIndex={0}>
        {shown.map((tool) => (
          <McpToolItem key={tool.name} tool={tool} />
        ))}
      </ul>
      <Problem error={error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button
          kind="main"
          isBusy={isBusy}
          disabled={digest === null}
          onClick={() => digest !== null && onAccept(digest)}
        >
          {isBusy ? words.accepting : words.accept}
        </Button>
      </div>
    </div>
  );
}

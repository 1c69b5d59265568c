import type { RunStatus } from "@bron/protocol";
import { CardView } from "../cards/card-view.tsx";
import { texts } from "../texts.ts";
import type { Item } from "./story.ts";

export function TimelineItem({ item, runStatus }: { readonly item: Item; readonly runStatus: RunStatus }) {
  switch (item.kind) {
    case "user":
      return (
        <li className="user">
          <strong>{texts.you}</strong>
          <p>{item.text}</p>
        </li>
      );
    case "answer":
      return <li className={item.isFinal ? "answer final" : "answer"}>{item.text}</li>;
    case "tool":
      return <ToolLine item={item} />;
    case "card":
      return (
        <li className="card-item">
          <CardView card={item.card} runStatus={runStatus} />
        </li>
      );
    case "line":
      return <li className={`line ${item.level}`}>{item.text}</li>;
    case "file":
      return (
        <li className="line">
          <a href={`/api/artifacts/${encodeURIComponent(item.digest)}`} download={item.name}>
            {item.name}
          </a>{" "}
          <span className="quiet">{sizeOf(item.sizeBytes)}</span>
        </li>
      );
  }
}

const marks: Readonly<Record<string, string>> = { running: "…", completed: "✓", failed: "✗", rejected: "⦸", canceled: "⦸", unknown: "?" };

/** One line for each call; what was asked and what came are folded away. */
function ToolLine({ item }: { readonly item: Extract<Item, { kind: "tool" }> }) {
  return (
    <li className={`tool ${item.state}`}>
      <details>
        <summary>
          <span aria-hidden="true">{marks[item.state]}</span> {texts.tools[item.tool] ?? item.tool}
          <span className="visually-hidden">: {item.state}</span>
          {item.error !== undefined && <span className="problem"> {item.error}</span>}
        </summary>
        <h4>{texts.arguments}</h4>
        <pre>{JSON.stringify(item.input, null, 2)}</pre>
        {item.output !== undefined && (
          <>
            <h4>{texts.result}</h4>
            <pre>{typeof item.output === "string" ? item.output : JSON.stringify(item.output, null, 2)}</pre>
          </>
        )}
      </details>
    </li>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_024 ? `${bytes} B` : bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

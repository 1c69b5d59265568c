import { describeHint, schemaLines, visible, type McpToolView } from "@bron/protocol";
import { mcpWords as words } from "../words/mcp.ts";

/** What a server says about one of its tools, as text, with what changed since it was accepted. */
export function McpToolItem({ tool }: { readonly tool: McpToolView }) {
  const { name, description, state, accepted, hints, inputSchema } = tool;
  const claims = Object.entries(hints).map(([hint, value]) => describeHint(hint, value));
  const isChanged = accepted !== null && accepted.description !== description;
  return (
    <li className="min-w-0 border-l-2 border-edge pl-3">
      <p className="flex flex-wrap gap-x-2">
        <code className="wrap-anywhere">{visible(name)}</code>
        <span className="text-quiet">{words.toolStates[state]}</span>
      </p>
      {isChanged ? (
        <>
          <Version label={words.before} text={accepted.description} />
          <Version label={words.after} text={description} />
        </>
      ) : (
        <p className="whitespace-pre-wrap wrap-anywhere">{visible(description)}</p>
      )}
      {claims.length > 0 && <p className="text-quiet">{words.says(claims.join(", "))}</p>}
      <Inputs
        lines={schemaLines(inputSchema)}
        before={accepted ? schemaLines(accepted.inputSchema) : undefined}
      />
    </li>
  );
}

function Version({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <p className="mt-1 whitespace-pre-wrap wrap-anywhere">
      <span className="text-quiet">{label}: </span>
      {visible(text)}
    </p>
  );
}

/** Changed inputs are open. Lines that are gone are crossed out. */
function Inputs({
  lines,
  before,
}: {
  readonly lines: readonly string[];
  readonly before: readonly string[] | undefined;
}) {
  const gone = before?.filter((line) => !lines.includes(line)) ?? [];
  const added = before ? lines.filter((line) => !before.includes(line)) : [];
  if (lines.length === 0 && gone.length === 0) return null;
  return (
    <details open={gone.length > 0 || added.length > 0} className="text-xs">
      <summary className="cursor-pointer text-quiet">{words.inputs}</summary>
      {gone.map((line) => (
        <del key={`gone ${line}`} className="block wrap-anywhere">
          {visible(line)}
        </del>
      ))}
      {lines.map((line) =>
        added.includes(line) ? (
          <ins key={line} className="block wrap-anywhere">
            {visible(line)}
          </ins>
        ) : (
          <span key={line} className="block wrap-anywhere">
            {visible(line)}
          </span>
        ),
      )}
    </details>
  );
}

import { visible, type ApprovalView } from "@bron/protocol";
import { texts } from "../texts.ts";

/** What others may have chosen, with where it was seen. Their words are marked as theirs. */
export function RiskList({ risks }: Pick<ApprovalView, "risks">) {
  if (risks.length === 0) return null;
  return (
    <section className="risks" aria-label={texts.approval.risks}>
      <h4>{texts.approval.risks}</h4>
      <ul className="plain">
        {risks.map(({ kind, value, why, from, notes }) => (
          <li key={`${kind} ${value} ${why}`}>
            <span className="quiet">{texts.approval.riskKinds[kind]}</span> <q className="theirs">{visible(value)}</q>
            <p>{visible(why)}</p>
            {from.length > 0 && (
              <p className="quiet">
                {texts.approval.seenIn}: {[...new Set(from.map(({ origin, tool }) => placeOf(texts.approval.origins[origin], tool)))].join("; ")}
              </p>
            )}
            {notes.map((note) => (
              <p key={note} className="problem">
                {visible(note)}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function placeOf(origin: string, tool: string): string {
  return tool === "" ? origin : `${origin} (${texts.tools[tool] ?? tool})`;
}

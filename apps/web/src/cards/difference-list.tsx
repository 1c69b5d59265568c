import { visible, type ApprovalView } from "@bron/protocol";
import { texts } from "../texts.ts";

/** What the owner's own edit changed. */
export function DifferenceList({ difference }: Pick<ApprovalView, "difference">) {
  if (difference.length === 0) return null;
  return (
    <section aria-label={texts.approval.changed}>
      <h4>{texts.approval.changed}</h4>
      {difference.map(({ field, before, after }) => (
        <dl key={field} className="difference">
          <div>
            <dt>{texts.approval.fields[field] ?? field}</dt>
            <dd>
              <del>{visible(before) || texts.approval.nothing}</del>
              <br />
              <ins>{visible(after) || texts.approval.nothing}</ins>
            </dd>
          </div>
        </dl>
      ))}
    </section>
  );
}

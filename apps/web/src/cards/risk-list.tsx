import { describeRisk, isInformation, visible, type ApprovalView, type Risk } from "@bron/protocol";
import { texts } from "../texts.ts";
import { toolLabel } from "../words/tools.ts";
import { SourceList } from "./source-list.tsx";

/**
 * Values that may come from untrusted content, with where they were found. They are shown as
 * quotes.
 */
export function RiskList({
  risks,
  tool: effectTool,
  runId,
}: Pick<ApprovalView, "risks" | "tool" | "runId">) {
  const information = risks.filter(isInformation);
  const toCheck = risks.filter((risk) => !isInformation(risk));
  return (
    <>
      {information.length > 0 && <InformationList risks={information} />}
      {toCheck.length > 0 && <WarningList risks={toCheck} tool={effectTool} runId={runId} />}
    </>
  );
}

/** What the owner did, such as a reply. Nobody else can have chosen it, so it is no warning. */
function InformationList({ risks }: Pick<ApprovalView, "risks">) {
  return (
    <ul className="mb-4 grid gap-1 rounded-lg border border-edge p-3 text-sm text-quiet">
      {risks.map(({ why }) => (
        <li key={riskText(why)} className="wrap-anywhere">
          {visible(riskText(why))}
        </li>
      ))}
    </ul>
  );
}

function WarningList({
  risks,
  tool: effectTool,
  runId,
}: Pick<ApprovalView, "risks" | "tool" | "runId">) {
  return (
    <section
      aria-label={texts.approval.risks}
      className="mb-4 rounded-lg border border-bad bg-bad-soft p-3"
    >
      <h3 className="m-0 mb-2 text-sm font-semibold text-bad">{texts.approval.risks}</h3>
      <ul className="grid gap-3">
        {risks.map((risk) => {
          const { kind, value, why, notes } = risk;
          return (
            <li key={`${kind} ${value} ${riskText(why)}`} className="grid gap-0.5 text-sm">
              <p>
                <span className="text-quiet">{texts.approval.riskKinds[kind]}</span>{" "}
                <q className="font-mono wrap-anywhere underline decoration-bad decoration-dotted underline-offset-4">
                  {value === effectTool ? toolLabel(value) : visible(value)}
                </q>
              </p>
              <p>{visible(riskText(why))}</p>
              <SourceList risk={risk} runId={runId} />
              {notes.map((note) => (
                <p key={riskText(note)} className="font-medium text-bad">
                  {visible(riskText(note))}
                </p>
              ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function riskText(risk: Risk["why"] | Risk["notes"][number]): string {
  return describeRisk(risk, texts.approval.riskReasons);
}

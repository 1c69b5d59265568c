import { demoFaults, type DemoFault, type DemoView } from "@bron/protocol";
import { useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";

interface FaultSwitchesProps {
  readonly active: readonly string[];
  readonly onChange: (view: DemoView) => void;
  readonly onError: (message: string) => void;
}

/** What may go wrong out there, at the press of a button. */
export function FaultSwitches({ active, onChange, onError }: FaultSwitchesProps) {
  const [isBusy, setIsBusy] = useState(false);
  const ask = (question: Promise<DemoView>) => {
    setIsBusy(true);
    question
      .then(onChange, (failure: unknown) => onError(failure instanceof Error ? failure.message : String(failure)))
      .finally(() => setIsBusy(false));
  };
  return (
    <details className="card">
      <summary>
        {texts.world.faults} {active.length > 0 && <span className="demo">{texts.world.faultsOn(active.length)}</span>}
      </summary>
      <ul className="plain">
        {Object.entries(demoFaults).map(([name, words]) => (
          <li key={name}>
            <button type="button" disabled={isBusy} onClick={() => ask(api.demo.breakIt(name as DemoFault))}>
              {words}
            </button>
          </li>
        ))}
      </ul>
      {active.length > 0 && (
        <ul>
          {active.map((words, index) => (
            <li key={`${index}-${words}`}>{words}</li>
          ))}
        </ul>
      )}
      <div className="row">
        <button type="button" disabled={isBusy || active.length === 0} onClick={() => ask(api.demo.mendIt())}>
          {texts.world.mend}
        </button>
        <button type="button" disabled={isBusy} onClick={() => confirm(texts.world.resetSure) && ask(api.demo.reset())}>
          {texts.world.reset}
        </button>
      </div>
    </details>
  );
}

import { demoFaults, type DemoFault } from "@bron/protocol";
import { useMutation } from "@tanstack/react-query";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";

/** Injects failures into the simulated services. */
export function FaultSwitches({
  active,
  onChange,
}: {
  readonly active: readonly string[];
  onChange(): void;
}) {
  const { ask, dialog } = useConfirm();
  const change = useMutation({
    mutationFn: (asking: () => Promise<unknown>) => asking(),
    onSuccess: onChange,
  });
  return (
    <details className="rounded-xl border border-edge bg-surface">
      <summary className="cursor-pointer px-4 py-3 font-medium">
        {texts.sandbox.faults}{" "}
        {active.length > 0 && (
          <span className="ml-1 rounded-full border border-edge bg-raised px-2.5 py-0.5 text-xs font-medium">
            {texts.sandbox.faultsOn(active.length)}
          </span>
        )}
      </summary>
      <div className="border-t border-edge p-4">
        <ul className="grid grid-cols-1 gap-2 md:grid-cols-2">
          {Object.entries(demoFaults).map(([name, words]) => (
            <li key={name}>
              <Button
                className="h-full w-full justify-start text-left"
                disabled={change.isPending}
                onClick={() =>
                  change.mutate(() =>
                    api.call("POST /api/demo/faults", { body: { fault: name as DemoFault } }),
                  )
                }
              >
                {words}
              </Button>
            </li>
          ))}
        </ul>
        <ul className="mt-3 list-disc pl-5 text-sm empty:hidden">
          {active.map((words, index) => (
            <li key={`${index}-${words}`}>{words}</li>
          ))}
        </ul>
        <Problem error={change.error} />
        <div className="mt-4 flex flex-wrap gap-2">
          <Button
            disabled={change.isPending || active.length === 0}
            onClick={() => change.mutate(() => api.call("POST /api/demo/faults/clear"))}
          >
            {texts.sandbox.clearFaults}
          </Button>
          <Button
            kind="danger"
            disabled={change.isPending}
            onClick={() =>
              ask({
                ...texts.sandbox.sureReset,
                onYes: () => change.mutate(() => api.call("POST /api/demo/reset")),
              })
            }
          >
            {texts.sandbox.reset}
          </Button>
        </div>
      </div>
      {dialog}
    </details>
  );
}

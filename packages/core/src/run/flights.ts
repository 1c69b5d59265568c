import { BronError } from "../errors.ts";
import type { Tool } from "../tool/tool.ts";
import { flightKey, type Outcome, type Work } from "./outcome.ts";
import type { Perform, WorkStart } from "./perform.ts";

interface Flight {
  readonly controller: AbortController;
  /**
   * False for effect attempts. A canceled run lets them finish, because aborting them would leave
   * their outcome unknown.
   */
  readonly abortOnCancel: boolean;
  /** The next lease holder can start this work again. */
  readonly isRepeatable: boolean;
}

/** The work of a segment that is in progress. */
export interface Flights {
  keys(): ReadonlySet<string>;
  launch(work: Work, start: WorkStart): void;
  /** Aborts what a canceled run need not finish. */
  abortCanceled(): void;
  abortAll(): void;
  /**
   * Starts the shutdown. Aborts the work that the next lease holder can start again, or all work
   * unless the shutdown is orderly. Outcomes of repeatable work that was aborted do not count.
   */
  shutDown(isOrderly: boolean): void;
  isShuttingDown(): boolean;
  /** Whether work is in progress that must not be repeated. */
  hasUnrepeatable(): boolean;
  /** An error from work that must not throw. */
  defect(): unknown;
}

interface FlightsDeps {
  readonly perform: Perform;
  /** The tools of the run now. */
  readonly tools: () => ReadonlyMap<string, Tool>;
  readonly onOutcome: (outcome: Outcome) => void;
  /** Called after each flight, with or without an outcome. */
  readonly onLanded: () => void;
}

export function createFlights({ perform, tools, onOutcome, onLanded }: FlightsDeps): Flights {
  const flights = new Map<string, Flight>();
  let shuttingDown = false;
  let defect: unknown;

  const abort = (which: (flight: Flight) => boolean) => {
    for (const flight of flights.values())
      if (which(flight))
        flight.controller.abort(new BronError("interrupted", "The run was canceled"));
  };
  return {
    keys: () => new Set(flights.keys()),
    launch(work, start) {
      const controller = new AbortController();
      const key = flightKey(work);
      const repeatable = isRepeatable(work, tools());
      flights.set(key, {
        controller,
        abortOnCancel: work.kind !== "attempt" && work.kind !== "reconcile",
        isRepeatable: repeatable,
      });
      void perform(work, controller.signal, start)
        .then((outcome) => {
          // We aborted this work, and the next lease holder starts it again. It did not fail.
          const isAbandoned = shuttingDown && controller.signal.aborted && repeatable;
          if (!isAbandoned) onOutcome(outcome);
        })
        .catch((error: unknown) => {
          defect = error;
        })
        .finally(() => {
          flights.delete(key);
          onLanded();
        });
    },
    abortCanceled: () => abort(({ abortOnCancel }) => abortOnCancel),
    abortAll: () => abort(() => true),
    shutDown(isOrderly) {
      shuttingDown = true;
      abort((flight) => flight.isRepeatable || !isOrderly);
    },
    isShuttingDown: () => shuttingDown,
    hasUnrepeatable: () => [...flights.values()].some((flight) => !flight.isRepeatable),
    defect: () => defect,
  };
}

/** Whether the next lease holder can start this work again. */
export function isRepeatable(work: Work, tools: ReadonlyMap<string, Tool>): boolean {
  return (
    work.kind === "model" ||
    work.kind === "auxiliary" ||
    work.kind === "prepare" ||
    work.kind === "keep_result" ||
    (work.kind === "read" && tools.get(work.action.tool)?.repeatable === true) ||
    // Until its outcome is in the log, no program can carry it out.
    tools.get(work.action.tool)?.client !== undefined
  );
}

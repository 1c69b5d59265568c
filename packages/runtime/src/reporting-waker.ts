import type { Waker } from "@bron/core";

/** A waker that also reports which runs were woken. */
export interface ReportingWaker {
  readonly waker: Waker;
  /** The store needs the waker before there is a listener. Set it before the engine starts. */
  onWoken(listener: (runId: string) => void): void;
}

export function createReportingWaker(waker: Waker): ReportingWaker {
  let listener: (runId: string) => void = () => undefined;
  return {
    waker: {
      ...waker,
      committed(wake, here) {
        waker.committed(wake, here);
        listener(wake.runId);
      },
    },
    onWoken(added) {
      listener = added;
    },
  };
}

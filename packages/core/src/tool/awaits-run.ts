/** Thrown by a tool that reads and is repeatable: it is called again once this child run is over, and nothing runs until then. */
export class AwaitsRun extends Error {
  readonly runId: string;

  constructor(runId: string) {
    super(`Waits for run ${runId}`);
    this.runId = runId;
  }
}

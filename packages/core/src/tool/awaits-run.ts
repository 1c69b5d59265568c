/**
 * Thrown by a repeatable read tool to wait for a child run. The tool is called again once the child
 * run has finished. Nothing runs until then.
 */
export class AwaitsRun extends Error {
  readonly runId: string;

  constructor(runId: string) {
    super(`Waits for run ${runId}`);
    this.runId = runId;
  }
}

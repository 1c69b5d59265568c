import type { PageEvent, PageResponse } from "@bron/page/wire";

/** Why a request did not succeed. */
export class RequestProblem {
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, retryAfterMs?: number) {
    this.code = code;
    this.message = message;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Reads a stream of events, one JSON object in each line, and returns what the last one brings. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: PageEvent) => void,
): Promise<PageResponse> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  let result: PageResponse | undefined;
  const take = (line: string) => {
    if (line.trim() === "") return;
    const event = parse(line);
    if (event.type === "RUN_ERROR") throw new RequestProblem(event.code, event.message);
    if (event.type === "RUN_FINISHED") ({ result } = event);
    else onEvent(event);
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
      if (done) break;
    }
    take(rest);
  } finally {
    reader.cancel().catch(() => undefined);
  }
  if (!result) throw new RequestProblem("connection_lost", "");
  return result;
}

function parse(line: string): PageEvent {
  try {
    return JSON.parse(line) as PageEvent;
  } catch {
    throw new RequestProblem("connection_lost", "");
  }
}

type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** The part of the browser's LockManager that is used here. All tabs of a browser share it. */
export interface Locks {
  request(
    name: string,
    options: { readonly ifAvailable: true },
    hold: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

/**
 * Over HTTP/1.1 a browser opens six connections to a host for all tabs together. Two stay free for
 * other requests.
 */
const maxStreams = 4;

/**
 * A `fetch` that opens at most four streams in all tabs together. A fifth gets status 429, as from
 * the server, so that the client polls. Without this, three open tabs use every connection, and
 * each further request waits until a tab is closed. Browsers without locks (plain HTTP to another
 * machine) are not limited.
 */
export function limitStreams(fetch: Fetch, locks: Locks | undefined): Fetch {
  return async (url, init) => {
    if (!locks || new Headers(init.headers).get("accept") !== "text/event-stream")
      return await fetch(url, init);
    const release = await takeSlot(locks);
    if (!release) return new Response(null, { status: 429 });
    init.signal?.addEventListener("abort", release, { once: true });
    try {
      const response = await fetch(url, init);
      if (!response.body) release();
      return response.body
        ? new Response(releasedAtEnd(response.body, release), response)
        : response;
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Undefined if all slots are taken. The browser releases the locks of a closed tab. */
async function takeSlot(locks: Locks): Promise<(() => void) | undefined> {
  for (let slot = 1; slot <= maxStreams; slot++) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const isTaken = await new Promise<boolean>((resolve, reject) => {
      const hold = (lock: unknown) => {
        resolve(lock !== null);
        return lock === null ? undefined : released;
      };
      locks.request(`bron-stream-${slot}`, { ifAvailable: true }, hold).catch(reject);
    });
    if (isTaken) return release;
  }
  return undefined;
}

function releasedAtEnd(
  body: ReadableStream<Uint8Array>,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        release();
        controller.close();
      } catch (error) {
        release();
        throw error;
      }
    },
    async cancel(reason) {
      release();
      await reader.cancel(reason);
    },
  });
}

import { cleanText, threadNotFound, type ListThreads, type Runs, type Threads } from "@bron/core";
import { renamedThreadSchema, type RunView, type ThreadView } from "@bron/protocol";
import { parseInput } from "./parse-input.ts";

export interface ThreadService {
  /** By the time of the owner's last message, newest first. */
  list(ownerId: string, options: ListThreads): Promise<ThreadView[]>;
  /** Throws not_found. */
  get(ownerId: string, threadId: string): Promise<ThreadView>;
  /**
   * The newest runs of a thread, or those before the run `before`, oldest first. Throws not_found.
   */
  runs(
    ownerId: string,
    threadId: string,
    options: { readonly limit: number; readonly before?: string | undefined },
  ): Promise<RunView[]>;
  /** Throws not_found, or invalid_input if the title is empty or too long. */
  rename(ownerId: string, threadId: string, title: string): Promise<ThreadView>;
  /**
   * Deletes the thread with its runs, logs, messages and files. Throws not_found, or conflict while
   * a run of it is under way.
   */
  delete(ownerId: string, threadId: string): Promise<void>;
}

interface ThreadsDeps {
  readonly threads: Threads;
  readonly runs: Pick<Runs, "list">;
}

export function createThreads({ threads, runs }: ThreadsDeps): ThreadService {
  const get = async (ownerId: string, threadId: string) => {
    const found = await threads.get(ownerId, threadId);
    if (!found) throw threadNotFound(threadId);
    return found;
  };
  return {
    list: threads.list,
    get,
    async runs(ownerId, threadId, { limit, before }) {
      const { id } = await get(ownerId, threadId);
      return (await runs.list(ownerId, { threadId: id, limit, before })).toReversed();
    },
    async rename(ownerId, threadId, title) {
      const renamed = parseInput(renamedThreadSchema, { title });
      await threads.rename(ownerId, threadId, cleanText(renamed.title));
      return await get(ownerId, threadId);
    },
    delete: threads.delete,
  };
}

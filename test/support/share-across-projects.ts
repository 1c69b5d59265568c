interface Closable {
  close(): Promise<void>;
}

interface Shared {
  readonly opened: Promise<Closable>;
  users: number;
}

const key = Symbol.for("bron.test.shared");
const holder = globalThis as typeof globalThis & { [key]?: Map<string, Shared> };

/**
 * Vitest runs a global set-up once for each project, and loads its modules each time. All projects
 * share what the first one opens; the last one to release it closes it.
 */
export async function shareAcrossProjects<T extends Closable>(
  name: string,
  open: () => Promise<T>,
): Promise<{ readonly value: T; release(): Promise<void> }> {
  const all = (holder[key] ??= new Map());
  const shared = all.get(name) ?? { opened: open(), users: 0 };
  all.set(name, shared);
  shared.users += 1;
  return {
    value: (await shared.opened) as T,
    async release() {
      shared.users -= 1;
      if (shared.users > 0) return;
      all.delete(name);
      await (await shared.opened).close();
    },
  };
}

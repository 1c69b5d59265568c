import { omitUndefined } from "@bron/protocol";
import { z } from "zod";

function isPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== "";
  } catch {
    return false;
  }
}

const commonStatus = z.literal([400, 401, 403, 404, 429, 500, 503]);
const calendarStatus = z.literal([409, 410, 412]);

/** A fault for some calls. The first matching rule applies and is used up after `times` calls. */
export const faultRule = z.strictObject({
  /**
   * One or more methods such as "gmail.users.drafts.send" or "oauth.token". A star matches
   * anything. Without `method` and `path` the rule matches every call.
   */
  method: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  /** A regular expression that is matched against path and query. */
  path: z.string().refine(isPattern, "Not a valid regular expression.").optional(),
  times: z.int().positive().default(1),
  /** How many matching calls pass before the first fault. */
  skip: z.int().nonnegative().default(0),
  /**
   * "status" responds with that status, "cut" drops the connection, "slow" responds after `ms`,
   * "frozen" waits until released.
   */
  kind: z.enum(["status", "cut", "slow", "frozen"]),
  /** Whether the call takes effect before the fault. */
  when: z.enum(["before", "after"]).default("before"),
  /** At Google only Calendar uses 409, 410 and 412. Slack and the web treat them as 400. */
  status: z.union([commonStatus, calendarStatus]).default(500),
  retryAfterSeconds: z.number().nonnegative().optional(),
  ms: z.number().nonnegative().default(1_000),
});

export type FaultRule = z.input<typeof faultRule>;

export interface ActiveFault extends Readonly<Omit<z.output<typeof faultRule>, "status">> {
  readonly id: number;
  readonly status: z.output<typeof commonStatus>;
  /** The status that Calendar returns instead. */
  readonly calendarStatus?: z.output<typeof calendarStatus>;
}

export interface Faults {
  /** Returns the id of the rule. Throws a ZodError for an invalid rule. */
  readonly add: (rule: FaultRule) => number;
  /** The rules that still apply. */
  readonly list: () => readonly ActiveFault[];
  /** Releases the frozen calls of one rule, or all. */
  readonly release: (id?: number) => void;
  /** The number of frozen calls. */
  readonly frozen: () => number;
  /** Removes all rules and releases all frozen calls. */
  readonly clear: () => void;
}

/** The server's side of the faults. */
export interface FaultBoard extends Faults {
  readonly take: (method: string, path: string) => ActiveFault | undefined;
  /** Resolves when released. */
  readonly freeze: (id: number) => Promise<void>;
}

export function createFaults(): FaultBoard {
  const rules = new Map<number, { readonly fault: ActiveFault; skip: number; times: number }>();
  const waiting = new Set<{ readonly id: number; readonly go: () => void }>();
  let lastId = 0;

  const release = (id?: number) => {
    for (const one of waiting) {
      if (id !== undefined && one.id !== id) continue;
      waiting.delete(one);
      one.go();
    }
  };
  return {
    add: (rule) => {
      const parsed = faultRule.parse(rule);
      lastId += 1;
      const common = commonStatus.safeParse(parsed.status);
      const own = calendarStatus.safeParse(parsed.status);
      const fault = {
        ...parsed,
        id: lastId,
        status: common.data ?? 400,
        ...omitUndefined({ calendarStatus: own.data }),
      };
      rules.set(lastId, { fault, skip: parsed.skip, times: parsed.times });
      return lastId;
    },
    list: () => [...rules.values()].map(({ fault, skip, times }) => ({ ...fault, skip, times })),
    release,
    frozen: () => waiting.size,
    clear: () => {
      rules.clear();
      release();
    },
    take: (method, path) => {
      for (const [id, rule] of rules) {
        if (!fits(rule.fault, method, path)) continue;
        if (rule.skip > 0) {
          rule.skip -= 1;
          continue;
        }
        rule.times -= 1;
        if (rule.times === 0) rules.delete(id);
        return rule.fault;
      }
      return undefined;
    },
    freeze: (id) => new Promise((resolve) => waiting.add({ id, go: resolve })),
  };
}

function fits(fault: ActiveFault, method: string, path: string): boolean {
  if (fault.path !== undefined && !new RegExp(fault.path).test(path)) return false;
  if (fault.method === undefined) return true;
  return [fault.method].flat().some((wanted) => isNamed(wanted, method));
}

function isNamed(wanted: string, method: string): boolean {
  return new RegExp(
    `^${wanted
      .split("*")
      .map((piece) => piece.replace(/[.\\+?^${}()|[\]]/g, "\\$&"))
      .join(".*")}$`,
  ).test(method);
}

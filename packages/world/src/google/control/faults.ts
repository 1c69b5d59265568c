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

/** What goes wrong, for which calls. The first rule that fits a call is used, and used up after `times` of them. */
export const faultRule = z.strictObject({
  /** "gmail.users.drafts.send", "oauth.token", or several; a star stands for anything. Without it and `path`, every call. */
  method: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  /** A regular expression for path and query. */
  path: z.string().refine(isPattern, "No regular expression.").optional(),
  times: z.int().positive().default(1),
  /** How many fitting calls pass first. */
  skip: z.int().nonnegative().default(0),
  /** "status": that answer. "cut": no answer. "slow": after `ms`. "frozen": until released. */
  kind: z.enum(["status", "cut", "slow", "frozen"]),
  /** Whether the effect of the call happens first. */
  when: z.enum(["before", "after"]).default("before"),
  /** Of Google, only Calendar has 409, 410 and 412; Slack and the web take them for 400. */
  status: z.union([commonStatus, calendarStatus]).default(500),
  retryAfterSeconds: z.number().nonnegative().optional(),
  ms: z.number().nonnegative().default(1_000),
});

export type FaultRule = z.input<typeof faultRule>;

export interface ActiveFault extends Readonly<Omit<z.output<typeof faultRule>, "status">> {
  readonly id: number;
  readonly status: z.output<typeof commonStatus>;
  /** What Calendar answers in its place. */
  readonly calendarStatus?: z.output<typeof calendarStatus>;
}

export interface Faults {
  /** Returns its id. Throws a ZodError for a rule that makes no sense. */
  readonly add: (rule: FaultRule) => number;
  /** Rules that are not used up. */
  readonly list: () => readonly ActiveFault[];
  /** Lets frozen calls go on: those of one rule, or all. */
  readonly release: (id?: number) => void;
  /** How many calls are frozen now. */
  readonly frozen: () => number;
  /** Forgets all rules and lets frozen calls go on. */
  readonly clear: () => void;
}

/** What the server does with them. */
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

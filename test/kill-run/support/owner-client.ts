import { setTimeout as sleep } from "node:timers/promises";
import type { ApprovalView, RunView } from "@bron/protocol";
import { cookieFrom, get, post, type Answered } from "../../http/support/signed-in-server.ts";
import type { Supervised } from "./supervise.ts";

/** The owner as a client of a server that keeps dying. Retries until the server responds. */
interface OwnerClient {
  create(subject: string): Promise<string>;
  runs(): Promise<RunView[]>;
  pending(): Promise<ApprovalView[]>;
  /** Returns false if the approval was already decided. */
  decide(approval: ApprovalView, verdict: "approve" | "deny"): Promise<boolean>;
  /** Responses that show a defect of the server: 5xx other than 503. */
  readonly defects: readonly string[];
}

export function createOwnerClient(server: Supervised, url: string): OwnerClient {
  const defects: string[] = [];
  let cookie: string | undefined;

  /** Retries until the response is not an outage. */
  const ask = async (
    what: string,
    request: (cookie: string) => Promise<Answered>,
  ): Promise<Answered> => {
    for (;;) {
      try {
        cookie ??= await cookieFrom(await server.signInLink());
        const response = await request(cookie);
        if (response.status >= 500 && response.status !== 503)
          defects.push(`${what}: ${response.status} ${JSON.stringify(response.body)}`);
        if (response.status < 500) return response;
      } catch {
        // The connection broke, or the link came from a server that died. The session itself is in
        // the database.
      }
      await sleep(200);
    }
  };

  return {
    defects,
    async create(subject) {
      const { status, body } = await ask("create", (session) =>
        post(
          { url, cookie: session },
          "/api/runs",
          { prompt: subject },
          { "idempotency-key": subject.replaceAll(" ", "-") },
        ),
      );
      if (status !== 201 && status !== 200)
        throw new Error(`Creating ${subject}: ${status} ${JSON.stringify(body)}`);
      return (body as RunView).id;
    },
    async runs() {
      const found: RunView[] = [];
      for (let before = ""; ;) {
        const { body } = await ask("list", (session) =>
          get(
            { url, cookie: session },
            `/api/runs?limit=100${before === "" ? "" : `&before=${before}`}`,
          ),
        );
        const { runs } = body as { runs: RunView[] };
        found.push(...runs);
        if (runs.length < 100) return found;
        before = runs.at(-1)?.id ?? "";
      }
    },
    async pending() {
      const { body } = await ask("approvals", (session) =>
        get({ url, cookie: session }, "/api/approvals?pending=true"),
      );
      return (body as { approvals: ApprovalView[] }).approvals;
    },
    async decide({ id, digest }, verdict) {
      const { status } = await ask(verdict, (session) =>
        post({ url, cookie: session }, `/api/approvals/${id}/${verdict}`, { digest }),
      );
      return status < 300;
    },
  };
}

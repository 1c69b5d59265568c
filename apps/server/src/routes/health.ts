import { BronError } from "@bron/core";
import { challengeHeader, proofHeader, serverIdHeader, serverProof } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import type { On } from "../register-endpoint.ts";

interface HealthRoutesDeps {
  readonly runtime: Pick<Runtime, "ping" | "sign">;
  readonly serverId: string;
}

const challengePattern = /^[\w-]{16,64}$/;
const pingMs = 2_000;

export function addHealthRoutes(on: On, { runtime, serverId }: HealthRoutesDeps): void {
  on("GET /healthz", ({ c }) => {
    const challenge = c.req.header(challengeHeader) ?? "";
    return Promise.resolve(
      c.json({ ok: true }, 200, {
        [serverIdHeader]: serverId,
        ...(challengePattern.test(challenge)
          ? { [proofHeader]: serverProof(runtime.sign, serverId, challenge) }
          : {}),
      }),
    );
  });

  on("GET /readyz", async () => {
    if (!(await respondsInTime(runtime.ping())))
      throw new BronError("database_unreachable", "The database is not responding.");
    return { ok: true, database: "ready" } as const;
  });
}

async function respondsInTime(ping: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), pingMs);
  });
  const answered = ping.then(
    () => true,
    () => false,
  );
  return await Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

// A process that takes slots, prints a line, and holds them until it is killed. Arguments: url,
// owner, number of slots, milliseconds.
import { openDatabase, postgresStreamSlots } from "@bron/store";
import { createStreamSlots } from "./stream-slots.ts";
import { systemClock } from "./system-clock.ts";

const [url = "", ownerId = "", count = "", ttlMs = ""] = process.argv.slice(2);
const { pool } = await openDatabase({ url, poolSize: 1 });
const slots = createStreamSlots({
  slots: postgresStreamSlots(pool),
  clock: systemClock,
  times: { ttlMs: Number(ttlMs), heartbeatMs: Number(ttlMs) / 3 },
});
for (let taken = 0; taken < Number(count); taken++) await slots.take(ownerId, Number(count));
process.stdout.write("held\n");

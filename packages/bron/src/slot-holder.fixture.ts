// A process of its own that takes slots, says so and holds them until it is killed: url, owner, how many, milliseconds.
import { openDatabase, postgresStreamSlots } from "@bron/store";
import { createStreamSlots } from "./stream-slots.ts";
import { systemClock } from "./system-clock.ts";

const [url = "", ownerId = "", count = "", goodMs = ""] = process.argv.slice(2);
const { pool } = await openDatabase({ url, poolSize: 1 });
const slots = createStreamSlots({
  slots: postgresStreamSlots(pool),
  clock: systemClock,
  times: { goodMs: Number(goodMs), heartbeatMs: Number(goodMs) / 3 },
});
for (let taken = 0; taken < Number(count); taken++) await slots.take(ownerId, Number(count));
process.stdout.write("held\n");

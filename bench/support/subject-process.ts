// The process under test. Its orders are JSON in argv[2], and its calls arrive over the channel to
// its parent.
import { openBareSubject } from "./bare-subject.ts";
import { openBronSubject } from "./bron-subject.ts";
import { serveCalls } from "./remote-calls.ts";
import { countStatements } from "./statements.ts";
import type { SubjectOrders } from "./subject.ts";

const orders = JSON.parse(process.argv[2] ?? "{}") as SubjectOrders;
const statements = countStatements();
const subject = await (orders.kind === "bron" ? openBronSubject : openBareSubject)(
  orders,
  statements,
);
serveCalls(subject);

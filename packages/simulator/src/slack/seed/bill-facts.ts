import type { Bill } from "../../mailbox/bill.ts";
import { formatDay, formatMoney } from "../../mailbox/bill-words.ts";
import { createRandom } from "../../mailbox/random.ts";
import { invoiceThreads } from "../../mailbox/threads/invoice-threads.ts";
import { orderThreads } from "../../mailbox/threads/order-threads.ts";
import { workingTime } from "./working-time.ts";

/** Facts about a bill that was also sent by email. */
export interface BillFacts {
  readonly number: string;
  readonly firm: string;
  /** "€1,234.50". */
  readonly net: string;
  readonly gross: string;
  readonly due: string;
  readonly articles: string;
  /** A time after its email arrived, in milliseconds since 1970. */
  readonly arrivedBy: number;
  /** The first working day on which a message at that time of day could mention it. */
  readonly firstMentionWorkdaysAgo: (at: string) => number;
}

export interface Bills {
  /** The latest bill of each supplier, in the order of `suppliers`. */
  readonly invoices: readonly BillFacts[];
  /** The latest order of each customer, in the order of `customers`. */
  readonly orders: readonly BillFacts[];
}

/** The same bills as in the mailbox of this seed and anchor. */
export function billsOf(seed: number, anchor: Date): Bills {
  const random = createRandom(seed);
  const newest = (threads: readonly { readonly bill?: Bill }[]) => {
    const bills = threads.flatMap(({ bill }) => (bill ? [bill] : []));
    return bills
      .filter(
        (bill) => !bills.some((other) => other.seller === bill.seller && other.date > bill.date),
      )
      .map((bill) => factsOf(bill, anchor));
  };
  return {
    invoices: newest(invoiceThreads(anchor, random.fork("invoices"))),
    orders: newest(orderThreads(anchor, random.fork("orders"))),
  };
}

/** A mail may be dated up to five hours after its bill. */
const mailDelayMs = 5 * 3_600_000 + 60_000;

function factsOf(
  { number, seller, date, net, gross, due, currency, lines }: Bill,
  anchor: Date,
): BillFacts {
  const arrivedBy = date.getTime() + mailDelayMs;
  return {
    number,
    firm: seller.firm,
    net: formatMoney(net, currency, "en"),
    gross: formatMoney(gross, currency, "en"),
    due: formatDay(due, "en"),
    articles: lines.map(({ quantity, article }) => `${quantity} x ${article}`).join(", "),
    arrivedBy,
    firstMentionWorkdaysAgo: (at) => {
      let days = 0;
      while (workingTime(anchor, days + 1, at) > arrivedBy) days += 1;
      return days;
    },
  };
}

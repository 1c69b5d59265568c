import type { Language, Person } from "./company.ts";
import type { Random } from "./random.ts";

interface BillLine {
  readonly article: string;
  readonly quantity: number;
  /** All amounts are in cents. */
  readonly unitPrice: number;
  readonly total: number;
}

/**
 * An invoice or an order. Its numbers are consistent: the lines add up to net, and net plus tax is
 * gross.
 */
export interface Bill {
  readonly kind: "invoice" | "order";
  readonly number: string;
  readonly seller: Person;
  readonly buyer: Person;
  readonly date: Date;
  readonly due: Date;
  readonly currency: "EUR" | "PLN" | "GBP";
  readonly lines: readonly BillLine[];
  readonly net: number;
  readonly taxPercent: number;
  readonly tax: number;
  readonly gross: number;
}

interface BillOptions extends Pick<Bill, "kind" | "number" | "seller" | "buyer" | "date"> {
  readonly articles: readonly (readonly [name: string, cents: number])[];
}

const taxPercents: Readonly<Record<Language, number>> = { de: 19, fr: 20, en: 20, pl: 23 };

export function makeBill({ articles, ...options }: BillOptions, random: Random): Bill {
  const first = random.int(0, articles.length - 1);
  const chosen = Array.from(
    { length: random.int(2, Math.min(5, articles.length)) },
    (_, at) => articles[(first + at) % articles.length] ?? (["Article", 100] as const),
  );
  const lines = chosen.map(([article, unitPrice]) => {
    const quantity = random.int(1, unitPrice > 50_000 ? 6 : unitPrice > 10_000 ? 14 : 120);
    return { article, quantity, unitPrice, total: quantity * unitPrice };
  });
  const net = lines.reduce((sum, { total }) => sum + total, 0);
  const taxPercent = taxPercents[options.seller.language];
  const tax = Math.round((net * taxPercent) / 100);
  const currency =
    options.seller.language === "pl"
      ? "PLN"
      : options.seller.language === "en" &&
          options.kind === "invoice" &&
          options.seller.firm.endsWith("Ltd")
        ? "GBP"
        : "EUR";
  const due = new Date(options.date.getTime() + random.pick([14, 21, 30]) * 86_400_000);
  return { ...options, due, currency, lines, net, taxPercent, tax, gross: net + tax };
}

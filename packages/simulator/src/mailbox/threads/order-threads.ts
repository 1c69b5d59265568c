import { billCsv } from "../attachments/bill-csv.ts";
import { billPdf } from "../attachments/bill-pdf.ts";
import { billXlsx } from "../attachments/bill-xlsx.ts";
import { makeBill, type Bill } from "../bill.ts";
import { billWords, formatDay, formatMoney } from "../bill-words.ts";
import { customers, felix, mara, priya, type Language, type Person } from "../company.ts";
import type { Random } from "../random.ts";
import type { MailPlan, ThreadPlan } from "../thread-plan.ts";

const articles = [
  ["Cargo bike Long 26", 389_000],
  ["Cargo bike Short 20", 329_000],
  ["Transport box, waterproof", 28_900],
  ["Child seat bench", 19_900],
  ["Spare battery 625 Wh", 54_900],
  ["Service kit", 4_990],
] as const;

interface OrderTexts {
  readonly order: (bill: Bill, net: string) => string;
  readonly confirm: (bill: Bill, net: string, day: string) => string;
  readonly ask: string;
  readonly answer: (day: string) => string;
}

const texts: Readonly<Record<Language, OrderTexts>> = {
  en: {
    order: ({ number, lines }, net) =>
      `Hello Mara,\n\nplease find our order ${number} attached: ${lines.length} items, ${net} net.\n\nCould you confirm the delivery date?\n\nBest,`,
    confirm: ({ number }, net, day) =>
      `Hi,\n\nthank you, order ${number} over ${net} net is confirmed. We plan to deliver on ${day}.\n\nBest wishes\nMara`,
    ask: "Thanks, that works. One question: can the boxes come in orange instead of grey?",
    answer: (day) =>
      `Orange is no problem and costs nothing extra. Delivery stays on ${day}.\n\nMara`,
  },
  de: {
    order: ({ number, lines }, net) =>
      `Guten Tag Frau Lindqvist,\n\nim Anhang unsere Bestellung ${number}: ${lines.length} Positionen, netto ${net}.\n\nBitte bestätigen Sie uns den Liefertermin.\n\nViele Grüße`,
    confirm: ({ number }, net, day) =>
      `Guten Tag,\n\nvielen Dank, die Bestellung ${number} über netto ${net} ist bestätigt. Wir liefern voraussichtlich am ${day}.\n\nViele Grüße\nMara Lindqvist`,
    ask: "Danke für die Bestätigung. Ist eine Anlieferung vor 10 Uhr möglich? Unsere Rampe ist danach belegt.",
    answer: (day) =>
      `Das lässt sich einrichten. Felix kommt am ${day} zwischen 8 und 9:30 Uhr.\n\nViele Grüße\nMara Lindqvist`,
  },
  fr: {
    order: ({ number, lines }, net) =>
      `Bonjour Mara,\n\nvoici notre commande ${number} : ${lines.length} articles, ${net} HT.\n\nPouvez-vous confirmer la date de livraison ?\n\nMerci d'avance`,
    confirm: ({ number }, net, day) =>
      `Bonjour,\n\nmerci, la commande ${number} de ${net} HT est confirmée. Livraison prévue le ${day}.\n\nBien à vous\nMara`,
    ask: "Parfait. Serait-il possible de recevoir les modes d'emploi en français ?",
    answer: (day) => `Bien sûr, ils seront dans les cartons. Rendez-vous le ${day}.\n\nMara`,
  },
  pl: {
    order: ({ number, lines }, net) =>
      `Dzień dobry,\n\nprzesyłam zamówienie ${number}: ${lines.length} pozycji, ${net} netto.\n\nProszę o potwierdzenie terminu dostawy.\n\nPozdrawiam`,
    confirm: ({ number }, net, day) =>
      `Dzień dobry,\n\ndziękujemy, potwierdzam zamówienie ${number} na kwotę ${net} netto. Dostawa: ${day}.\n\nPozdrawiam\nMara Lindqvist`,
    ask: "Dziękuję. Czy możemy dostać fakturę z odroczonym terminem płatności, 30 dni?",
    answer: (day) =>
      `Tak, 30 dni to dla nas żaden problem. Dostawa bez zmian: ${day}.\n\nMara Lindqvist`,
  },
};

/** Every customer orders four times. The last orders are still open. */
export function orderThreads(anchor: Date, random: Random): ThreadPlan[] {
  return customers.flatMap((customer, at) =>
    Array.from({ length: 4 }, (_, round) =>
      orderThread(
        customer,
        { daysAgo: 1 + at + round * 22, number: 88 + at * 31 + (4 - round) },
        anchor,
        random,
      ),
    ),
  );
}

function orderThread(
  customer: Person,
  { daysAgo, number }: { readonly daysAgo: number; readonly number: number },
  anchor: Date,
  random: Random,
): ThreadPlan {
  const date = new Date(anchor.getTime() - daysAgo * 86_400_000);
  const { language } = customer;
  const bill = {
    ...makeBill(
      { kind: "order", number: `PO-${number}`, seller: customer, buyer: mara, date, articles },
      random,
    ),
    currency: "EUR" as const,
  };
  const net = formatMoney(bill.net, "EUR", language);
  const day = formatDay(new Date(date.getTime() + random.int(18, 30) * 86_400_000), language);
  const say = texts[language];
  const attachments = random.pick([
    () => [billXlsx(bill)],
    () => [billPdf(bill, "letter")],
    () => [billPdf(bill, "boxed"), billCsv(bill)],
  ])();
  const mails: MailPlan[] = [
    {
      from: customer,
      to: [mara],
      cc: [priya],
      afterHours: 0,
      text: `${say.order(bill, net)}\n${customer.name}\n${customer.firm}`,
      attachments,
    },
    {
      from: mara,
      to: [customer],
      cc: [priya, felix],
      afterHours: random.int(2, 26),
      text: say.confirm(bill, net, day),
    },
    {
      from: customer,
      to: [mara],
      cc: [priya],
      afterHours: random.int(3, 50),
      text: `${say.ask}\n\n${customer.name}`,
    },
    { from: mara, to: [customer], afterHours: random.int(1, 20), text: say.answer(day) },
  ];
  // The newest orders have no reply yet.
  const count = daysAgo < 4 ? 1 : random.int(3, 4);
  return {
    subject: `${billWords[language].order} ${bill.number}`,
    daysAgo,
    labelId: "Label_2",
    bill,
    mails: mails.slice(0, count),
  };
}

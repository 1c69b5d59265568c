import { billCsv } from "../attachments/bill-csv.ts";
import { billPdf } from "../attachments/bill-pdf.ts";
import { billXlsx } from "../attachments/bill-xlsx.ts";
import { scannedPdf } from "../attachments/scanned-pdf.ts";
import { makeBill, type Bill } from "../bill.ts";
import { billWords, formatDay, formatMoney } from "../bill-words.ts";
import { ben, mara, suppliers, type Language, type Person } from "../company.ts";
import type { Random } from "../random.ts";
import type { MailPlan, ThreadPlan } from "../thread-plan.ts";

interface SupplierHabit {
  readonly prefix: string;
  readonly articles: readonly (readonly [string, number])[];
  readonly attach: (bill: Bill) => MailPlan["attachments"];
}

/** In the order of `suppliers`. */
const habits: readonly SupplierHabit[] = [
  {
    prefix: "RE-",
    articles: [
      ["Stahlrohr 25CrMo4 38x1,2", 1_840],
      ["Stahlrohr 25CrMo4 28x0,9", 1_420],
      ["Ausfallende CNC", 2_350],
      ["Steuerrohr 44 mm", 3_120],
      ["Laserzuschnitt Bodenblech", 4_690],
    ],
    attach: (bill) => [billPdf(bill, "letter"), billCsv(bill)],
  },
  {
    prefix: "FA",
    articles: [
      ["Pneu cargo 20 x 2.15", 2_290],
      ["Pneu cargo 26 x 2.40", 2_750],
      ["Chambre à air 20", 520],
      ["Fond de jante", 180],
    ],
    attach: (bill) => [billPdf(bill, "boxed")],
  },
  {
    prefix: "NW-",
    articles: [
      ["Hydraulic brake set", 8_900],
      ["Internally geared hub, 8 speed", 18_450],
      ["Chain guard, black", 1_260],
      ["Dynamo hub 70 mm", 9_975],
      ["Belt drive kit", 21_300],
    ],
    attach: (bill) => [billPdf(bill, "receipt"), billXlsx(bill)],
  },
  {
    prefix: "FV-",
    articles: [
      ["Śruba M6x20 nierdzewna (100 szt.)", 2_480],
      ["Nakrętka M8 (200 szt.)", 1_990],
      ["Podkładka sprężysta (500 szt.)", 1_350],
      ["Klej do gwintów 50 ml", 3_790],
    ],
    attach: (bill) => [billPdf(bill, "boxed")],
  },
  {
    prefix: "H-",
    articles: [
      ["Pulverbeschichtung Rahmen RAL 7016", 11_500],
      ["Pulverbeschichtung Box RAL 2004", 7_400],
      ["Entlacken", 3_900],
    ],
    attach: (bill) => [scannedPdf(bill)],
  },
];

const letters: Readonly<
  Record<Language, readonly ((bill: Bill, gross: string, due: string) => string)[]>
> = {
  en: [
    ({ number }, gross, due) =>
      `Dear Mara,\n\nplease find attached our invoice ${number} for ${gross}. Payment is due on ${due}.\n\nThank you for your order.`,
    ({ number }, gross, due) =>
      `Hi Mara,\n\nyour parts left our warehouse yesterday. Invoice ${number} is attached as PDF, the line items as a spreadsheet.\n\nTotal due: ${gross}, by ${due}.`,
  ],
  de: [
    ({ number }, gross, due) =>
      `Sehr geehrte Frau Lindqvist,\n\nanbei erhalten Sie unsere Rechnung ${number} über ${gross}.\nBitte überweisen Sie den Betrag bis zum ${due}.`,
    ({ number }, gross, due) =>
      `Liebe Frau Lindqvist,\n\nvielen Dank für Ihren Auftrag. Im Anhang finden Sie die Rechnung ${number}. Der Gesamtbetrag von ${gross} ist am ${due} fällig.`,
  ],
  fr: [
    ({ number }, gross, due) =>
      `Bonjour Madame Lindqvist,\n\nveuillez trouver ci-joint notre facture ${number} d'un montant de ${gross}, à régler avant le ${due}.`,
    ({ number }, gross, due) =>
      `Bonjour Mara,\n\nles pneus sont partis ce matin. Voici la facture ${number} : ${gross} TTC, échéance le ${due}.`,
  ],
  pl: [
    ({ number }, gross, due) =>
      `Dzień dobry,\n\nw załączniku przesyłamy fakturę ${number} na kwotę ${gross}. Termin płatności: ${due}.`,
    ({ number }, gross, due) =>
      `Dzień dobry Pani Maro,\n\ndziękujemy za zamówienie. Faktura ${number} w załączniku, do zapłaty ${gross} do dnia ${due}.`,
  ],
};

const closings: Readonly<Record<Language, string>> = {
  en: "Kind regards",
  de: "Mit freundlichen Grüßen",
  fr: "Cordialement",
  pl: "Pozdrawiam",
};

/** Every supplier sends a bill every three weeks. The last one falls within the past week. */
export function invoiceThreads(anchor: Date, random: Random): ThreadPlan[] {
  return suppliers.flatMap((supplier, at) => {
    const habit = habits[at];
    if (!habit) return [];
    return Array.from({ length: 4 }, (_, round) =>
      invoiceThread(
        { supplier, habit, daysAgo: 2 + at + round * 21, number: 410 + at * 97 + (4 - round) },
        anchor,
        random,
      ),
    );
  });
}

interface InvoiceCase {
  readonly supplier: Person;
  readonly habit: SupplierHabit;
  readonly daysAgo: number;
  readonly number: number;
}

function invoiceThread(
  { supplier, habit, daysAgo, number }: InvoiceCase,
  anchor: Date,
  random: Random,
): ThreadPlan {
  const date = new Date(anchor.getTime() - daysAgo * 86_400_000);
  const bill = makeBill(
    {
      kind: "invoice",
      number: `${habit.prefix}${date.getUTCFullYear()}-${number}`,
      seller: supplier,
      buyer: mara,
      date,
      articles: habit.articles,
    },
    random,
  );
  const { language } = supplier;
  const gross = formatMoney(bill.gross, bill.currency, language);
  const text = random.pick(letters[language])(bill, gross, formatDay(bill.due, language));
  const mails: MailPlan[] = [
    {
      from: supplier,
      to: [mara],
      afterHours: 0,
      text: `${text}\n\n${closings[language]}\n${supplier.name}\n${supplier.firm}`,
      attachments: habit.attach(bill) ?? [],
    },
    {
      from: mara,
      to: [ben],
      afterHours: random.int(2, 30),
      text: `Hi Ben,\n\n${bill.number} from ${supplier.firm}, ${formatMoney(bill.gross, bill.currency, "en")}. Please check it against the delivery and put it on the list.\n\nMara`,
    },
    {
      from: ben,
      to: [mara],
      afterHours: random.int(3, 40),
      text: random.pick([
        `Checked, quantities are right. Scheduled for ${formatDay(bill.due, "en")}.\n\nBen`,
        "Done. It goes out with the next run.\n\nBen",
        `Matches the delivery note. Net ${formatMoney(bill.net, bill.currency, "en")}, tax ${formatMoney(bill.tax, bill.currency, "en")}, so the total is right.\n\nBen`,
      ]),
    },
  ];
  const isAsked = random.chance(0.85);
  return {
    subject: `${billWords[language].invoice} ${bill.number}`,
    daysAgo,
    labelId: "Label_1",
    bill,
    mails: isAsked ? mails : mails.slice(0, 1),
  };
}

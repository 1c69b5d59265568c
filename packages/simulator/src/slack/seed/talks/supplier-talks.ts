import { ben, felix, mara, oskar, tomasz } from "../../../mailbox/company.ts";
import type { BillFacts, Bills } from "../bill-facts.ts";
import { reply, mention, type Talk } from "../talk.ts";

export function supplierTalks({ invoices }: Bills): readonly Talk[] {
  const [brandt, , northwind] = invoices;
  return [
    ...earlierTalks,
    {
      workdaysAgo: 3,
      at: "12:00",
      from: tomasz,
      text: `${brandt?.firm ?? "Brandt Metall"} changes its bank? I got a call that says so, with a new IBAN.`,
      replies: [
        reply(ben, 4, "Do not change anything. I call Eva Brandt on the number that we have."),
        reply(ben, 40, "Eva knows nothing of it. It was a fraud attempt. The old account stays.", {
          isBroadcast: true,
        }),
        reply(mara, 55, "Well done. Bank details are only changed after a call back. Always."),
      ],
    },
    ...newInvoiceTalks(invoices),
    {
      workdaysAgo: 1,
      at: "09:15",
      from: felix,
      text: "Forwarder: the battery pallet was delivered yesterday at 11:40, six pieces, none damaged.",
    },
    {
      workdaysAgo: 0,
      at: "08:25",
      from: ben,
      about: [brandt, northwind].flatMap((one) => (one ? [one] : [])),
      text: `Payment run is today at 15:00. In it: ${northwind?.number ?? "Northwind"} and ${brandt?.number ?? "Brandt"}.`,
    },
  ];
}

const earlierTalks: readonly Talk[] = [
  {
    workdaysAgo: 9,
    at: "09:40",
    from: tomasz,
    text: "Steel is up 6 percent, tyres 3 percent, says everybody. Brandt holds the old price until the end of the month if we order 200 m.",
    replies: [
      reply(ben, 20, "200 m is what we need until March. I would do it."),
      reply(mara, 41, "Do it. 200 m at the old price, from Brandt."),
    ],
  },
  {
    workdaysAgo: 8,
    at: "11:20",
    from: tomasz,
    text: "Huber coats the three boxes of PO-92 again at their own cost. They use another primer from now on.",
    reactions: { "+1": [mara] },
  },
  {
    workdaysAgo: 7,
    at: "10:10",
    from: felix,
    text: "Śruba Hurt delivers on Tuesdays only from December. Order screws by Friday noon.",
  },
  {
    workdaysAgo: 6,
    at: "13:30",
    from: tomasz,
    text: "Second source for hubs: I asked two shops. Nothing below Northwind, and both want 12 weeks.",
    replies: [
      reply(oskar, 25, "Then we stay with Northwind."),
      reply(mara, 60, "Stay with Northwind, and keep 20 hubs on the shelf as reserve."),
    ],
  },
  {
    workdaysAgo: 5,
    at: "08:35",
    from: ben,
    text: "Reminder from Pneus Garonne was a mistake, Luc has apologised. Everything is paid.",
  },
  {
    workdaysAgo: 4,
    at: "09:00",
    from: oskar,
    text: `Eight belt kits for the Ulm bikes are ordered at Northwind. <https://northwind-parts.example/catalogue/belt-drive?kit=8&amp;color=black|Article>`,
  },
];

/** One for each invoice that came by email. */
function newInvoiceTalks(invoices: readonly BillFacts[]): readonly Talk[] {
  return invoices.map((invoice, index): Talk => {
    const { number, firm, gross, due } = invoice;
    const time = `15:${String(12 + index * 6)}`;
    return {
      workdaysAgo: invoice.firstMentionWorkdaysAgo(time),
      at: time,
      from: ben,
      about: [invoice],
      text: `Invoice ${number} from ${firm}: ${gross}, due ${due}. ${mention(tomasz)} does it match the delivery?`,
      replies: [
        reply(
          tomasz,
          35,
          index === 1
            ? `Two tyres were missing in ${number}. Luc sends a credit note.`
            : `${number} matches, all there.`,
        ),
        reply(
          ben,
          48,
          index === 1
            ? "Then I wait with the payment until the credit note is here."
            : "Goes out with the next run.",
        ),
      ],
    };
  });
}

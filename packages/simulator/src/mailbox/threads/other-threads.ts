import { encryptedPdf } from "../attachments/encrypted-pdf.ts";
import { largePhoto } from "../attachments/large-photo.ts";
import { formatDay } from "../bill-words.ts";
import { ben, lea, mara, payrollOffice, photographer, type Person } from "../company.ts";
import type { ThreadPlan } from "../thread-plan.ts";

/** Files that are hard to read: one password-protected, one too large. */
export function specialThreads(anchor: Date): ThreadPlan[] {
  const month = (daysAgo: number) =>
    formatDay(new Date(anchor.getTime() - daysAgo * 86_400_000), "de").replace(/^\d+\. /, "");
  return [
    ...[5, 35, 65].map((daysAgo): ThreadPlan => ({
      subject: `Lohnabrechnungen ${month(daysAgo)}`,
      daysAgo,
      mails: [
        {
          from: payrollOffice,
          to: [mara],
          cc: [ben],
          afterHours: 0,
          text: `Sehr geehrte Frau Lindqvist,\n\nanbei die Lohnabrechnungen für ${month(daysAgo)}. Das PDF ist mit dem vereinbarten Kennwort geschützt.\n\nMit freundlichen Grüßen\nKanzlei Steiner`,
          attachments: [
            encryptedPdf({
              filename: "Lohnabrechnungen.pdf",
              password: "Malmö-1904",
              lines: [
                `Lohnabrechnungen ${month(daysAgo)}`,
                "Lindqvist Cargo, 10 Mitarbeitende",
                "Summe brutto: 38.450,00 EUR",
                "Summe netto: 25.190,40 EUR",
              ],
            }),
          ],
        },
      ],
    })),
    {
      subject: "Photos from the rainy day",
      daysAgo: 6,
      mails: [
        {
          from: photographer,
          to: [mara, lea],
          afterHours: 0,
          text: "Hello Mara, hello Lea,\n\nhere is the first picture in full size. It is large, I know. The others follow by link.\n\nIngrid",
          attachments: [largePhoto("rain-01.tif", 22 * 1024 * 1024)],
        },
        {
          from: lea,
          to: [photographer, mara],
          afterHours: 5,
          text: "Wonderful. This one goes on the front page.\n\nLea",
        },
      ],
    },
  ];
}

const sender = (name: string, address: string): Person => ({
  name,
  address,
  language: "en",
  firm: name,
});

const letters = [
  {
    from: sender("The Spoke", "news@thespoke.example"),
    list: "weekly.thespoke.example",
    subjects: [
      "Cargo bikes pass one million",
      "What mayors get wrong about lanes",
      "Five workshops we love",
      "Belt or chain, settled at last",
      "The quiet end of the van",
      "A winter tyre test",
    ],
  },
  {
    from: sender("Stahl & Technik", "newsletter@stahl-technik.example"),
    list: "news.stahl-technik.example",
    subjects: [
      "Stahlpreise im Herbst",
      "Schweißen ohne Rauch",
      "Messekalender",
      "Interview: Rohre aus Ulm",
    ],
  },
  {
    from: sender("Ledgerly", "hello@ledgerly.example"),
    list: "tips.ledgerly.example",
    subjects: [
      "Your month in numbers",
      "New: split invoices",
      "Three reports to read on Monday",
      "We changed our prices",
    ],
  },
] as const;

const notices = [
  {
    from: sender("Parcelwise", "tracking@parcelwise.example"),
    subject: "Your parcel is on its way",
    text: "Parcel PW-{n} will arrive tomorrow between 9 and 12.",
  },
  {
    from: sender("Calendar", "calendar@lindqvist.example"),
    subject: "Reminder: supplier call",
    text: "Supplier call {n}, tomorrow at 10:00. Where: meeting room 2.",
  },
  {
    from: sender("Cloudshelf", "billing@cloudshelf.example"),
    subject: "Your receipt from Cloudshelf",
    text: "Receipt {n}. Amount paid: 24.00 EUR. Thank you for using Cloudshelf.",
  },
  {
    from: sender("Doorbell", "alerts@doorbell.example"),
    subject: "Movement at the back door",
    text: "Movement was seen at 23:1{n}. Nobody answered.",
  },
  {
    from: sender("Pont Neuf Banque", "alertes@pontneuf.example"),
    subject: "Nouveau relevé disponible",
    text: "Votre relevé numéro {n} est disponible dans votre espace client.",
  },
];

const spam = [
  {
    from: sender("Prize Office", "winner@prizes.example"),
    subject: "You have won a cruise",
    text: "Congratulations! Reply within 24 hours with your full address to receive your cruise.",
  },
  {
    from: sender("SEO Heroes", "rank@seo-heroes.example"),
    subject: "First page in seven days",
    text: "We looked at your website and found 41 mistakes. Buy our package today.",
  },
  {
    from: sender("Dr. Wealth", "wealth@fortune.example"),
    subject: "Re: your inheritance",
    text: "Dear friend, a sum of 4.5 million awaits you. Kindly confirm your bank account.",
  },
];

/** Newsletters and other noise. */
export function noiseThreads(): ThreadPlan[] {
  const newsletters = letters.flatMap(({ from, list, subjects }, which) =>
    subjects.map((subject, at): ThreadPlan => {
      const text = `${subject}\n\nRead it on our website. You get this because you subscribed.\n\nUnsubscribe: https://${list}/unsubscribe`;
      const html = `<html><body><h1>${subject.replace("&", "&amp;")}</h1><p>Read it on our website.</p><p><a href="https://${list}/unsubscribe">Unsubscribe</a></p></body></html>`;
      const headers = {
        "List-Id": `<${list}>`,
        "List-Unsubscribe": `<https://${list}/unsubscribe>`,
      };
      return {
        subject,
        daysAgo: 3 + which + at * 14,
        place: "PROMOTIONS",
        mails: [{ from, to: [mara], afterHours: 0, text, html, headers }],
      };
    }),
  );
  const updates = notices.flatMap(({ from, subject, text }, which) =>
    [0, 1, 2, 3].map((round): ThreadPlan => ({
      subject,
      daysAgo: 1 + which + round * 19,
      place: "UPDATES",
      mails: [{ from, to: [mara], afterHours: 0, text: text.replace("{n}", String(4 - round)) }],
    })),
  );
  const unwanted = spam.map(({ from, subject, text }, at): ThreadPlan => ({
    subject,
    daysAgo: 4 + at * 7,
    place: "SPAM",
    mails: [{ from, to: [mara], afterHours: 0, text }],
  }));
  return [...newsletters, ...updates, ...unwanted];
}

import {
  ben,
  camille,
  dana,
  felix,
  jonas,
  lea,
  mara,
  oskar,
  priya,
  tomasz,
  type Person,
} from "../company.ts";
import type { ThreadPlan } from "../thread-plan.ts";

type Line = readonly [from: Person, text: string];

interface Talk {
  readonly subject: string;
  readonly daysAgo: number;
  readonly with: readonly Person[];
  readonly lines: readonly Line[];
}

const talks: readonly Talk[] = [
  {
    subject: "Friday's workshop visit",
    daysAgo: 2,
    with: [jonas, priya],
    lines: [
      [
        jonas,
        "The group from the technical college comes on Friday at 14:00, about twenty people. Can somebody show them the welding bay?",
      ],
      [priya, "I can do the tour, but I would need Oskar for the questions about the frame."],
      [mara, "Priya leads, Jonas does the welding bay. I say hello at the beginning."],
    ],
  },
  {
    subject: "Battery shipment is late",
    daysAgo: 4,
    with: [felix, tomasz],
    lines: [
      [
        felix,
        "The forwarder says the pallet with the 625 Wh batteries is stuck at customs until Wednesday.",
      ],
      [
        tomasz,
        "Then we are short by six for the Harbour Couriers order. I can borrow four from the service stock.",
      ],
      [mara, "Please borrow them, and Felix: call the forwarder every morning until it moves."],
      [felix, "Moved this morning, arrives tomorrow before noon."],
    ],
  },
  {
    subject: "Stand for the Eurobike fair",
    daysAgo: 9,
    with: [lea, camille],
    lines: [
      [
        lea,
        "Two drafts for the stand. A is open on two sides, B has a small meeting room. B costs 1,800 euros more.",
      ],
      [camille, "For the French dealers a room would help, we always end up talking in the aisle."],
      [mara, "B, if the room has a door."],
      [lea, "It has a curtain. A door is 240 euros."],
      [mara, "Then with the door."],
    ],
  },
  {
    subject: "New torque values for the headset",
    daysAgo: 13,
    with: [oskar, jonas],
    lines: [
      [
        oskar,
        "After the last test series I want to go from 18 to 22 Nm on the headset. The report is on the drive.",
      ],
      [jonas, "Fine for the workshop, we only need to reset two wrenches."],
      [mara, "Please also change the manual in all four languages before anything ships."],
    ],
  },
  {
    subject: "Warranty case Hughes, frame 2214",
    daysAgo: 16,
    with: [dana, oskar],
    lines: [
      [
        dana,
        "Peter Hughes reports a crack near the bottom bracket on frame 2214, fourteen months old. Photos are in the ticket.",
      ],
      [oskar, "That is the old gusset. It is ours, we replace it."],
      [mara, "Agreed. Dana, tell him today and offer a loan bike."],
      [dana, "He is happy with that, the loan bike goes out on Monday."],
    ],
  },
  {
    subject: "Cash flow until the end of the quarter",
    daysAgo: 20,
    with: [ben],
    lines: [
      [
        ben,
        "With the open orders we end the quarter at about 61,000 euros. If Velo Nord pays late again it is 38,000.",
      ],
      [mara, "Can we move the new jig to January?"],
      [ben, "Yes, the supplier agreed to hold the price until 31 January."],
      [mara, "Do that, please."],
    ],
  },
  {
    subject: "Apprentice from September",
    daysAgo: 27,
    with: [jonas],
    lines: [
      [
        jonas,
        "Three applications for the apprenticeship. I would invite Nele and Samir for a day each.",
      ],
      [mara, "Good choice. Let them build a wheel, that tells more than a talk."],
      [jonas, "Both said yes."],
    ],
  },
  {
    subject: "Livraison Cyclo Lyon",
    daysAgo: 30,
    with: [camille, felix],
    lines: [
      [
        camille,
        "Claire demande si on peut livrer deux vélos une semaine plus tôt, ils ouvrent un nouveau magasin.",
      ],
      [felix, "Si les boîtes sont prêtes jeudi, oui."],
      [mara, "Elles le seront. Camille, tu peux confirmer."],
      [camille, "C'est confirmé, merci à tous les deux."],
    ],
  },
  {
    subject: "Urlaubsplanung Dezember",
    daysAgo: 34,
    with: [priya, jonas, ben],
    lines: [
      [
        priya,
        "Bitte tragt euren Urlaub bis Freitag ein. Zwischen den Jahren bleibt die Werkstatt zu.",
      ],
      [jonas, "Ich nehme die Woche davor auch, wenn niemand etwas dagegen hat."],
      [mara, "Kein Problem, solange der Notdienst besetzt ist."],
      [ben, "Den Notdienst kann ich am 22. und 23. übernehmen."],
    ],
  },
  {
    subject: "Price list for next year",
    daysAgo: 39,
    with: [camille, ben],
    lines: [
      [
        ben,
        "Steel is up 6 percent, tyres 3 percent. I suggest 2.5 percent on the bikes and 4 percent on accessories.",
      ],
      [
        camille,
        "Accessories are fine. On the bikes I would stay under 2 percent, the dealers compare.",
      ],
      [mara, "1.9 percent on bikes, 4 on accessories, from 1 February."],
      [ben, "I will send the table on Monday."],
      [camille, "Thanks, that is easy to explain."],
    ],
  },
  {
    subject: "Website photos",
    daysAgo: 43,
    with: [lea],
    lines: [
      [
        lea,
        "The old photos are five years old and show the wrong brakes. I asked Ingrid Fjell for an offer: one day, 1,450 euros.",
      ],
      [mara, "Yes. With people on the bikes this time, and rain."],
      [lea, "She loves rain."],
    ],
  },
  {
    subject: "Server room key",
    daysAgo: 48,
    with: [priya, dana],
    lines: [
      [dana, "Does anybody know who has the second key of the server room?"],
      [priya, "It was in my drawer. It is back on the board."],
    ],
  },
  {
    subject: "Complaint about the paint, order PO-92",
    daysAgo: 52,
    with: [dana, tomasz],
    lines: [
      [dana, "Velo Nord sent back one box, the paint comes off at the corners."],
      [tomasz, "Same batch as the two from last week. I talk to Huber."],
      [tomasz, "Huber coats all three again at their cost."],
      [mara, "Good. Tell Anna Schröder before she asks again."],
    ],
  },
  {
    subject: "Insurance for the new hall",
    daysAgo: 58,
    with: [ben, priya],
    lines: [
      [ben, "Two offers: 3,120 euros a year without water damage, 3,690 with."],
      [priya, "The hall is next to the canal."],
      [mara, "With water damage, then."],
    ],
  },
  {
    subject: "Works council lunch",
    daysAgo: 64,
    with: [priya, jonas, oskar],
    lines: [
      [priya, "Lunch for everybody on the 12th, is the canteen at the harbour all right?"],
      [oskar, "Only if it is not fish again."],
      [jonas, "They have soup."],
    ],
  },
  {
    subject: "Test ride with the city of Ulm",
    daysAgo: 70,
    with: [camille, jonas],
    lines: [
      [
        camille,
        "Martin Hofmann from Stadtwerke Ulm wants to try two bikes for a week, then decide about eight.",
      ],
      [jonas, "Numbers 14 and 17 are free."],
      [mara, "Take 17 and the new one, they should see the better brake."],
      [camille, "Delivered. He sounded pleased."],
    ],
  },
  {
    subject: "Jig for the long frame",
    daysAgo: 76,
    with: [oskar, jonas, tomasz],
    lines: [
      [oskar, "The new jig would save us 25 minutes a frame. 7,900 euros from the usual shop."],
      [tomasz, "I get a second offer."],
      [tomasz, "Second offer is 8,400, and slower."],
      [mara, "Then the usual one, but not this quarter."],
    ],
  },
  {
    subject: "Spare parts shelf",
    daysAgo: 82,
    with: [dana, felix],
    lines: [
      [dana, "We sent the wrong hub twice this month because the labels on shelf C are swapped."],
      [felix, "Fixed, and I put photos on the bins."],
      [mara, "Thank you both."],
    ],
  },
];

/** Threads between colleagues, some old and some from yesterday. */
export function teamThreads(): ThreadPlan[] {
  return talks.map(({ subject, daysAgo, with: others, lines }) => ({
    subject,
    daysAgo,
    mails: lines.map(([from, text], at) => ({
      from,
      to: [mara, ...others].filter((person) => person !== from),
      afterHours: at === 0 ? 0 : 1 + ((at * 5 + daysAgo) % 17),
      text: `${text}\n\n${from.name.split(" ")[0] ?? ""}`,
    })),
  }));
}

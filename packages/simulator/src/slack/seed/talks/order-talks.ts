import { ben, camille, dana, felix, jonas, mara, priya, tomasz } from "../../../mailbox/company.ts";
import type { BillFacts, Bills } from "../bill-facts.ts";
import { reply, mention, type Talk } from "../talk.ts";

export const orderTalks = ({ orders }: Bills): readonly Talk[] => [
  ...earlierTalks,
  ...newOrderTalks(orders),
  ...recentTalks(orders),
];

const earlierTalks: readonly Talk[] = [
  {
    workdaysAgo: 9,
    at: "09:05",
    from: felix,
    text: "Deliveries this week: Tuesday Velo Nord, Wednesday Stadtwerke Ulm, Friday Rowery Kraków by forwarder.",
  },
  {
    workdaysAgo: 9,
    at: "15:15",
    from: camille,
    text: "Cyclo Lyon opens the new shop on the 20th. Two bikes have to be there a week earlier, that is confirmed.",
    replies: [
      reply(felix, 10, "Boxes are ready on Thursday, so yes."),
      reply(mara, 21, "Good. Two in orange, please."),
    ],
  },
  {
    workdaysAgo: 8,
    at: "10:40",
    from: dana,
    text: "Peter Hughes asks for the boxes in orange instead of grey.",
    replies: [
      reply(mara, 13, "Orange costs nothing extra. Same date."),
      reply(dana, 15, "He is happy."),
    ],
  },
  {
    workdaysAgo: 7,
    at: "11:30",
    from: felix,
    text: `Velo Nord wants deliveries before 10:00, their ramp is taken afterwards. I come between 8:00 and 9:30 from now on.`,
    reactions: { ok_hand: [camille] },
  },
  {
    workdaysAgo: 6,
    at: "09:50",
    from: camille,
    text: "Stadtwerke Ulm decides about eight bikes on Monday. Martin Hofmann liked number 17 best.",
    replies: [
      reply(jonas, 18, "17 has the new brake."),
      reply(mara, 32, "Then offer all eight with the new brake, at the price that we said."),
    ],
  },
  {
    workdaysAgo: 5,
    at: "14:35",
    from: priya,
    text: "Rowery Kraków asks for 30 days to pay.",
    replies: [
      reply(ben, 7, "Fine, they have always paid."),
      reply(mara, 16, "Agreed, 30 days for Kraków from now on.", { isBroadcast: true }),
    ],
  },
  {
    workdaysAgo: 4,
    at: "10:15",
    from: camille,
    text: "Ulm says yes: eight bikes, belt drive, delivery in two lots of four. :tada:",
    reactions: { tada: [mara, jonas, ben, felix, priya], rocket: [tomasz] },
  },
  {
    workdaysAgo: 3,
    at: "08:55",
    from: tomasz,
    text: "We are short by six batteries for Harbour Couriers. Pallet is at customs until Wednesday.",
    replies: [
      reply(
        mara,
        12,
        `Borrow what you can from the service stock. ${mention(felix)} please call the forwarder every morning.`,
      ),
      reply(felix, 95, "Moved this morning, arrives tomorrow before noon."),
    ],
  },
];

/** One for each order that came by email. */
function newOrderTalks(orders: readonly BillFacts[]): readonly Talk[] {
  return orders.map((order, index): Talk => {
    const { number, firm, net, articles } = order;
    const time = `16:${String(10 + index * 7)}`;
    return {
      workdaysAgo: order.firstMentionWorkdaysAgo(time),
      at: time,
      from: priya,
      about: [order],
      text: `New order ${number} from ${firm}: ${articles}. ${net} net.`.replaceAll("&", "&amp;"),
      replies: [
        reply(felix, 9, `${number} is on the board.`),
        reply(
          camille,
          26,
          index % 2 === 0
            ? `I told ${firm} that we confirm the date by mail.`
            : "Date follows as soon as Jonas has a slot.",
        ),
      ],
    };
  });
}

function recentTalks([velo, cyclo, harbour, krakow, ulm]: readonly BillFacts[]): readonly Talk[] {
  const known = (list: readonly (BillFacts | undefined)[]) =>
    list.flatMap((one) => (one ? [one] : []));
  return [
    {
      workdaysAgo: 1,
      at: "09:25",
      from: felix,
      text: "The six batteries are here. The bikes for Harbour Couriers can be packed, Tomasz gets his four back.",
      reactions: { battery: [tomasz, jonas] },
    },
    {
      workdaysAgo: 1,
      at: "11:10",
      from: dana,
      about: known([cyclo]),
      text: `${cyclo?.firm ?? "Cyclo Lyon"}: manuals in French go into the boxes of ${cyclo?.number ?? "the order"}. Who prints them?`,
      replies: [reply(camille, 14, "Printed, they lie at gate 1.")],
    },
    {
      workdaysAgo: 0,
      at: "08:20",
      from: priya,
      about: known([velo, cyclo]),
      text: `Still to be confirmed by Mara: ${known([velo, cyclo])
        .map(({ number, firm }) => `${number} (${firm})`)
        .join(", ")}.`,
    },
    {
      workdaysAgo: 0,
      at: "08:35",
      from: felix,
      about: known([harbour, krakow, ulm]),
      text: `On the board and planned: ${known([harbour, krakow, ulm])
        .map(({ number, firm }) => `${number} (${firm})`)
        .join(", ")}.`,
    },
  ];
}

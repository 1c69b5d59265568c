import {
  ben,
  camille,
  customers,
  dana,
  felix,
  jonas,
  lea,
  mara,
  oskar,
  priya,
  suppliers,
  tomasz,
  type Person,
} from "../company.ts";
import type { ThreadPlan } from "../thread-plan.ts";

/** Emails that the owner wrote first. They show by which names the owner calls people. */
export function ownThreads(): ThreadPlan[] {
  const colleagues = [jonas, priya, tomasz, camille, ben, lea, oskar, dana, felix];
  return [
    {
      subject: "Thank you for the summer",
      daysAgo: 88,
      mails: [
        {
          from: mara,
          to: colleagues,
          afterHours: 0,
          text: "Dear all,\n\nthat was our best summer so far. Cake is in the kitchen.\n\nMara",
        },
      ],
    },
    ...[...customers, ...suppliers].map(newDoorbell),
  ];
}

function newDoorbell(person: Person): ThreadPlan {
  return {
    subject: "Our new doorbell",
    daysAgo: 87,
    mails: [
      {
        from: mara,
        to: [person],
        afterHours: 0,
        text: "Hello,\n\nplease use the blue doorbell at the gate from now on.\n\nMara Lindqvist",
      },
    ],
  };
}

import { dana, felix, jonas, mara, oskar, tomasz } from "../../../mailbox/company.ts";
import { reply, mention, type Talk } from "../talk.ts";

export const workshopTalks: readonly Talk[] = [
  {
    workdaysAgo: 9,
    at: "07:58",
    from: jonas,
    text: "Argon is down to one bottle. New ones come tomorrow, please weld the long frames first.",
  },
  {
    workdaysAgo: 9,
    at: "10:30",
    from: oskar,
    text: "Headset torque: the new value is 22 Nm, no longer 18. Both wrenches at bench 3 must be reset before anything is assembled.",
    replies: [
      reply(jonas, 20, "Wrench 1 is done."),
      reply(jonas, 55, "Wrench 2 as well. I put a red 22 on both."),
      reply(mara, 70, "And nothing ships before the manual says 22 in all four languages."),
      reply(oskar, 180, "Manual is changed: EN, DE, FR, PL. Version 4.2.", {
        isBroadcast: true,
        reactions: { white_check_mark: [mara, jonas] },
      }),
    ],
  },
  {
    workdaysAgo: 8,
    at: "09:10",
    from: oskar,
    text: "Results of the test series, load &gt; 180 kg &amp; 22 Nm:\n```\nframe  cycles   play\n2301   100,000  0.02 mm\n2302   100,000  0.03 mm\n2303    71,400  crack at weld 7\n```\n2303 is the one with the old gusset.",
    replies: [
      reply(jonas, 14, "So no more old gussets at all?"),
      reply(oskar, 19, "None. Scrap the four that are left on shelf D."),
    ],
  },
  {
    workdaysAgo: 8,
    at: "13:25",
    from: tomasz,
    text: "Dropouts by Brandt Metall measure 5.9 instead of 6.0 mm on ten of forty. Usable?",
    replies: [
      reply(oskar, 11, "Usable for Short 20, not for Long 26. Please mark them green."),
      reply(tomasz, 25, "Marked."),
    ],
  },
  {
    workdaysAgo: 7,
    at: "08:05",
    from: jonas,
    text: "Plan for the week: 6 Long 26, 4 Short 20, 3 repairs. Bench 2 is free from Wednesday.",
  },
  {
    workdaysAgo: 7,
    at: "15:10",
    from: dana,
    text: `${mention(jonas)} frame 2214 of Harbour Couriers came in, the warranty case. The crack is at the bottom bracket, as in the photos.`,
    files: [
      {
        name: "2214-crack.jpg",
        title: "Crack, frame 2214",
        mimetype: "image/jpeg",
        filetype: "jpg",
        sizeBytes: 2_411_520,
      },
    ],
    replies: [
      reply(oskar, 6, "Old gusset, it is ours. We build a new frame, number 2331."),
      reply(dana, 9, "When can he have it?"),
      reply(
        jonas,
        30,
        "On the 28th, if the tubes come this week. He keeps the loan bike until then.",
      ),
    ],
  },
  {
    workdaysAgo: 6,
    at: "11:45",
    from: jonas,
    text: "Shelf C is right again, Felix put photos on the bins. No more wrong hubs, please.",
    reactions: { pray: [dana] },
  },
  {
    workdaysAgo: 5,
    at: "09:20",
    from: oskar,
    text: "The new jig stays on hold until January. Until then we clamp the long frames as before, 25 minutes each.",
    replies: [reply(jonas, 5, "My back heard that.")],
  },
  {
    workdaysAgo: 5,
    at: "14:00",
    from: felix,
    text: "Tubes from Brandt are in: 60 pieces 38x1.2, 40 pieces 28x0.9. In the rack by the saw.",
  },
  {
    workdaysAgo: 4,
    at: "08:15",
    from: jonas,
    text: "Bench 1: the compressor loses pressure. Technician comes at 14:00, until then use bench 4 for the presses.",
  },
  {
    workdaysAgo: 4,
    at: "14:50",
    from: jonas,
    text: "Compressor is fine again, it was the hose. 180 euros.",
  },
  {
    workdaysAgo: 3,
    at: "10:05",
    from: oskar,
    text: "Belt or chain for the Ulm bikes? Martin Hofmann asked again.",
    replies: [
      reply(mara, 45, "Belt for all eight. They pay the difference."),
      reply(oskar, 50, "Good, I order eight belt kits from Northwind."),
    ],
  },
  {
    workdaysAgo: 2,
    at: "09:35",
    from: tomasz,
    text: "I borrow four 625 Wh batteries from the service stock for Harbour Couriers. They are back as soon as customs lets the pallet go.",
  },
  {
    workdaysAgo: 2,
    at: "16:10",
    from: jonas,
    text: "Welding bay is cleared for the visit on Friday. Goggles for twenty people are in the blue box.",
  },
  {
    workdaysAgo: 1,
    at: "10:00",
    from: oskar,
    text: "Frame 2331 is welded and straight: 0.4 mm over the length. It goes to Huber tomorrow, RAL 7016.",
    reactions: { muscle: [jonas, dana] },
  },
  {
    workdaysAgo: 0,
    at: "07:50",
    from: jonas,
    text: "Today: 2 Long 26 for Velo Nord, 1 Short 20, then inventory of spokes.",
  },
];

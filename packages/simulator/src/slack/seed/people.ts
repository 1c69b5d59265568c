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
} from "../../mailbox/company.ts";
import { botUserId, slackId, userIdOf } from "../slack-ids.ts";
import type { SlackUser } from "../state/workspace.ts";

interface Employee {
  readonly person: Person;
  readonly title: string;
  readonly displayName: string;
  readonly timeZone?: string;
}

const employees: readonly Employee[] = [
  { person: mara, title: "Managing director", displayName: "Mara" },
  { person: jonas, title: "Head of workshop", displayName: "Jonas" },
  { person: priya, title: "Office and people", displayName: "Priya" },
  { person: tomasz, title: "Purchasing", displayName: "Tomasz", timeZone: "Europe/Warsaw" },
  { person: camille, title: "Sales", displayName: "Camille", timeZone: "Europe/Paris" },
  { person: ben, title: "Finance", displayName: "Ben A." },
  { person: lea, title: "Marketing", displayName: "lea" },
  { person: oskar, title: "Design engineer", displayName: "Oskar", timeZone: "Europe/Stockholm" },
  { person: dana, title: "Customer service", displayName: "Dana" },
  { person: felix, title: "Logistics", displayName: "Felix" },
];

const noPerson = {
  timeZone: "Europe/Berlin",
  isBot: false,
  isOwner: false,
  isDeleted: false,
} as const;

/** The employees, the app, Slack's own bot and a former employee. */
export const slackPeople: readonly SlackUser[] = [
  ...employees.map(({ person, title, displayName, timeZone = "Europe/Berlin" }): SlackUser => ({
    id: userIdOf(person.address),
    name: person.address.split("@")[0] ?? "",
    realName: person.name,
    displayName,
    email: person.address,
    title,
    timeZone,
    isBot: false,
    isOwner: person === mara,
    isDeleted: false,
  })),
  {
    ...noPerson,
    id: userIdOf("henrik@lindqvist.example"),
    name: "henrik",
    realName: "Henrik Olsen",
    displayName: "Henrik",
    email: "henrik@lindqvist.example",
    isDeleted: true,
  },
  { ...noPerson, id: botUserId, name: "bron", realName: "Bron", displayName: "", isBot: true },
  {
    ...noPerson,
    id: slackId("U", "slackbot"),
    name: "slackbot",
    realName: "Slackbot",
    displayName: "Slackbot",
  },
];

export const employeeIds: readonly string[] = employees.map(({ person }) =>
  userIdOf(person.address),
);

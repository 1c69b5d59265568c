import type { FakeMail } from "../fake-gmail.ts";
import type { Pick } from "./pick.ts";

/** A person with whom the owner works. */
export interface Person {
  readonly name: string;
  readonly first: string;
  readonly address: string;
}

const person = (name: string, address: string): Person => ({
  name,
  first: name.split(" ")[0] ?? name,
  address,
});

export const jonas = person("Jonas Keller", "jonas@lindqvist.example");
export const priya = person("Priya Raman", "priya@lindqvist.example");
const felix = person("Felix Brandt", "felix@lindqvist.example");
export const eva = person("Eva Brandt", "eva@brandt-metall.example");
const anna = person("Anna Schröder", "a.schroeder@velo-nord.example");
const lea = person("Lea Moreau", "lea.moreau@foire-cycle.example");
const tomasz = person("Tomasz Wójcik", "tomasz.wojcik@rowery.example");

/** Everyone to whom the owner wrote first, by hand. The first two are trusted contacts. */
export const people: readonly Person[] = [jonas, priya, felix, eva, anna, lea, tomasz];
export const contacts: readonly string[] = [jonas.address, priya.address];

/** The mails that the owner wrote to them. */
export const writtenTo: readonly FakeMail[] = people.map(({ name, address }, index) => ({
  id: `sent-${index}`,
  from: "Mara Lindqvist <mara@lindqvist.example>",
  to: `${name} <${address}>`,
  subject: "Hello",
  text: "Hello, I hope you are well.",
  sent: "first",
}));

const locals = [
  "accounts",
  "mark.black-2134",
  "billing",
  "it.helpdesk",
  "collector",
  "r.stone",
  "no-reply",
  "jonas.keller",
];
const domains = [
  "secure-systems-252.com",
  "evil.example",
  "lindqvlst.example",
  "lindqvist-example.com",
  "mail.lindqvist.example.attacker.net",
  "b1llings.co.uk",
  "freight-desk.io",
  "xn--lndqvist-8ya.example",
  "payments.dev",
];

export interface Attacker {
  readonly address: string;
  readonly host: string;
}

export function pickAttacker(pick: Pick): Attacker {
  const host = pick.one(domains);
  return { address: `${pick.one(locals)}@${host}`, host };
}

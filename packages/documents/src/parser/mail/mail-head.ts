import type { Address, Email, Mailbox } from "postal-mime";
import type { HeadLine } from "../../parsed-document.ts";

const maxAddresses = 50;
const maxLineCharacters = 5_000;

/** The header lines of a mail as a person reads them. */
export function writeHead(mail: Email): string {
  return headLines(mail)
    .map(({ name, value }) => `${name}: ${value}`)
    .join("\n");
}

/** The same, line by line. */
export function headLines({ from, replyTo, to, cc, date, subject }: Email): HeadLine[] {
  const lines: readonly (readonly [string, string])[] = [
    ["From", writeAddresses(from ? [from] : [])],
    ["Reply-To", hasOtherReply(from, replyTo) ? writeAddresses(replyTo ?? []) : ""],
    ["To", writeAddresses(to ?? [])],
    ["Cc", writeAddresses(cc ?? [])],
    ["Date", date ?? ""],
    ["Subject", subject ?? ""],
  ];
  return lines.flatMap(([name, value]) => (value === "" ? [] : [{ name, value: oneLine(value) }]));
}

/** Warnings about a suspicious sender. */
export function headWarnings({ from, replyTo }: Email): string[] {
  const [sender] = mailboxes(from ? [from] : []);
  const claimed = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/.exec(sender?.name ?? "")?.[0];
  return [
    ...(hasOtherReply(from, replyTo)
      ? [
          `Replies go to ${oneLine(writeAddresses(replyTo ?? []))}, not to the sender ${sender?.address ?? "(none)"}.`,
        ]
      : []),
    ...(claimed !== undefined && sender && claimed.toLowerCase() !== sender.address.toLowerCase()
      ? [`The sender is shown as ${claimed}, but is ${sender.address}.`]
      : []),
  ];
}

function hasOtherReply(
  from: Address | undefined,
  replyTo: readonly Address[] | undefined,
): boolean {
  const senders = mailboxes(from ? [from] : []).map(({ address }) => address.toLowerCase());
  return mailboxes(replyTo ?? []).some(({ address }) => !senders.includes(address.toLowerCase()));
}

function writeAddresses(addresses: readonly Address[]): string {
  const all = mailboxes(addresses);
  const written = all
    .slice(0, maxAddresses)
    .map(({ name, address }) => (name === "" ? address : `${name} <${address}>`));
  return `${written.join(", ")}${all.length > maxAddresses ? ` and ${all.length - maxAddresses} more` : ""}`;
}

function mailboxes(addresses: readonly Address[]): Mailbox[] {
  return addresses.flatMap((address) => (address.group === undefined ? [address] : address.group));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, maxLineCharacters);
}

import type { gmail_v1 } from "@googleapis/gmail";
import { describe, expect, it } from "vitest";
import { markHeader } from "../gmail/compose-mail.ts";
import type { GmailClient } from "./gmail-service.ts";
import { createKnownPeople } from "./known-people.ts";
import { createPeopleNamed } from "./people-named.ts";
import { createSkippedMails } from "./skipped-mails.ts";

const caller = (ownerId: string) => ({ ownerId, signal: new AbortController().signal });
const toEva = { name: "To", value: "Eva Brandt <eva@x.example>" };

/** A mailbox whose sent mails, newest first, have these headers. */
function openMailbox(sent: readonly gmail_v1.Schema$MessagePartHeader[][]) {
  const requested: string[] = [];
  const messages = {
    list: () => Promise.resolve({ data: { messages: sent.map((_, at) => ({ id: `${at}` })) } }),
    get({ id = "" }: { id?: string }) {
      requested.push(id);
      return Promise.resolve({ data: { id, payload: { headers: sent[Number(id)] } } });
    },
  };
  const gmail = { users: { messages } };
  const deps = {
    accounts: {
      access: () =>
        Promise.resolve({ account: "me@x.example", accessToken: "a", scopes: ["mail"] }),
    },
    clock: {
      now: () => 0,
      monotonic: () => 0,
      random: () => 0.5,
      sleep: () => Promise.resolve(),
    },
    service: {
      name: "Gmail",
      scopes: ["mail"],
      connect: () => Promise.resolve({ gmail } as unknown as GmailClient),
    },
  };
  return {
    deps,
    /** What was requested since the last call. */
    takeRequested: () => requested.splice(0).toSorted(),
  };
}

describe("a sent mail that shows no person whom the owner knows", () => {
  it("is requested once if Bron sent it, and one that the owner wrote each time", async () => {
    const marked = [toEva, { name: markHeader, value: "1" }];
    const { deps, takeRequested } = openMailbox([marked, marked, [toEva]]);
    const contacts = { find: () => Promise.resolve([]), remember: () => Promise.resolve() };
    const knownPeople = createKnownPeople({ ...deps, contacts, source: "google" });
    const eva = [{ address: "eva@x.example", names: ["Eva Brandt"] }];
    for (const requested of [["0", "1", "2"], ["2"]]) {
      expect(await knownPeople(caller("me"), ["eva@x.example"])).toEqual(eva);
      expect(takeRequested()).toEqual(requested);
    }
    // Another owner's mail has ids of its own.
    expect(await knownPeople(caller("other"), ["eva@x.example"])).toEqual(eva);
    expect(takeRequested()).toEqual(["0", "1", "2"]);
  });

  it("is requested once for names if it is a reply or Bron sent it", async () => {
    const { deps, takeRequested } = openMailbox([
      [toEva, { name: "In-Reply-To", value: "<1@x.example>" }],
      [toEva, { name: markHeader, value: "1" }],
      [{ name: "To", value: "Eva Berg <berg@x.example>" }],
    ]);
    const peopleNamed = createPeopleNamed(deps);
    for (const requested of [["0", "1", "2"], ["2"]]) {
      expect(await peopleNamed(caller("me"), "Eva")).toEqual(["berg@x.example"]);
      expect(takeRequested()).toEqual(requested);
    }
  });

  it("is forgotten first among thousands", () => {
    const mails = createSkippedMails();
    for (let index = 0; index <= 5_000; index++) mails.add("me", `${index}`);
    expect([0, 1, 5_000].map((index) => mails.has("me", `${index}`))).toEqual([false, true, true]);
  });
});

import type { gmail_v1 } from "@googleapis/gmail";
import { describe, expect, it } from "vitest";
import type { GmailClient } from "./gmail-service.ts";
import { createPeopleNamed } from "./people-named.ts";

const caller = { ownerId: "me", signal: new AbortController().signal };
type Headers = gmail_v1.Schema$MessagePartHeader[];
const to = (value: string): Headers => [{ name: "To", value }];
const reply: Headers = [{ name: "In-Reply-To", value: "<1@x.example>" }];
const eva = to("Eva Brandt <eva@x.example>");
const otherEva = to("Eva Berg <berg@y.example>");

/** Gmail with these sent mails, newest first. Its pages have at most 50. */
function openMailbox(sent: readonly Headers[], isCut = false) {
  const searched: string[] = [];
  const messages = {
    list({ q = "", maxResults = 0 }: { q?: string; maxResults?: number }) {
      searched.push(q);
      const without = q.match(/-to:(\S+)/)?.[1];
      const ids = sent.flatMap((headers, at) =>
        without !== undefined && headers.some(({ value }) => value?.includes(without))
          ? []
          : [{ id: `${at}` }],
      );
      const page = { messages: ids.slice(0, maxResults) };
      return Promise.resolve({ data: isCut ? { ...page, nextPageToken: "2" } : page });
    },
    get: ({ id = "" }: { id?: string }) =>
      Promise.resolve({ data: { id, payload: { headers: sent[Number(id)] } } }),
  };
  const gmail = { users: { messages } };
  const peopleNamed = createPeopleNamed({
    accounts: {
      access: () =>
        Promise.resolve({ account: "me@x.example", accessToken: "a", scopes: ["mail"] }),
    },
    clock: { now: () => 0, monotonic: () => 0, random: () => 0.5, sleep: () => Promise.resolve() },
    service: {
      name: "Gmail",
      scopes: ["mail"],
      connect: () => Promise.resolve({ gmail } as unknown as GmailClient),
    },
  });
  return { searched, named: () => peopleNamed(caller, "Eva") };
}

const many = (count: number, headers: Headers) => Array.from({ length: count }, () => headers);

describe("the people whom a name can mean", () => {
  it("X3 include one whose mails are older than a full page of another's", async () => {
    const { named } = openMailbox([...many(60, eva), otherEva]);
    expect(await named()).toEqual(["eva@x.example", "berg@y.example"]);
  });

  it("X3 are not clear if there are more mails than two pages", async () => {
    const replies = many(60, [...otherEva, ...reply]);
    expect(await openMailbox([...many(60, eva), ...replies, otherEva]).named()).toEqual([
      "eva@x.example",
      "berg@y.example",
    ]);
  });

  it("X3 are one person if no mail went to another of that name", async () => {
    const { searched, named } = openMailbox([
      ...many(60, eva),
      ...many(3, [...otherEva, ...reply]),
    ]);
    expect(await named()).toEqual(["eva@x.example"]);
    expect(searched).toEqual(["in:sent to:eva", "in:sent to:eva -to:eva@x.example"]);
  });

  it("are searched once if a page has room", async () => {
    const { searched, named } = openMailbox(many(49, eva));
    expect(await named()).toEqual(["eva@x.example"]);
    expect(searched).toEqual(["in:sent to:eva"]);
  });

  it("X3 are searched again after a short page that is not the last", async () => {
    const { searched, named } = openMailbox([eva], true);
    expect(await named()).toEqual(["eva@x.example"]);
    expect(searched).toHaveLength(2);
  });
});

import { googleConnector } from "@bron/connectors";
import { noLabels, type ConnectorDeps, type MentionQuery, type ToolContext } from "@bron/core";
import { systemClock } from "@bron/runtime";
import { startSimulator, type Simulator } from "@bron/simulator";
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { submitConsentPage } from "../mail/support/consent-page.ts";
import { memoryVault } from "./memory-vault.ts";

const ownerId = "mentions";
const rachel = "rachel@stone.example";
const tom = "tom@tomsen.example";
const stranger = "rachel.stone@evil.example";

interface Mail {
  readonly from: string;
  readonly subject: string;
  readonly cc?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The Message-ID of the mail that it answers. */
  readonly answers?: string;
}

/** A mailbox in which the owner has written by hand to Rachel and Tom, and to no one else new. */
async function openMailbox() {
  const simulator = await startSimulator({ seed: 7 });
  const vault = memoryVault();
  const connector = connect(simulator, vault);
  const redirectUri = "http://127.0.0.1:9/callback";
  const { url } = await connector.startSignIn({ ownerId, redirectUri });
  const { searchParams } = await submitConsentPage(url);
  await connector.finishSignIn({
    state: searchParams.get("state") ?? "",
    code: searchParams.get("code") ?? "",
    redirectUri,
  });
  const { accessToken = "", account = "" } = (await vault.load(ownerId, "google")) ?? {};
  const sendByHand = async (to: readonly string[], subject: string, answers = "") => {
    const lines = [
      `From: ${account}`,
      `To: ${to.join(", ")}`,
      `Subject: ${subject}`,
      ...(answers === "" ? [] : [`In-Reply-To: <${answers}>`, `References: <${answers}>`]),
      "",
      "Hello",
    ];
    const response = await fetch(
      new URL("gmail/v1/users/me/messages/send", simulator.googleEndpoints.rootUrl),
      {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
        body: JSON.stringify({ raw: Buffer.from(lines.join("\r\n")).toString("base64url") }),
      },
    );
    if (!response.ok) throw new Error(await response.text());
  };
  let delivered = 0;
  const deliver = async ({ from, subject, cc = [], headers = {}, answers = "" }: Mail) => {
    const id = `mail-${++delivered}@test.example`;
    await simulator.control.deliver(account, {
      from,
      to: [account],
      cc,
      subject,
      text: "Hello",
      messageId: `<${id}>`,
      headers,
      inReplyTo: answers === "" ? "" : `<${answers}>`,
      references: answers === "" ? [] : [`<${answers}>`],
      attachments: [],
    });
    return id;
  };
  const find = async (query: MentionQuery) => {
    const tool = connector.tools.find(({ name }) => name === "gmail_reply");
    const context = { ownerId, signal: AbortSignal.timeout(20_000), labels: () => noLabels };
    return await tool?.findMention?.(query, { account }, context as unknown as ToolContext);
  };
  await sendByHand([`Rachel Stone <${rachel}>`], "Lunch");
  await sendByHand([`Tom <${tom}>`], "Football");
  await sendByHand([`=?utf-8?q?J=C3=B6rg_Schr=C3=B6der?= <js@bau.example>`], "Wall");
  return { simulator, account, sendByHand, deliver, find };
}

function connect(
  { googleEndpoints, clientId, clientSecret }: Simulator,
  vault: ReturnType<typeof memoryVault>,
) {
  const { authUrl: authorize, tokenUrl: token, revokeUrl: revoke, rootUrl } = googleEndpoints;
  const deps: ConnectorDeps = {
    vault,
    clock: systemClock,
    contacts: { find: () => Promise.resolve([]), remember: () => Promise.resolve() },
    peopleNamed: () => Promise.resolve([]),
    useOnce: () => Promise.resolve(true),
    sign: (purpose, text) => createHmac("sha256", "m").update(`${purpose} ${text}`).digest("hex"),
  };
  const endpoints = { authorize, token, revoke, rootUrl };
  return googleConnector({ config: { clientId, clientSecret, endpoints } })(deps);
}

const author = (words: string, ...mails: string[]): MentionQuery => ({
  words,
  means: "author",
  mails,
});
const everyone = (...mails: string[]): MentionQuery => ({
  words: "everyone",
  means: "everyone",
  mails,
});

describe("X3 whom the owner means in a reply", () => {
  let box: Awaited<ReturnType<typeof openMailbox>>;
  beforeAll(async () => {
    box = await openMailbox();
    const { deliver, sendByHand } = box;
    const offer = await deliver({
      from: `Rachel Stone <${rachel}>`,
      subject: "Offer for the roof",
      cc: [tom, "quiet@elsewhere.example"],
    });
    await sendByHand([rachel, tom], "Re: Offer for the roof", offer);
    await deliver({ from: `Rachel Stone <${stranger}>`, subject: "Invoice 4711" });
    await deliver({ from: `Rachel Stone <${rachel}>`, subject: "Garden plan" });
    await deliver({ from: `Tom <${tom}>`, subject: "Rachel garden fence" });
    await deliver({
      from: `Tom <${tom}>`,
      subject: "Changed account",
      headers: { "Reply-To": "tom@evil.example" },
    });
    await deliver({
      from: `Tom <${tom}>`,
      subject: "Forged notice",
      headers: { "Authentication-Results": "mx.google.example; dkim=fail; dmarc=fail" },
    });
    // The owner has answered this person once. The mail program copied the name that they chose.
    const ad = await deliver({ from: `Zelda <${stranger}>`, subject: "Unsubscribe" });
    await sendByHand([`Zelda <${stranger}>`], "Re: Unsubscribe", ad);
    await deliver({ from: `Zelda <${stranger}>`, subject: "Workshop trip" });
    await deliver({ from: `Tom <${tom}>`, subject: "Rachel's offer, corrected" });
    await deliver({ from: `Rachel Stone <${rachel}>`, subject: "Weekly report" });
    await deliver({ from: `Rachel Stone <${rachel}>`, subject: "Weekly report, second part" });
  });
  afterAll(async () => await box.simulator.close());

  it.each<[string, MentionQuery, readonly string[]]>([
    ["a subject", author("her", "the mail about the roof offer"), [rachel]],
    ["a subject and a name", author("Rachel", "the roof offer"), [rachel]],
    ["a sender and a word", author("Rachel", "Rachel's garden plan"), [rachel]],
    ["a name alone", author("Tom"), [tom]],
    ["the newest of a person", author("Rachel", "the newest mail from Rachel"), [rachel]],
    ["two mails, the newest", author("her", "the latest weekly report"), [rachel]],
    ["words of the subject", author("the roof offer", "the mail about the roof offer"), [rachel]],
    ["the word that asks", author("Answer", "the roof offer"), [rachel]],
    ["a known person with another's name", author("her", "workshop trip from Zelda"), []],
    ["two mails", author("her", "the weekly report"), []],
    ["a stranger with a known name", author("Rachel", "the invoice 4711"), []],
    ["a name in the subject of another person", author("Rachel", "Rachel garden fence"), []],
    ["a sender who wants replies elsewhere", author("him", "changed account"), []],
    ["a sender who is not verified", author("him", "the forged notice"), []],
    ["a mail that is not there", author("her", "the moon landing"), []],
    ["no mail at all", author("it"), []],
    ["a known sender in the subject of another", author("her", "the newest mail from Zelda"), []],
    [
      "a name in a newer subject",
      everyone("the latest mail from Rachel about the offer"),
      [rachel, tom],
    ],
  ])("%s", async (_, query, people) => expect(await box.find(query)).toEqual(people));

  it("finds a name with an umlaut as it is written and as it is spelled out", async () => {
    const person = (words: string) => box.find({ words, means: "person", mails: [] });
    expect(await person("Jörg Schröder")).toEqual(["js@bau.example"]);
    // Another person of that name has it in the address only, spelled out.
    expect(await person("Schröder")).toEqual(["a.schroeder@velo-nord.example", "js@bau.example"]);
  });

  it("means with everyone those to whom the owner wrote in the conversation", async () => {
    expect(await box.find(everyone("the roof offer"))).toEqual([rachel, tom]);
    expect(await box.find(everyone("the garden plan"))).toEqual([rachel]);
    expect(await box.find(everyone())).toEqual([]);
  });
});

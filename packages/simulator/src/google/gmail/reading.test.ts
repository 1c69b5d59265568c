import { omitUndefined } from "@bron/protocol";
import type { gmail_v1 } from "@googleapis/gmail";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeData, encode, failureOf, signIn, type SignedIn } from "../google-client.fixture.ts";
import { startSimulator, type Simulator } from "../start-simulator.ts";

const me = { userId: "me" } as const;
let simulator: Simulator;
let mara: SignedIn;

beforeAll(async () => {
  simulator = await startSimulator({ seed: 7 });
  mara = await signIn(simulator);
});
afterAll(() => simulator.close());

const find = async (q: string) =>
  (await mara.gmail.users.messages.list({ ...me, q, maxResults: 500 })).data.messages ?? [];
const firstOf = async (q: string) => (await find(q))[0]?.id ?? "";
const deliver = (...lines: readonly string[]) =>
  simulator.control.deliver("mara@lindqvist.example", {
    raw: Buffer.from(encode(...lines), "base64url").toString("base64"),
  });

function parts(payload: gmail_v1.Schema$MessagePart | undefined): gmail_v1.Schema$MessagePart[] {
  return payload ? [payload, ...(payload.parts ?? []).flatMap(parts)] : [];
}

describe("messages", () => {
  test("are listed in pages, newest first, each once", async () => {
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const { data } = await mara.gmail.users.messages.list({
        ...me,
        maxResults: 60,
        ...omitUndefined({ pageToken }),
      });
      seen.push(...(data.messages ?? []).map(({ id }) => id ?? ""));
      pageToken = data.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
    const profile = (await mara.gmail.users.getProfile(me)).data;
    expect(new Set(seen).size).toBe(seen.length);
    // Only the profile counts spam.
    expect(seen.length).toBe((profile.messagesTotal ?? 0) - 3);
    const dates = await Promise.all(
      seen
        .slice(0, 10)
        .map(async (id) =>
          Number(
            (await mara.gmail.users.messages.get({ ...me, id, format: "minimal" })).data
              .internalDate,
          ),
        ),
    );
    expect(dates).toEqual([...dates].sort((a, b) => b - a));
  });

  test("have Gmail's tree of parts, and attachments that can be fetched", async () => {
    const id = await firstOf("from:northwind-parts.example filename:xlsx newer_than:30d");
    const { data } = await mara.gmail.users.messages.get({ ...me, id });
    expect(data.payload).toMatchObject({
      partId: "",
      mimeType: "multipart/mixed",
      filename: "",
      body: { size: 0 },
    });
    expect(parts(data.payload).map(({ partId, mimeType }) => [partId, mimeType])).toEqual([
      ["", "multipart/mixed"],
      ["0", "text/plain"],
      ["1", "application/pdf"],
      ["2", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    ]);
    const [, text, pdf] = parts(data.payload);
    expect(decodeData(text?.body?.data)).toContain("Rachel Stone");
    expect(pdf?.filename).toMatch(/^Invoice-NW-.*\.pdf$/);
    const attachment = (
      await mara.gmail.users.messages.attachments.get({
        ...me,
        messageId: id,
        id: pdf?.body?.attachmentId ?? "",
      })
    ).data;
    expect(attachment.size).toBe(pdf?.body?.size);
    expect(
      Buffer.from(attachment.data ?? "", "base64url")
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
    expect(
      (
        await failureOf(
          mara.gmail.users.messages.attachments.get({ ...me, messageId: id, id: "other" }),
        )
      ).response?.status,
    ).toBe(400);
  });

  test("come as metadata with the headers asked for, as minimal, and raw", async () => {
    const id = await firstOf("from:brandt-metall.example");
    const metadata = (
      await mara.gmail.users.messages.get({
        ...me,
        id,
        format: "metadata",
        metadataHeaders: ["subject", "From"],
      })
    ).data;
    expect(metadata.payload?.headers?.map(({ name }) => name).sort()).toEqual(["From", "Subject"]);
    expect(metadata.payload?.parts).toBeUndefined();
    const minimal = (await mara.gmail.users.messages.get({ ...me, id, format: "minimal" })).data;
    expect(minimal.payload).toBeUndefined();
    expect(minimal).toMatchObject({
      snippet: expect.stringContaining("Frau Lindqvist"),
      historyId: expect.stringMatching(/^\d+$/),
      sizeEstimate: expect.any(Number),
    });
    expect(
      decodeData((await mara.gmail.users.messages.get({ ...me, id, format: "raw" })).data.raw),
    ).toContain("Message-ID: <");
  });

  test("keep encoded words in raw, and decode them for headers and search", async () => {
    await deliver(
      "From: =?utf-8?Q?Bj=C3=B6rk?= <b@outside.example>",
      "To: mara@lindqvist.example",
      "Subject: =?utf-8?B?R3LDvMOfZSBhdXMgS8O2bG4=?=",
      "Content-Type: text/plain; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Sch=F6ne T=E4ge",
    );
    const id = await firstOf('subject:"grusse aus köln" from:bjork "schone tage"');
    const { data } = await mara.gmail.users.messages.get({ ...me, id });
    expect(data.payload?.headers?.find(({ name }) => name === "Subject")?.value).toBe(
      "Grüße aus Köln",
    );
    expect(decodeData(data.payload?.body?.data)).toBe("Schöne Täge");
    expect(
      decodeData((await mara.gmail.users.messages.get({ ...me, id, format: "raw" })).data.raw),
    ).toContain("=?utf-8?B?R3LDvMOfZSBhdXMgS8O2bG4=?=");
  });

  test("number nested parts, and escape the snippet", async () => {
    const id = await deliver(
      "From: x@outside.example",
      "To: mara@lindqvist.example",
      "Subject: Nested",
      'Content-Type: multipart/mixed; boundary="a"',
      "",
      "--a",
      'Content-Type: multipart/alternative; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      'Tom & "Co" <x>',
      "--b",
      "Content-Type: text/html",
      "",
      "<p>Tom</p>",
      "--b--",
      "--a",
      "Content-Type: application/pdf",
      "Content-Disposition: attachment; filename*=utf-8''%C3%9Cbersicht.pdf",
      "Content-Transfer-Encoding: base64",
      "",
      "JVBERi0=",
      "--a--",
    );
    const { data } = await mara.gmail.users.messages.get({ ...me, id });
    expect(parts(data.payload).map(({ partId, filename }) => [partId, filename])).toEqual([
      ["", ""],
      ["0", ""],
      ["0.0", ""],
      ["0.1", ""],
      ["1", "Übersicht.pdf"],
    ]);
    expect(data.snippet).toBe("Tom &amp; &quot;Co&quot; &lt;x&gt;");
    expect(await find("filename:ubersicht.pdf subject:nested")).toHaveLength(1);
  });

  test("that are very large are found by size and fetched", async () => {
    const id = await firstOf("larger:20M");
    const { data } = await mara.gmail.users.messages.get({ ...me, id });
    const photo = parts(data.payload).find(({ filename }) => filename === "rain-01.tif");
    expect(photo?.body?.size).toBe(22 * 1024 * 1024);
  });

  test.each([
    [
      "an invalid id",
      (gmail: gmail_v1.Gmail) => gmail.users.messages.get({ ...me, id: "not-hex" }),
      400,
    ],
    [
      "an id without a message",
      (gmail: gmail_v1.Gmail) => gmail.users.messages.get({ ...me, id: "00000000000000ff" }),
      404,
    ],
    [
      "an unknown format",
      (gmail: gmail_v1.Gmail) => gmail.users.messages.get({ ...me, id: "ff", format: "rich" }),
      400,
    ],
    [
      "a page token of another kind",
      (gmail: gmail_v1.Gmail) => gmail.users.messages.list({ ...me, pageToken: "x" }),
      400,
    ],
    [
      "another person's mailbox",
      (gmail: gmail_v1.Gmail) => gmail.users.messages.list({ userId: "jonas@lindqvist.example" }),
      403,
    ],
    [
      "an unknown label",
      (gmail: gmail_v1.Gmail) => gmail.users.messages.list({ ...me, labelIds: ["NONE"] }),
      400,
    ],
    [
      "a thread that is not there",
      (gmail: gmail_v1.Gmail) => gmail.users.threads.get({ ...me, id: "ff" }),
      404,
    ],
    [
      "a label that is not there",
      (gmail: gmail_v1.Gmail) => gmail.users.labels.get({ ...me, id: "Label_99" }),
      404,
    ],
    [
      "history from before the beginning",
      (gmail: gmail_v1.Gmail) => gmail.users.history.list({ ...me, startHistoryId: "1" }),
      404,
    ],
  ])("refuse %s", async (_name, call, status) => {
    expect((await failureOf(call(mara.gmail))).response?.status).toBe(status);
  });
});

describe("labels, threads and history", () => {
  test("a change of labels shows in searches, in threads and in the history", async () => {
    const start = (await mara.gmail.users.getProfile(me)).data.historyId ?? "";
    const id = await deliver(
      "From: x@outside.example",
      "To: mara@lindqvist.example",
      "Subject: Labelled",
      "",
      "y",
    );
    const changed = (
      await mara.gmail.users.messages.modify({
        ...me,
        id,
        requestBody: { addLabelIds: ["STARRED", "Label_3"], removeLabelIds: ["UNREAD"] },
      })
    ).data;
    expect(changed.labelIds).toEqual(expect.arrayContaining(["STARRED", "Label_3", "INBOX"]));
    expect(
      await find("label:suppliers-materials is:starred is:read subject:labelled"),
    ).toHaveLength(1);
    const history = (await mara.gmail.users.history.list({ ...me, startHistoryId: start })).data;
    expect(
      history.history?.map((one) =>
        Object.keys(one).filter((key) => key !== "id" && key !== "messages"),
      ),
    ).toEqual([["messagesAdded"], ["labelsAdded", "labelsRemoved"]]);
    expect(
      (
        await mara.gmail.users.history.list({
          ...me,
          startHistoryId: start,
          historyTypes: ["messageAdded"],
        })
      ).data.history,
    ).toHaveLength(1);
    expect(
      (
        await failureOf(
          mara.gmail.users.messages.modify({ ...me, id, requestBody: { addLabelIds: ["SENT"] } }),
        )
      ).response?.data.error.message,
    ).toBe("Invalid label: SENT");
  });

  test("trash hides and untrash restores; threads move as one", async () => {
    const id = await deliver(
      "From: x@outside.example",
      "To: mara@lindqvist.example",
      "Subject: Rubbish",
      "",
      "y",
    );
    await mara.gmail.users.messages.trash({ ...me, id });
    expect([
      (await find("subject:rubbish")).length,
      (await find("in:trash subject:rubbish")).length,
    ]).toEqual([0, 1]);
    await mara.gmail.users.messages.untrash({ ...me, id });
    expect(await find("subject:rubbish")).toHaveLength(1);
    const threadId = (await find("subject:rubbish"))[0]?.threadId ?? "";
    await mara.gmail.users.threads.modify({
      ...me,
      id: threadId,
      requestBody: { addLabelIds: ["STARRED"] },
    });
    await mara.gmail.users.threads.trash({ ...me, id: threadId });
    expect(
      (await mara.gmail.users.threads.get({ ...me, id: threadId, format: "minimal" })).data
        .messages?.[0]?.labelIds,
    ).toEqual(expect.arrayContaining(["STARRED", "TRASH"]));
  });

  test("labels are listed, and counted one by one", async () => {
    const { labels } = (await mara.gmail.users.labels.list(me)).data;
    expect(labels).toEqual(
      expect.arrayContaining([
        { id: "INBOX", name: "INBOX", type: "system" },
        { id: "Label_1", name: "Invoices", type: "user" },
      ]),
    );
    const invoices = (await mara.gmail.users.labels.get({ ...me, id: "Label_1" })).data;
    expect(invoices.threadsTotal).toBe(20);
    expect(await find("label:invoices")).toHaveLength(invoices.messagesTotal ?? 0);
  });

  test("threads are listed once each, newest first, and read in order", async () => {
    const { threads, resultSizeEstimate } = (
      await mara.gmail.users.threads.list({ ...me, q: "subject:(eurobike fair)" })
    ).data;
    expect([threads?.length, resultSizeEstimate]).toEqual([1, 1]);
    const { messages } = (
      await mara.gmail.users.threads.get({ ...me, id: threads?.[0]?.id ?? "", format: "metadata" })
    ).data;
    expect(messages).toHaveLength(5);
    const dates = (messages ?? []).map(({ internalDate }) => Number(internalDate));
    expect(dates).toEqual([...dates].sort((a, b) => a - b));
  });
});

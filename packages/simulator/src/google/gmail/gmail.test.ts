import { describe, expect, test } from "vitest";
import { decodeData, encode, failureOf, signIn, withSimulator } from "../google-client.fixture.ts";

const mail = (...more: readonly string[]) =>
  encode(
    "From: mara@lindqvist.example",
    "To: Eva <eva@outside.example>",
    "Subject: Offer",
    "Message-ID: <own-1@lindqvist.example>",
    ...more,
    "",
    "Hello Eva,",
    "here it is.",
  );
const me = { userId: "me" } as const;

describe("sending", () => {
  test("stores the mail as sent with Google's Message-ID and records it", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const { data } = await gmail.users.messages.send({
        ...me,
        requestBody: { raw: mail("X-Bron-Effect: 17", "Bcc: hidden@outside.example") },
      });
      expect(data).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        threadId: data.id,
        labelIds: ["SENT"],
      });
      const listed = await gmail.users.messages.list({ ...me, q: "in:sent subject:offer" });
      expect(listed.data.messages).toEqual([{ id: data.id, threadId: data.id }]);

      const { payload, snippet } = (await gmail.users.messages.get({ ...me, id: data.id ?? "" }))
        .data;
      const header = (name: string) => payload?.headers?.find((one) => one.name === name)?.value;
      expect(snippet).toBe("Hello Eva, here it is.");
      expect([
        header("X-Bron-Effect"),
        header("Bcc"),
        header("Message-ID"),
        header("X-Google-Original-Message-ID"),
      ]).toEqual([
        "17",
        "hidden@outside.example",
        expect.stringContaining("@mail.gmail.example>"),
        "<own-1@lindqvist.example>",
      ]);

      const [sent] = simulator.record().sent;
      expect(sent).toMatchObject({
        by: "app",
        account: "mara@lindqvist.example",
        messageId: data.id,
        recipients: {
          to: ["eva@outside.example"],
          cc: [],
          bcc: ["hidden@outside.example"],
          envelope: ["eva@outside.example", "hidden@outside.example"],
          outside: ["eva@outside.example", "hidden@outside.example"],
        },
      });
      expect(Buffer.from(sent?.raw ?? "", "base64").toString("base64url")).toBe(
        mail("X-Bron-Effect: 17", "Bcc: hidden@outside.example"),
      );
    }));

  test("delivers to other mailboxes without Bcc, in one thread with the reply", () =>
    withSimulator({}, async (simulator) => {
      const [mara, jonas] = [
        await signIn(simulator),
        await signIn(simulator, { account: "jonas@lindqvist.example" }),
      ];
      const first = await mara.gmail.users.messages.send({
        ...me,
        requestBody: {
          raw: encode(
            "To: jonas@lindqvist.example",
            "Bcc: priya@lindqvist.example",
            "Subject: Plan B",
            "",
            "Please look.",
          ),
        },
      });
      const got = (
        await jonas.gmail.users.messages.list({
          ...me,
          q: "is:unread subject:(plan b) newer_than:1d",
        })
      ).data.messages?.[0];
      const inbox = (await jonas.gmail.users.messages.get({ ...me, id: got?.id ?? "" })).data;
      expect(inbox.labelIds).toEqual(expect.arrayContaining(["INBOX", "UNREAD"]));
      const header = (name: string) =>
        inbox.payload?.headers?.find((one) => one.name === name)?.value;
      expect([header("Bcc"), header("Delivered-To"), header("From")]).toEqual([
        undefined,
        "jonas@lindqvist.example",
        "Mara Lindqvist <mara@lindqvist.example>",
      ]);

      const reply = encode(
        "To: mara@lindqvist.example",
        "Subject: Re: Plan B",
        `In-Reply-To: ${header("Message-ID") ?? ""}`,
        `References: ${header("Message-ID") ?? ""}`,
        "",
        "Looks good.",
      );
      const answered = await jonas.gmail.users.messages.send({
        ...me,
        requestBody: { raw: reply, threadId: got?.threadId ?? "" },
      });
      expect(answered.data.threadId).toBe(got?.threadId);
      const thread = (await mara.gmail.users.threads.get({ ...me, id: first.data.threadId ?? "" }))
        .data;
      expect(thread.messages?.map(({ snippet }) => snippet)).toEqual([
        "Please look.",
        "Looks good.",
      ]);
    }));

  test("corrects a foreign sender, and keeps the Message-ID if configured", () =>
    withSimulator({}, async (simulator) => {
      simulator.control.changeSettings({ messageIds: "keep" });
      const { gmail } = await signIn(simulator);
      const { id } = (
        await gmail.users.messages.send({
          ...me,
          requestBody: {
            raw: encode(
              "From: Boss <boss@bank.example>",
              "To: eva@outside.example",
              "Subject: x",
              "Message-ID: <mine@x.example>",
              "",
              "y",
            ),
          },
        })
      ).data;
      const headers =
        (await gmail.users.messages.get({ ...me, id: id ?? "", format: "metadata" })).data.payload
          ?.headers ?? [];
      const header = (name: string) =>
        headers.filter((one) => one.name === name).map(({ value }) => value);
      expect([header("From"), header("X-Google-Original-From"), header("Message-ID")]).toEqual([
        ["Mara Lindqvist <mara@lindqvist.example>"],
        ["Boss <boss@bank.example>"],
        ["<mine@x.example>"],
      ]);
      expect(
        (await gmail.users.messages.list({ ...me, q: "rfc822msgid:mine@x.example" })).data.messages,
      ).toHaveLength(1);
    }));

  test("to oneself creates one message, sent and received", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const { data } = await gmail.users.messages.send({
        ...me,
        requestBody: { raw: encode("To: mara@lindqvist.example", "Subject: Note", "", "x") },
      });
      expect(data.labelIds).toEqual(["UNREAD", "SENT", "INBOX"]);
    }));

  test("joins a thread only with its subject and a reference; an unknown thread is 404", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const first = (await gmail.users.messages.send({ ...me, requestBody: { raw: mail() } })).data;
      const sentId = simulator.record().sent[0]?.rfc822MessageId ?? "";
      const send = async (subject: string, reference: string) =>
        (
          await gmail.users.messages.send({
            ...me,
            requestBody: {
              threadId: first.threadId ?? "",
              raw: encode(
                "To: eva@outside.example",
                `Subject: ${subject}`,
                `References: <${reference}>`,
                "",
                "x",
              ),
            },
          })
        ).data.threadId;
      expect(await send("Re: Offer", sentId)).toBe(first.threadId);
      expect(await send("AW: RE: offer", sentId)).toBe(first.threadId);
      expect(await send("Another", sentId)).not.toBe(first.threadId);
      expect(await send("Re: Offer", "nobody@x.example")).not.toBe(first.threadId);
      expect(
        (
          await failureOf(
            gmail.users.messages.send({
              ...me,
              requestBody: { raw: mail(), threadId: "00000000000000ff" },
            }),
          )
        ).response?.status,
      ).toBe(404);
    }));

  test.each([
    ["nobody to send to", encode("Subject: x", "", "y"), "Recipient address required"],
    [
      "an address that is none",
      encode("To: not an address", "Subject: x", "", "y"),
      "Invalid To header",
    ],
    [
      "no message",
      "",
      "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
    ],
    ["bytes that are not base64", "***", "Base64 decoding failed"],
  ])("refuses %s", (_name, raw, words) =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const refused = await failureOf(gmail.users.messages.send({ ...me, requestBody: { raw } }));
      expect(refused.response?.data.error).toMatchObject({
        code: 400,
        status: "INVALID_ARGUMENT",
        message: expect.stringContaining(words),
      });
      expect(simulator.record().sent).toEqual([]);
    }),
  );

  test("appears late in lists when Sent lags, but can be read", () => {
    let now = Date.now();
    return withSimulator({ now: () => new Date(now) }, async (simulator) => {
      simulator.control.changeSettings({ sentLagMs: 5_000 });
      const { gmail } = await signIn(simulator);
      const { id } = (await gmail.users.messages.send({ ...me, requestBody: { raw: mail() } }))
        .data;
      const find = async () =>
        (await gmail.users.messages.list({ ...me, q: "in:sent subject:offer" })).data
          .resultSizeEstimate;
      expect(await find()).toBe(0);
      expect((await gmail.users.messages.get({ ...me, id: id ?? "" })).data.id).toBe(id);
      now += 5_001;
      expect(await find()).toBe(1);
    });
  });
});

describe("drafts", () => {
  test("are created, read, updated, listed and sent once", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const made = (
        await gmail.users.drafts.create({ ...me, requestBody: { message: { raw: mail() } } })
      ).data;
      expect(made.message?.labelIds).toEqual(["DRAFT"]);
      const changed = (
        await gmail.users.drafts.update({
          ...me,
          id: made.id ?? "",
          requestBody: { message: { raw: mail("X-Version: 2") } },
        })
      ).data;
      expect([changed.id, changed.message?.threadId]).toEqual([made.id, made.message?.threadId]);
      expect(changed.message?.id).not.toBe(made.message?.id);
      expect(
        decodeData(
          (await gmail.users.drafts.get({ ...me, id: made.id ?? "", format: "raw" })).data.message
            ?.raw,
        ),
      ).toContain("X-Version: 2");
      expect(
        (await gmail.users.drafts.list({ ...me, q: "subject:offer" })).data.drafts?.map(
          ({ id }) => id,
        ),
      ).toEqual([made.id]);

      const sent = (await gmail.users.drafts.send({ ...me, requestBody: { id: made.id ?? "" } }))
        .data;
      expect(sent).toMatchObject({ labelIds: ["SENT"], threadId: made.message?.threadId });
      expect(
        (await failureOf(gmail.users.drafts.send({ ...me, requestBody: { id: made.id ?? "" } })))
          .response?.status,
      ).toBe(404);
      expect(
        (await failureOf(gmail.users.messages.get({ ...me, id: changed.message?.id ?? "" })))
          .response?.status,
      ).toBe(404);
      expect(simulator.record().sent).toMatchObject([{ draftId: made.id, messageId: sent.id }]);
    }));

  test("are sent with the content of the call, if any", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const { id } = (
        await gmail.users.drafts.create({ ...me, requestBody: { message: { raw: mail() } } })
      ).data;
      await gmail.users.drafts.send({
        ...me,
        requestBody: {
          id: id ?? "",
          message: { raw: encode("To: other@outside.example", "Subject: Replaced", "", "x") },
        },
      });
      expect(simulator.record().sent).toMatchObject([
        { subject: "Replaced", recipients: { envelope: ["other@outside.example"] } },
      ]);
    }));

  test("that reply join the thread, and so do the sent messages", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const question = (
        await gmail.users.messages.list({ ...me, q: "from:velo-nord.example subject:bestellung" })
      ).data.messages?.[0];
      const header =
        (
          await gmail.users.messages.get({
            ...me,
            id: question?.id ?? "",
            format: "metadata",
            metadataHeaders: ["Message-ID", "Subject"],
          })
        ).data.payload?.headers ?? [];
      const value = (name: string) => header.find((one) => one.name === name)?.value ?? "";
      const raw = encode(
        "To: a.schroeder@velo-nord.example",
        `Subject: AW: ${value("Subject").replace(/^AW: /, "")}`,
        `In-Reply-To: ${value("Message-ID")}`,
        `References: ${value("Message-ID")}`,
        "",
        "Danke",
      );
      const draft = (
        await gmail.users.drafts.create({
          ...me,
          requestBody: { message: { raw, threadId: question?.threadId ?? "" } },
        })
      ).data;
      expect(draft.message?.threadId).toBe(question?.threadId);
      const sent = (await gmail.users.drafts.send({ ...me, requestBody: { id: draft.id ?? "" } }))
        .data;
      expect(sent.threadId).toBe(question?.threadId);
      const { messages } = (
        await gmail.users.threads.get({ ...me, id: question?.threadId ?? "", format: "minimal" })
      ).data;
      expect(messages?.at(-1)?.id).toBe(sent.id);
      expect(messages?.some(({ labelIds }) => labelIds?.includes("DRAFT"))).toBe(false);
    }));

  test("send one mail for two concurrent sends", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const { id } = (
        await gmail.users.drafts.create({ ...me, requestBody: { message: { raw: mail() } } })
      ).data;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () =>
          gmail.users.drafts.send({ ...me, requestBody: { id: id ?? "" } }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(simulator.record().sent).toHaveLength(1);
    }));

  test("can be deleted", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const { id } = (
        await gmail.users.drafts.create({ ...me, requestBody: { message: { raw: mail() } } })
      ).data;
      expect((await gmail.users.drafts.delete({ ...me, id: id ?? "" })).status).toBe(204);
      expect(
        (await failureOf(gmail.users.drafts.get({ ...me, id: id ?? "" }))).response?.status,
      ).toBe(404);
    }));

  test("are changed, deleted and sent by the owner too", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const create = async () => ({
        account: "mara@lindqvist.example",
        draftId:
          (await gmail.users.drafts.create({ ...me, requestBody: { message: { raw: mail() } } }))
            .data.id ?? "",
      });
      const [edited, deleted, sent] = [await create(), await create(), await create()];
      await simulator.control.editDraft(edited, {
        from: "mara@lindqvist.example",
        to: "eva@outside.example",
        subject: "Offer, better",
        text: "y",
      });
      simulator.control.deleteDraft(deleted);
      await simulator.control.sendDraft(sent);
      expect((await gmail.users.drafts.list(me)).data.drafts?.map(({ id }) => id)).toEqual([
        edited.draftId,
      ]);
      expect(await simulator.control.drafts("mara@lindqvist.example")).toMatchObject([
        { draftId: edited.draftId, subject: "Offer, better" },
      ]);
      expect(simulator.record().sent).toMatchObject([{ by: "owner", draftId: sent.draftId }]);
    }));
});

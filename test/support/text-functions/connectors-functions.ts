import * as addresses from "../../../packages/connectors/src/addresses.ts";
import * as eventFacts from "../../../packages/connectors/src/calendar/event-facts.ts";
import * as eventTime from "../../../packages/connectors/src/calendar/event-time.ts";
import * as eventView from "../../../packages/connectors/src/calendar/event-view.ts";
import * as recurrence from "../../../packages/connectors/src/calendar/recurrence.ts";
import * as ruleParts from "../../../packages/connectors/src/calendar/rule-parts.ts";
import * as ruleUntil from "../../../packages/connectors/src/calendar/rule-until.ts";
import * as ruleWords from "../../../packages/connectors/src/calendar/rule-words.ts";
import * as seriesLines from "../../../packages/connectors/src/calendar/series-lines.ts";
import * as htmlToTextModule from "../../../packages/connectors/src/gmail/html-to-text.ts";
import * as mailFacts from "../../../packages/connectors/src/gmail/mail-facts.ts";
import * as parseMime from "../../../packages/connectors/src/gmail/parse-mime.ts";
import * as preparedDraft from "../../../packages/connectors/src/gmail/prepared-draft.ts";
import * as preparedMail from "../../../packages/connectors/src/gmail/prepared-mail.ts";
import * as readMail from "../../../packages/connectors/src/gmail/read-mail.ts";
import * as searchReason from "../../../packages/connectors/src/gmail/search-reason.ts";
import * as oneLine from "../../../packages/connectors/src/one-line.ts";
import * as messageText from "../../../packages/connectors/src/slack/message-text.ts";
import * as broadcasts from "../../../packages/connectors/src/slack/post/broadcasts.ts";
import * as plainForms from "../../../packages/connectors/src/slack/post/plain-form.ts";
import * as slackTime from "../../../packages/connectors/src/slack/slack-time.ts";
import * as writtenText from "../../../packages/connectors/src/slack/written-text.ts";
import * as allowedAddress from "../../../packages/connectors/src/web/allowed-address.ts";
import * as checkUrl from "../../../packages/connectors/src/web/check-url.ts";
import * as redirectTarget from "../../../packages/connectors/src/web/redirect-target.ts";
import { context } from "./samples.ts";
import type { TextModule } from "./text-module.ts";

const start = { dateTime: "2026-11-16T09:00:00+01:00", timeZone: "Europe/Berlin" };
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const mailOf = (text: string) => ({
  account: "me@x.example",
  from: "me@x.example",
  replyTo: [],
  to: ["eva@x.example"],
  cc: [],
  bcc: [],
  subject: "s",
  bodyText: text,
  attachments: [],
  threadId: "",
  mark: "m",
  messageId: "i",
  raw: "",
  known: [],
  warnings: [],
});
const rawHtml = (text: string) =>
  base64url(
    `From: me@x.example\r\nTo: eva@x.example\r\nSubject: s\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${text}`,
  );

export const connectorsFunctions: Readonly<Record<string, TextModule>> = {
  "connectors/addresses": {
    exports: addresses,
    share: 1 / 2,
    kinds: ["lines"],
    runs: {
      parseAddress: addresses.parseAddress,
      isAddress: addresses.isAddress,
      formatAddress: (text) => addresses.formatAddress({ name: text, address: text }),
    },
  },
  "connectors/event-facts": {
    exports: eventFacts,
    share: 1 / 32,
    kinds: ["names"],
    runs: {
      eventFacts: (text) =>
        eventFacts.eventFacts({
          account: "",
          calendarId: "primary",
          guests: [text],
          known: [],
          event: { summary: text, description: text, location: text },
        }),
    },
    without: ["updateFacts"],
  },
  "connectors/event-time": {
    exports: eventTime,
    share: 1 / 8,
    runs: {
      readTime: (text) => eventTime.readTime("start", text, "UTC"),
      checkZone: eventTime.checkZone,
      isZone: eventTime.isZone,
    },
    without: [
      "isPlausibleYear",
      "after",
      "minutesBetween",
      "isSameTime",
      "dayAfter",
      "dayBefore",
      "dayBounds",
      "dayIn",
      "addDays",
    ],
  },
  "connectors/event-view": {
    exports: eventView,
    runs: {
      toEventView: (text) =>
        eventView.toEventView({
          id: text,
          summary: text,
          description: text,
          location: text,
          recurrence: [text],
          attendees: [{ email: text, displayName: text }],
        }),
      timeOf: (text) => eventView.timeOf({ dateTime: text, timeZone: text }, "UTC"),
    },
  },
  "connectors/recurrence": {
    exports: recurrence,
    runs: { readRule: (text) => recurrence.readRule(`RRULE:FREQ=DAILY;COUNT=${text}`, start) },
  },
  "connectors/rule-parts": {
    exports: ruleParts,
    share: 1 / 4,
    runs: {
      partsOf: (text) => ruleParts.partsOf(`RRULE:FREQ=WEEKLY;BYDAY=${text}`),
      parseRule: (text) =>
        ruleParts.parseRule(`RRULE:FREQ=WEEKLY;BYDAY=MO${",MO".repeat(text.length / 3)}`),
    },
  },
  "connectors/rule-until": {
    exports: ruleUntil,
    runs: { readUntil: (text) => ruleUntil.readUntil(text, start) },
    without: ["writeUntil"],
  },
  "connectors/rule-words": {
    exports: ruleWords,
    share: 1 / 8,
    runs: {
      ruleInWords: (text) =>
        ruleWords.ruleInWords(`RRULE:FREQ=WEEKLY;BYDAY=MO${",MO".repeat(text.length / 3)}`, start),
    },
  },
  "connectors/series-lines": {
    exports: seriesLines,
    share: 1 / 8,
    runs: {
      readSeries: (text) =>
        seriesLines.readSeries(
          [text, `EXDATE;TZID=${text}:20261116T090000`, `EXDATE${";a=b".repeat(text.length / 4)}`],
          start,
        ),
      "readSeries (lines)": (text) =>
        seriesLines.readSeries(
          Array.from({ length: text.length / 16 }, (_, index) => `RRULE:COUNT=${index}`),
          start,
        ),
    },
    without: ["writeSeries"],
  },
  "connectors/html-to-text": {
    exports: htmlToTextModule,
    kinds: ["html"],
    runs: {
      htmlToText: (text) => htmlToTextModule.htmlToText(text),
      "htmlToText (cut)": (text) => htmlToTextModule.htmlToText(text, { isCut: true }),
    },
  },
  "connectors/mail-facts": {
    exports: mailFacts,
    share: 1 / 16,
    kinds: ["names"],
    runs: { mailFacts: (text) => mailFacts.mailFacts(mailOf(text)) },
    without: ["draftFacts", "withKnownPeople"],
  },
  "connectors/parse-mime": {
    exports: parseMime,
    share: 1 / 32,
    kinds: ["lines"],
    runs: {
      parseMime: (text) =>
        parseMime.parseMime(
          Buffer.from(
            `To: ${text.replaceAll("\n", " ")}\r\nSubject: ${text.replaceAll("\n", " ")}\r\n\r\n${text}`,
          ),
        ),
    },
  },
  "connectors/prepared-draft": {
    exports: preparedDraft,
    share: 1 / 32,
    kinds: ["html"],
    runs: {
      readPreparedDraft: (text) =>
        preparedDraft.readPreparedDraft(
          { raw: rawHtml(`${text}<a href="${text.slice(0, 100)}">`), threadId: "" },
          "me@x.example",
        ),
      threadOfDraft: (text) =>
        preparedDraft.threadOfDraft({
          raw: base64url(`References: ${text}\r\n\r\nx`),
          threadId: "",
        }),
      readDraftHeaders: (text) =>
        preparedDraft.readDraftHeaders({ raw: base64url(`To: ${text}\r\n\r\nx`) }),
      bodyOf: (text) => preparedDraft.bodyOf({ html: text }, "too long"),
    },
    without: ["listed"],
  },
  "connectors/prepared-mail": {
    exports: preparedMail,
    share: 1 / 8,
    kinds: ["lines"],
    runs: {
      previewOf: (text) => preparedMail.previewOf(mailOf(text)),
      prepareMail: (text) =>
        preparedMail.prepareMail(
          { to: ["eva@x.example"], cc: [], bcc: [], subject: "s", bodyText: text, attachments: [] },
          { account: "me@x.example" },
          context,
          new Date(0),
        ),
    },
  },
  "connectors/read-mail": {
    exports: readMail,
    share: 1 / 2,
    kinds: ["html"],
    runs: {
      toMailView: (text) =>
        readMail.toMailView({
          id: "1",
          payload: {
            mimeType: "text/html",
            headers: [{ name: "From", value: text }],
            body: { data: base64url(text) },
          },
        }),
      "toMailView (plain)": (text) =>
        readMail.toMailView({
          id: "1",
          payload: { mimeType: "text/plain", body: { data: base64url(text) } },
        }),
      "toMailView (parts)": (text) =>
        readMail.toMailView({
          id: "1",
          payload: {
            mimeType: "multipart/mixed",
            parts: Array.from({ length: text.length / 512 }, () => ({
              mimeType: "text/html",
              body: { data: base64url(text.slice(0, 512)) },
            })),
          },
        }),
      headerOf: (text) =>
        readMail.headerOf({ payload: { headers: [{ name: text, value: text }] } }, "From"),
      attachmentsOf: (text) =>
        readMail.attachmentsOf({ filename: text, mimeType: text, body: { attachmentId: text } }),
    },
    without: ["isByHand", "dateOf"],
  },
  "connectors/search-reason": {
    exports: searchReason,
    kinds: ["lines"],
    runs: { reasonFor: (text) => searchReason.reasonFor(text, [text]) },
  },
  "connectors/one-line": {
    exports: oneLine,
    share: 1 / 4,
    kinds: ["lines"],
    runs: {
      checkOneLine: (text) => oneLine.checkOneLine("It", text),
      checkText: (text) => oneLine.checkText("It", text),
      isEncodedWord: oneLine.isEncodedWord,
    },
  },
  "connectors/slack/broadcasts": {
    exports: broadcasts,
    runs: { broadcastsIn: broadcasts.broadcastsIn },
  },
  "connectors/slack/plain-form": {
    exports: plainForms,
    runs: { plainForm: plainForms.plainForm },
  },
  "connectors/message-text": {
    exports: messageText,
    kinds: ["lines"],
    runs: {
      readableText: (text) =>
        messageText.readableText(text, { user: (id) => id, channel: (id) => id }),
      mentionedUsers: messageText.mentionedUsers,
    },
  },
  "connectors/slack-time": {
    exports: slackTime,
    runs: { slackTime: (text) => slackTime.slackTime("since", text) },
  },
  "connectors/written-text": {
    exports: writtenText,
    share: 1 / 4,
    kinds: ["lines"],
    runs: {
      writtenText: (text) =>
        writtenText.writtenText({
          text,
          blocks: [
            { type: "section", text: { type: "mrkdwn", text } },
            { type: "text", text },
          ],
          attachments: [{ text, fields: [{ title: text, value: text }] }],
        }),
      "writtenText (nested)": (text) =>
        writtenText.writtenText({
          blocks: [
            Array.from({ length: 100 }).reduce<object>(
              (inner) => ({ type: "section", elements: [inner] }),
              { type: "text", text },
            ),
          ],
        }),
    },
  },
  "connectors/allowed-address": {
    exports: allowedAddress,
    kinds: ["names"],
    runs: { isPublicAddress: allowedAddress.isPublicAddress },
  },
  "connectors/check-url": {
    exports: checkUrl,
    kinds: ["names"],
    runs: { checkUrl: (text) => checkUrl.checkUrl(`https://${text}`) },
    without: ["notPublic"],
  },
  "connectors/redirect-target": {
    exports: redirectTarget,
    share: 1 / 4,
    kinds: ["names"],
    runs: {
      redirectTarget: (text) =>
        redirectTarget.redirectTarget(new URL("https://a.example"), text, {}),
    },
  },
};

import { z } from "zod";
import type { TextKind } from "./hostile-texts.ts";
import type { JsonValue, RunEvent } from "@bron/protocol";
import * as addressing from "../../packages/protocol/src/address-owner.ts";
import * as visibility from "../../packages/protocol/src/visible.ts";
import * as errors from "../../packages/core/src/errors.ts";
import * as auditEntries from "../../packages/core/src/audit/audit-entries.ts";
import * as attachedFiles from "../../packages/core/src/context/attached-files.ts";
import * as cleanText from "../../packages/core/src/context/clean-text.ts";
import * as cutText from "../../packages/core/src/context/cut-text.ts";
import * as modelMessages from "../../packages/core/src/context/model-messages.ts";
import * as systemInstruction from "../../packages/core/src/context/system-instruction.ts";
import * as collectMessage from "../../packages/core/src/model/collect-message.ts";
import * as canonicalJson from "../../packages/core/src/policy/canonical-json.ts";
import * as effectFacts from "../../packages/core/src/policy/effect-facts.ts";
import * as findNames from "../../packages/core/src/policy/find-names.ts";
import * as judging from "../../packages/core/src/policy/judge.ts";
import * as linkedHosts from "../../packages/core/src/policy/linked-hosts.ts";
import * as lookAlikes from "../../packages/core/src/policy/look-alike.ts";
import * as namedByOwner from "../../packages/core/src/policy/named-by-owner.ts";
import * as names from "../../packages/core/src/policy/names.ts";
import * as normalizing from "../../packages/core/src/policy/normalize-text.ts";
import * as quotations from "../../packages/core/src/policy/quotations.ts";
import * as rules from "../../packages/core/src/policy/rules.ts";
import * as runLabels from "../../packages/core/src/policy/run-labels.ts";
import * as textReadings from "../../packages/core/src/policy/text-readings.ts";
import * as typedWords from "../../packages/core/src/policy/typed-words.ts";
import * as cardLines from "../../packages/core/src/run/card-line.ts";
import * as earlierResults from "../../packages/core/src/run/earlier-results.ts";
import * as editEffect from "../../packages/core/src/tool/edit-effect.ts";
import * as nearestNames from "../../packages/core/src/tool/nearest-names.ts";
import * as outputPreview from "../../packages/core/src/tool/output-preview.ts";
import * as runTool from "../../packages/core/src/tool/run-tool.ts";
import * as validateCall from "../../packages/core/src/tool/validate-call.ts";
import { defineTool } from "../../packages/core/src/tool/define-tool.ts";
import * as addresses from "../../packages/connectors/src/addresses.ts";
import * as eventFacts from "../../packages/connectors/src/calendar/event-facts.ts";
import * as eventTime from "../../packages/connectors/src/calendar/event-time.ts";
import * as eventView from "../../packages/connectors/src/calendar/event-view.ts";
import * as recurrence from "../../packages/connectors/src/calendar/recurrence.ts";
import * as ruleParts from "../../packages/connectors/src/calendar/rule-parts.ts";
import * as ruleUntil from "../../packages/connectors/src/calendar/rule-until.ts";
import * as ruleWords from "../../packages/connectors/src/calendar/rule-words.ts";
import * as seriesLines from "../../packages/connectors/src/calendar/series-lines.ts";
import * as htmlToTextModule from "../../packages/connectors/src/gmail/html-to-text.ts";
import * as mailFacts from "../../packages/connectors/src/gmail/mail-facts.ts";
import * as parseMime from "../../packages/connectors/src/gmail/parse-mime.ts";
import * as preparedDraft from "../../packages/connectors/src/gmail/prepared-draft.ts";
import * as preparedMail from "../../packages/connectors/src/gmail/prepared-mail.ts";
import * as readMail from "../../packages/connectors/src/gmail/read-mail.ts";
import * as searchReason from "../../packages/connectors/src/gmail/search-reason.ts";
import * as oneLine from "../../packages/connectors/src/one-line.ts";
import * as messageText from "../../packages/connectors/src/slack/message-text.ts";
import * as slackTime from "../../packages/connectors/src/slack/slack-time.ts";
import * as writtenText from "../../packages/connectors/src/slack/written-text.ts";
import * as allowedAddress from "../../packages/connectors/src/web/allowed-address.ts";
import * as checkUrl from "../../packages/connectors/src/web/check-url.ts";
import * as redirectTarget from "../../packages/connectors/src/web/redirect-target.ts";
import * as amounts from "../../packages/documents/src/fields/amounts.ts";
import * as checkFields from "../../packages/documents/src/fields/check-fields.ts";
import * as dates from "../../packages/documents/src/fields/dates.ts";
import * as findStandalone from "../../packages/documents/src/fields/find-standalone.ts";
import * as foldText from "../../packages/documents/src/fields/normalize.ts";
import * as passages from "../../packages/documents/src/fields/passages.ts";
import * as splitLine from "../../packages/documents/src/fields/split-line.ts";
import type { ParsedDocument } from "../../packages/documents/src/parsed-document.ts";
import * as forModel from "../../packages/documents/src/tools/for-model.ts";
import * as fullText from "../../packages/documents/src/full-text.ts";
import * as parseSettings from "../../packages/settings/src/parse-settings.ts";
import * as secrets from "../../packages/settings/src/secrets.ts";
import * as setSetting from "../../packages/settings/src/set-setting.ts";
import * as frameParser from "../../packages/client/src/frame-parser.ts";
import * as readLines from "../../packages/client/src/read-lines.ts";
import * as agentLines from "../../packages/runtime/src/agent/agent-lines.ts";
import * as entryNames from "../../apps/server/src/export/entry-names.ts";
import * as pages from "../../apps/server/src/pages.ts";
import * as projection from "../../packages/runtime/src/services/public-views.ts";
import * as refuseNul from "../../apps/server/src/refuse-nul.ts";
import * as simulatorText from "../../packages/simulator/src/google/mime/message-text.ts";
import * as simulatorMime from "../../packages/simulator/src/google/mime/parse-mime.ts";

type Run = (text: string) => unknown;

interface TextModule {
  readonly exports: object;
  /**
   * By function name. A value in brackets after the name marks another way to call the function.
   */
  readonly runs: Readonly<Record<string, Run>>;
  /** Functions that receive no untrusted text, or only text whose length is limited before. */
  readonly without?: readonly string[];
  /** Texts in addition to those that every function gets. */
  readonly kinds?: readonly TextKind[];
  /** Needs much time for each character, so that a part of the text is enough. */
  readonly share?: number;
}

const start = { dateTime: "2026-11-16T09:00:00+01:00", timeZone: "Europe/Berlin" };
const label = { origin: "mail" as const, trusted: false, private: true, readers: [] };
const result = (text: string) => ({ tool: "t", actionId: "a", label, value: { text } });
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
const documentOf = (text: string): ParsedDocument => ({
  kind: "text",
  text,
  pages: [],
  tables: [],
  warnings: [],
  truncated: false,
});
const nested = (text: string): JsonValue =>
  Array.from({ length: 150 }).reduce<JsonValue>(
    (inner) => [inner],
    text.split("").slice(0, text.length / 8),
  );
const event = (payload: object): RunEvent =>
  ({ runId: "r", seq: 1, createdAt: "2026-11-16T09:00:00Z", ...payload }) as RunEvent;
const toolEnd = (text: string) => ({
  phase: "end" as const,
  actionId: "a",
  name: "t",
  outcome: "completed" as const,
  output: { text },
  label,
});
const echo = defineTool({
  name: "echo",
  description: "",
  input: z.object({ text: z.string() }),
  execute: ({ text }) => ({ text }),
});
const effect = defineTool({
  name: "effect",
  description: "",
  input: z.object({ text: z.string() }),
  sideEffect: true,
  execute: () => null,
});
const clock = {
  now: () => 0,
  monotonic: () => 0,
  random: () => 0,
  sleep: () => new Promise<void>(() => undefined),
};
const limits = { clock, timeoutMs: 1_000 };
const context = {
  runId: "r",
  ownerId: "o",
  actionId: "a",
  bronId: "bron",
  labels: () => Promise.resolve(runLabels.noLabels),
  effectId: "e",
  attempt: 1,
  maxAttachmentBytes: 1,
  signal: new AbortController().signal,
  log: () => undefined,
  showCard: () => undefined,
  saveArtifact: () => Promise.resolve({ artifactId: "a", digest: "d" }),
  readArtifact: () => Promise.resolve(undefined),
  readOutput: () => Promise.resolve(undefined),
  reportProgress: () => undefined,
  requireApproval: () => Promise.resolve(),
  evidence: undefined,
  keepEvidence: () => Promise.resolve(),
};

/** A function that rejects a text has read it too, so the error is ignored. */
function tolerant(run: Run): Run {
  return async (text) => {
    try {
      await run(text);
    } catch {
      return undefined;
    }
  };
}

const judged = (text: string): judging.JudgeInput => ({
  tool: "effect",
  seenBy: "others",
  facts: effectFacts.guessFacts({ text }),
  labels: runLabels.withResult(
    runLabels.withOwnerWords(runLabels.noLabels, text.slice(0, 100_000)),
    result(text),
  ),
  rules: { ...rules.defaultRules },
});

const modules: Readonly<Record<string, TextModule>> = {
  "protocol/address-owner": {
    exports: addressing,
    runs: { addressOwner: addressing.addressOwner },
  },
  "protocol/visible": {
    exports: visibility,
    share: 1 / 4,
    kinds: ["lines"],
    runs: {
      hasHidden: visibility.hasHidden,
      spellOut: visibility.spellOut,
      visible: visibility.visible,
    },
  },
  "core/audit-entries": {
    exports: auditEntries,
    runs: {
      auditEntries: (text) =>
        auditEntries.auditEntries([
          {
            type: "effect",
            payload: {
              effectId: "e",
              actionId: "a",
              tool: "t",
              state: "proposed",
              digest: "d",
              prepared: { to: [text], subject: text },
            },
          },
        ]),
    },
  },
  "core/attached-files": {
    exports: attachedFiles,
    share: 1 / 8,
    runs: {
      attachedFilesNote: (text) =>
        attachedFiles.attachedFilesNote([
          { name: text, mediaType: text, sizeBytes: 1, digest: text },
        ]),
    },
  },
  "core/clean-text": {
    exports: cleanText,
    share: 1 / 4,
    kinds: ["lines"],
    runs: {
      cleanText: cleanText.cleanText,
      cleanJson: (text) => cleanText.cleanJson({ text }),
      cleanJsonText: (text) => cleanText.cleanJsonText(JSON.stringify(text)),
    },
  },
  "core/model-messages": {
    exports: modelMessages,
    share: 1 / 8,
    runs: {
      userMessage: modelMessages.userMessage,
      byteLength: modelMessages.byteLength,
      toolResultPart: (text) => modelMessages.toolResultPart("c", toolEnd(text), new Map()),
      assistantMessage: (text) =>
        modelMessages.assistantMessage([{ type: "text", text }], [], new Map()),
      inCallOrder: (text) => modelMessages.inCallOrder([modelMessages.userMessage(text)]),
      withOrderedResults: (text) =>
        modelMessages.withOrderedResults(modelMessages.userMessage(text), undefined),
    },
  },
  "core/system-instruction": {
    exports: systemInstruction,
    share: 1 / 8,
    runs: {
      systemInstruction: (text) =>
        systemInstruction.systemInstruction({
          profile: { persona: text, aboutUser: text },
          attached: [],
          now: 0,
        }),
    },
  },
  "core/collect-message": {
    exports: collectMessage,
    share: 1 / 8,
    runs: {
      collectMessage(text) {
        const collector = collectMessage.collectMessage(() => undefined);
        for (let at = 0; at < text.length; at += 64)
          collector.take({ type: "text-delta", id: "1", delta: text.slice(at, at + 64) });
        collector.take({ type: "tool-call", toolCallId: "c", toolName: "t", input: text });
        return collector.message();
      },
    },
  },
  "core/canonical-json": {
    exports: canonicalJson,
    share: 1 / 8,
    runs: { canonicalJson: (text) => canonicalJson.canonicalJson({ text, nested: nested(text) }) },
  },
  "core/effect-facts": {
    exports: effectFacts,
    share: 1 / 16,
    kinds: ["names"],
    runs: { guessFacts: (text) => effectFacts.guessFacts({ text }) },
  },
  "core/find-names": {
    exports: findNames,
    kinds: ["names"],
    runs: {
      findAddresses: findNames.findAddresses,
      findHost: findNames.findHost,
    },
  },
  "core/judge": {
    exports: judging,
    share: 1 / 32,
    kinds: ["names"],
    runs: {
      judge: (text) => judging.judge(judged(text)),
      judgeRead: (text) => judging.judgeRead(text, rules.defaultRules),
    },
    without: ["askUsedBy"],
  },
  "core/linked-hosts": {
    exports: linkedHosts,
    share: 1 / 2,
    kinds: ["names"],
    runs: {
      linkedHosts: linkedHosts.linkedHosts,
      hostsOfLinks: linkedHosts.hostsOfLinks,
      bareHosts: linkedHosts.bareHosts,
      endsLikeFile: linkedHosts.endsLikeFile,
    },
    without: ["hostsIn"],
  },
  "core/look-alike": {
    exports: lookAlikes,
    share: 1 / 16,
    kinds: ["names"],
    runs: {
      lookAlike: (text) => lookAlikes.lookAlike(`a@${text}`, ["lindqvist.example"]),
      "lookAlike (punycode)": (text) =>
        lookAlikes.lookAlike(`a@xn--a-${text}`, ["lindqvist.example"]),
    },
  },
  "core/named-by-owner": {
    exports: namedByOwner,
    share: 1 / 32,
    kinds: ["names"],
    runs: {
      readOwnerWords: namedByOwner.readOwnerWords,
      "readOwnerWords (file)": (text) =>
        namedByOwner
          .readOwnerWords(text)
          .hasFile(`${text.slice(0, text.length / 4)}b${text.slice(0, text.length / 4)}.pdf`),
      "readOwnerWords (name)": (text) =>
        namedByOwner
          .readOwnerWords(text)
          .callsByName({ address: `${text}@x.example`, role: "to", known: { names: [text] } }),
    },
  },
  "core/names": {
    exports: names,
    share: 1 / 2,
    kinds: ["names"],
    runs: {
      withoutUnseen: names.withoutUnseen,
      normalizeAddress: names.normalizeAddress,
      normalizeHost: names.normalizeHost,
      domainOf: names.domainOf,
      addressesIn: names.addressesIn,
      isPlainHost: names.isPlainHost,
      textsIn: (text) => names.textsIn(nested(text)),
    },
  },
  "core/text-readings": {
    exports: textReadings,
    share: 1 / 2,
    kinds: ["names"],
    runs: { readingsOf: textReadings.readingsOf },
  },
  "core/quotations": {
    exports: quotations,
    kinds: ["lines"],
    runs: { withoutQuotations: quotations.withoutQuotations },
    without: ["quotationsIn"],
  },
  "core/typed-words": {
    exports: typedWords,
    kinds: ["lines"],
    runs: { typedWords: typedWords.typedWords },
  },
  "core/normalize-text": {
    exports: normalizing,
    kinds: ["lines"],
    runs: {
      normalizeText: (text) => normalizing.normalizeText(text, "NFKC"),
      "normalizeText (NFC)": (text) => normalizing.normalizeText(text, "NFC"),
      "normalizeText (NFKD)": (text) => normalizing.normalizeText(text, "NFKD"),
    },
  },
  "core/rules": {
    exports: rules,
    share: 1 / 4,
    kinds: ["names"],
    runs: { parseTrustedContact: rules.parseTrustedContact },
    without: ["ruleFor", "isTrusted", "grantFor"],
  },
  "core/run-labels": {
    exports: runLabels,
    share: 1 / 4,
    kinds: ["names"],
    runs: {
      keyOf: (text) => runLabels.keyOf("address", text),
      withOwnerWords: (text) => runLabels.withOwnerWords(runLabels.noLabels, text),
      withResult: (text) => runLabels.withResult(runLabels.noLabels, result(text)),
      withContext: (text) => runLabels.withContext(runLabels.noLabels, "attached", { text }),
      withAttached: (text) =>
        runLabels.withAttached(runLabels.noLabels, { filename: text, digest: "d" }),
      mergeLabels: (text) =>
        runLabels.mergeLabels(
          runLabels.withOwnerWords(runLabels.noLabels, text),
          runLabels.noLabels,
        ),
    },
  },
  "core/cut-text": {
    exports: cutText,
    runs: {
      boundaryBefore: (text) => cutText.boundaryBefore(text, text.length / 2),
      boundaryAfter: (text) => cutText.boundaryAfter(text, text.length / 2),
    },
  },
  "core/output-preview": {
    exports: outputPreview,
    runs: {
      splitOutput: outputPreview.splitOutput,
      previewOutput: (text) => outputPreview.previewOutput(text, "id"),
    },
  },
  "core/card-line": {
    exports: cardLines,
    runs: {
      cardLine: (text) =>
        cardLines.cardLine({ kind: "ReconnectCard", payload: { provider: text, reason: text } }),
      approvalLine: (text) => cardLines.approvalLine({ tool: "post_note", preview: text }),
    },
  },
  "core/earlier-results": {
    exports: earlierResults,
    runs: {
      earlierResults: (text) =>
        earlierResults.earlierResults(
          [{ runId: "r", events: [{ type: "tool", payload: toolEnd(text) }] }],
          new Set(),
        ),
      reusedOutput: (text) => earlierResults.reusedOutput(effect, text),
    },
  },
  "core/edit-effect": {
    exports: editEffect,
    share: 1 / 16,
    kinds: ["names"],
    runs: {
      typedWords: (text) => editEffect.typedWords({ text }, { text: `${text} b` }),
      diffFields: (text) => editEffect.diffFields({ text }, { text: [text] }),
    },
    without: ["editEffect"],
  },
  "settings/parse-settings": {
    exports: parseSettings,
    runs: {
      parseSettings: (text) =>
        parseSettings.parseSettings(new TextEncoder().encode(text), { file: "s", place: "home" }),
      "parseSettings (a comment)": (text) =>
        parseSettings.parseSettings(new TextEncoder().encode(`{ /*${text}*/ }`), {
          file: "s",
          place: "home",
        }),
      "parseSettings (a value)": (text) =>
        parseSettings.parseSettings(
          new TextEncoder().encode(JSON.stringify({ model: text, [text]: text })),
          { file: "s", place: "folder" },
        ),
    },
  },
  "settings/secrets": {
    exports: secrets,
    runs: {
      secretNameAdvice: (text) => secrets.secretNameAdvice(text),
      isSecretValue: (text) => secrets.isSecretValue(text),
    },
  },
  "settings/set-setting": {
    exports: setSetting,
    runs: {
      setSetting: (text) => setSetting.setSetting(`{ "model": "x" ${text} }`, "undoSeconds", 5),
    },
    without: ["findSetting", "parseSettingValue"],
  },
  "core/nearest-names": {
    exports: nearestNames,
    runs: {
      nearestNames: (text) => nearestNames.nearestNames(text, ["gmail_send", text.slice(0, 100)]),
    },
  },
  "core/run-tool": {
    exports: runTool,
    share: 1 / 8,
    runs: {
      runReadTool: (text) => runTool.runReadTool(echo, { text }, context, limits),
      "runReadTool (nested)": (text) =>
        runTool.runReadTool(
          { ...echo, execute: () => Promise.resolve(nested(text)) },
          {},
          context,
          limits,
        ),
      uncheckedError: (text) => runTool.uncheckedError(new errors.BronError("internal", text)),
      checkApproval: (text) =>
        runTool.checkApproval(
          { ...context, requireApproval: () => Promise.reject(new Error(text)) },
          limits,
        ),
      attemptEffect: (text) => runTool.attemptEffect(echo, { text }, context, limits),
      prepareForm: (text) =>
        runTool.prepareForm(
          () => Promise.resolve({ prepared: { text }, preview: text }),
          context,
          limits,
        ),
      prepareEffect: (text) =>
        runTool.prepareEffect(effect, { text }, context, {
          ...limits,
          judge: () => Promise.resolve({ verdict: "ask", reasons: [], risks: [] }),
        }),
      proposeEffect: (text) =>
        runTool.proposeEffect(effect, { prepared: { text }, preview: text }, context, () =>
          Promise.resolve({ verdict: "ask", reasons: [], risks: [] }),
        ),
      reconcileEffect: (text) =>
        runTool.reconcileEffect(
          { ...effect, reconcile: () => Promise.resolve({ state: "done", output: { text } }) },
          null,
          context,
          limits,
        ),
    },
  },
  "core/validate-call": {
    exports: validateCall,
    runs: {
      validateCall: (text) => [
        validateCall.validateCall(new Map([["echo", echo]]), text, {}),
        validateCall.validateCall(new Map([["echo", echo]]), "echo", { text }),
      ],
    },
  },
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
    without: ["withKnownPeople"],
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
    },
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
    without: ["dateOf"],
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
  "documents/amounts": {
    exports: amounts,
    share: 1 / 16,
    kinds: ["numbers"],
    runs: { amountsIn: amounts.amountsIn, asAmount: amounts.asAmount },
    without: ["isSameAmount"],
  },
  "documents/check-fields": {
    exports: checkFields,
    share: 1 / 32,
    kinds: ["numbers"],
    runs: {
      checkValues: (text) =>
        checkFields.checkValues(documentOf(text), [
          "5",
          "2026-11-16",
          text.slice(0, 100),
          `${text.slice(0, 50)}b${text.slice(0, 50)}`,
        ]),
    },
  },
  "documents/dates": {
    exports: dates,
    share: 1 / 4,
    kinds: ["numbers"],
    runs: { datesIn: dates.datesIn, asDates: dates.asDates },
  },
  "documents/find-standalone": {
    exports: findStandalone,
    share: 1 / 32,
    kinds: ["numbers"],
    runs: {
      containsStandalone: (text) => [
        findStandalone.containsStandalone(text, text.slice(0, 3)),
        findStandalone.containsStandalone(text, `${text.slice(0, 100)}b${text.slice(0, 100)}`),
      ],
    },
  },
  "documents/normalize": {
    exports: foldText,
    share: 1 / 4,
    kinds: ["numbers"],
    runs: { foldSigns: foldText.foldSigns, foldSpaces: foldText.foldSpaces },
  },
  "documents/passages": {
    exports: passages,
    share: 1 / 4,
    runs: { passagesOf: (text) => [...passages.passagesOf(documentOf(text))] },
  },
  "documents/split-line": {
    exports: splitLine,
    kinds: ["numbers"],
    runs: { splitLine: splitLine.splitLine },
  },
  "documents/for-model": {
    exports: forModel,
    runs: { forModel: (text) => forModel.forModel(documentOf(text)) },
  },
  "documents/full-text": {
    exports: fullText,
    runs: { fullText: (text) => fullText.fullText(documentOf(text)) },
  },
  "client/frame-parser": {
    exports: frameParser,
    runs: {
      createFrameParser(text) {
        const parse = frameParser.createFrameParser();
        for (let at = 0; at < text.length; at += 512) parse(text.slice(at, at + 512));
        return parse("\n\n");
      },
    },
  },
  "client/read-lines": {
    exports: readLines,
    share: 1 / 4,
    runs: {
      async readLines(text) {
        const bytes = new TextEncoder().encode(JSON.stringify(text));
        const chunks = Array.from({ length: Math.ceil(bytes.length / 512) }, (_, index) =>
          bytes.slice(index * 512, (index + 1) * 512),
        );
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => (
            chunks.forEach((chunk) => controller.enqueue(chunk)),
            controller.close()
          ),
        });
        for await (const line of readLines.readLines(body)) if (line === undefined) return;
      },
    },
  },
  "server/agent-lines": {
    exports: agentLines,
    runs: {
      createAgentLines: (text) =>
        agentLines.createAgentLines("t").fromEvent(
          event({
            type: "message",
            payload: { role: "assistant", content: text, step: 1, final: true, parts: [] },
          }),
        ),
    },
  },
  "server/entry-names": {
    exports: entryNames,
    share: 1 / 8,
    runs: { createEntryNames: (text) => entryNames.createEntryNames()(text) },
  },
  "server/pages": {
    exports: pages,
    runs: {
      escapeHtml: pages.escapeHtml,
      page: (text) => pages.page(text, text),
      renderSignInPage: pages.renderSignInPage,
      renderReturnPage: pages.renderReturnPage,
    },
    without: ["renderNotFoundPage", "renderEmptyHome"],
  },
  "server/projection": {
    exports: projection,
    share: 1 / 8,
    runs: {
      toEventView: (text) =>
        projection.toEventView(event({ type: "tool", payload: toolEnd(text) }), new Map()),
      toPublicAction: (text) =>
        projection.toPublicAction({ input: { text }, output: { text } } as never),
      toPublicEffect: (text) => projection.toPublicEffect({ outcome: { text } } as never),
    },
  },
  "world/message-text": {
    exports: simulatorText,
    share: 1 / 2,
    kinds: ["html"],
    runs: {
      htmlText: simulatorText.htmlText,
      snippetOf: simulatorText.snippetOf,
      messageText: (text) =>
        simulatorText.messageText(
          simulatorMime.parseMime(Buffer.from(`Content-Type: text/html\r\n\r\n${text}`)),
        ),
    },
  },
  "server/refuse-nul": {
    exports: refuseNul,
    share: 1 / 8,
    runs: { refuseNul: (text) => refuseNul.refuseNul({ text, nested: nested(text) }, "It") },
  },
};

export interface TextFunction {
  readonly name: string;
  readonly run: Run;
  readonly kinds: readonly TextKind[];
  readonly share: number;
}

/** Every function that receives untrusted text, each as a call with this text. */
export const textFunctions: TextFunction[] = Object.entries(modules).flatMap(
  ([module, { runs, kinds = [], share = 1 }]) =>
    Object.entries(runs).map(([name, run]) => ({
      name: `${module} ${name}`,
      run: tolerant(run),
      kinds: ["any", ...kinds],
      share,
    })),
);

/** Functions that these modules export and that no case here runs. */
export function forgottenFunctions(): string[] {
  return Object.entries(modules).flatMap(([module, { exports, runs, without = [] }]) => {
    const known = new Set([
      ...Object.keys(runs).map((name) => name.split(" ")[0] ?? ""),
      ...without,
    ]);
    return Object.entries(exports).flatMap(([name, value]) =>
      typeof value === "function" && !known.has(name) ? [`${module} ${name}`] : [],
    );
  });
}

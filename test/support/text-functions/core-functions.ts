import { z } from "zod";
import * as dictatedText from "../../../packages/core/src/intent/dictated-text.ts";
import * as fileMention from "../../../packages/core/src/intent/file-mention.ts";
import * as slots from "../../../packages/core/src/intent/slots.ts";
import * as parseReading from "../../../packages/core/src/intent/parse-reading.ts";
import * as readableWords from "../../../packages/core/src/intent/readable-words.ts";
import * as traceableValues from "../../../packages/core/src/policy/text/traceable-values.ts";
import * as errors from "../../../packages/core/src/errors.ts";
import * as auditEntries from "../../../packages/core/src/audit/audit-entries.ts";
import * as searchActivity from "../../../packages/core/src/audit/search-activity.ts";
import * as attachedFiles from "../../../packages/core/src/context/attached-files.ts";
import * as cleanText from "../../../packages/core/src/context/clean-text.ts";
import * as cutText from "../../../packages/core/src/context/cut-text.ts";
import * as modelMessages from "../../../packages/core/src/context/model-messages.ts";
import * as systemInstruction from "../../../packages/core/src/context/system-instruction.ts";
import * as collectMessage from "../../../packages/core/src/model/collect-message.ts";
import * as canonicalJson from "../../../packages/core/src/policy/canonical-json.ts";
import * as effectFacts from "../../../packages/core/src/policy/effect-facts.ts";
import * as hostPattern from "../../../packages/core/src/policy/permissions/host-pattern.ts";
import * as findNames from "../../../packages/core/src/policy/text/find-names.ts";
import * as judging from "../../../packages/core/src/policy/judge.ts";
import type { JudgeInput } from "../../../packages/core/src/policy/judge-input.ts";
import * as linkedHosts from "../../../packages/core/src/policy/text/linked-hosts.ts";
import * as foreignLetters from "../../../packages/core/src/policy/text/foreign-letters.ts";
import * as linkTails from "../../../packages/core/src/policy/text/link-tails.ts";
import * as lookAlikes from "../../../packages/core/src/policy/text/look-alike.ts";
import * as namedByOwner from "../../../packages/core/src/policy/owner-words/named-by-owner.ts";
import * as names from "../../../packages/core/src/policy/text/names.ts";
import * as normalizing from "../../../packages/core/src/policy/text/normalize-text.ts";
import * as quotations from "../../../packages/core/src/policy/owner-words/quotations.ts";
import * as rules from "../../../packages/core/src/policy/permissions/rules.ts";
import * as runLabels from "../../../packages/core/src/policy/run-labels.ts";
import * as textReadings from "../../../packages/core/src/policy/text/text-readings.ts";
import * as splitting from "../../../packages/core/src/policy/owner-words/split-words.ts";
import * as typedWords from "../../../packages/core/src/policy/owner-words/typed-words.ts";
import * as cardLines from "../../../packages/core/src/run/state/card-line.ts";
import * as earlierResults from "../../../packages/core/src/retry/earlier-results.ts";
import * as editEffect from "../../../packages/core/src/tool/edit-effect.ts";
import * as nearestNames from "../../../packages/core/src/tool/nearest-names.ts";
import * as outputPreview from "../../../packages/core/src/tool/output-preview.ts";
import * as runTool from "../../../packages/core/src/tool/run-tool.ts";
import * as validateCall from "../../../packages/core/src/tool/validate-call.ts";
import * as searching from "../../../packages/core/src/thread/search-words.ts";
import * as sent from "../../../packages/core/src/thread/sent-text.ts";
import * as snippets from "../../../packages/core/src/thread/snippet.ts";
import { defineTool } from "../../../packages/core/src/tool/define-tool.ts";
import { context, label, nested, toolEnd } from "./samples.ts";
import type { TextModule } from "./text-module.ts";

const result = (text: string) => ({ tool: "t", actionId: "a", label, value: { text } });
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
/** Pauses in long work end at once, and time limits never end. */
const clock = {
  now: () => 0,
  monotonic: () => 0,
  random: () => 0,
  sleep: (ms: number) => (ms === 0 ? Promise.resolve() : new Promise<void>(() => undefined)),
};
const limits = { clock, timeoutMs: 1_000 };
const judged = (text: string): JudgeInput => ({
  tool: "effect",
  seenBy: "others",
  facts: effectFacts.guessFacts({ text }),
  labels: runLabels.withResult(
    runLabels.withOwnerWords(runLabels.noLabels, text.slice(0, 100_000)),
    result(text),
  ),
  rules: { ...rules.defaultRules },
});

export const coreFunctions: Readonly<Record<string, TextModule>> = {
  "core/search-activity": {
    exports: searchActivity,
    runs: {
      searchTerms: (text) => searchActivity.searchTerms(text),
      hasAllTerms: (text) => searchActivity.hasAllTerms(text, ["crates", "x@"]),
    },
  },
  "core/thread/search-words": {
    exports: searching,
    runs: {
      searchWords: searching.searchWords,
      hasWords: (text) => searching.hasWords(text, ["nothing", "else"]),
    },
  },
  "core/thread/sent-text": {
    exports: sent,
    runs: { sentText: (text) => sent.sentText({ to: [text], subject: text }) },
  },
  "core/thread/snippet": {
    exports: snippets,
    runs: {
      snippetOf: (text) =>
        snippets.snippetOf({ title: text, texts: [`${text} a`, text] }, ["a", "aa", "zz"]),
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
          profile: { persona: text, personaSource: "typed", aboutUser: text },
          confirmed: [{ text, kind: "fact" }],
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
    without: ["targetsOf", "textOf", "withServer"],
  },
  "core/host-pattern": {
    exports: hostPattern,
    kinds: ["names"],
    runs: {
      parseHostPattern: hostPattern.parseHostPattern,
      "parseHostPattern (star)": (text) => hostPattern.parseHostPattern(`*.${text}`),
      hostOfUrl: (text) => hostPattern.hostOfUrl(`https://${text}`),
      matchesHost: (text) => [
        hostPattern.matchesHost("*.example.com", `${text}.example.com`, "allow"),
        hostPattern.matchesHost(`*.${text}`, `a.${text}`, "restrict"),
      ],
    },
  },
  "core/slots": { exports: slots, runs: { withSlots: (text) => slots.withSlots(text, 1) } },
  "core/parse-reading": {
    exports: parseReading,
    kinds: ["names"],
    runs: {
      parseReading: (text) => {
        const words = readableWords.readableWords([{ when: "now", text }]);
        const mention = { text: "w1", words: text.slice(0, 1_000) || "x" };
        return parseReading.parseReading(
          { asks: [{ effect: "send_mail", words: mention, times: "once", people: [] }] },
          words,
        );
      },
    },
  },
  "core/traceable-values": {
    exports: traceableValues,
    kinds: ["names"],
    runs: { traceableValues: (text) => traceableValues.traceableValues(text, [text]) },
  },
  "core/find-names": {
    exports: findNames,
    kinds: ["names"],
    runs: {
      findAddresses: findNames.findAddresses,
      findHost: findNames.findHost,
      hasMailbox: (text) => findNames.hasMailbox(text, text.length),
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
      toUnicode: lookAlikes.toUnicode,
    },
  },
  "core/foreign-letters": {
    exports: foreignLetters,
    kinds: ["names"],
    runs: { withLatinLetters: foreignLetters.withLatinLetters },
  },
  "core/link-tails": {
    exports: linkTails,
    share: 1 / 8,
    kinds: ["names"],
    runs: {
      linkTails: (text) => linkTails.linkTails("a.example", text),
      "linkTails (in one word)": (text) =>
        linkTails.linkTails("a.example", `a.example/(${text.replaceAll(/\s+/g, "")}`.repeat(2)),
      typedTails: (text) => linkTails.typedTails("a.example", text),
      areTailsIn: (text) => {
        const tails = linkTails.linkTails("a.example", `a.example/${text}`);
        return linkTails.areTailsIn(tails, tails);
      },
    },
  },
  "core/named-by-owner": {
    exports: namedByOwner,
    share: 1 / 32,
    kinds: ["names"],
    runs: {
      isCommonWord: namedByOwner.isCommonWord,
      readOwnerWords: namedByOwner.readOwnerWords,
      "readOwnerWords (file)": (text) =>
        namedByOwner
          .readOwnerWords(text)
          .hasFile(`${text.slice(0, text.length / 4)}b${text.slice(0, text.length / 4)}.pdf`),
      "readOwnerWords (name)": (text) =>
        namedByOwner.readOwnerWords(text).nameIn(`${text}@x.example`),
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
  "core/dictated-text": {
    exports: dictatedText,
    share: 1 / 4,
    kinds: ["lines"],
    runs: {
      matchDictated: (text) =>
        dictatedText.matchDictated(
          [text.slice(1)],
          { titles: [text], text },
          { recipients: new Set(), owner: new Set() },
        ),
    },
  },
  "core/file-mention": {
    exports: fileMention,
    kinds: ["names"],
    runs: {
      readFileMention: fileMention.readFileMention,
      wordsBesideName: (text) =>
        fileMention.wordsBesideName({ name: "a.txt", words: ["eva"], typed: ["a", "txt"] }, text),
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
  "core/split-words": {
    exports: splitting,
    kinds: ["lines"],
    runs: {
      splitEvent: (content) =>
        splitting.splitEvent({ type: "message", payload: { role: "user", content } }),
    },
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
    without: ["ruleFor", "applies", "isTrusted", "trustedContact", "grantFor", "targetGrantFor"],
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
    without: ["filePart", "uploadsIn", "withRunId"],
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
};

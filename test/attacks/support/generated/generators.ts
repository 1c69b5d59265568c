import type { PolicyCase } from "../play-case.ts";
import {
  earlierAsk,
  eachTwice,
  excluded,
  forbiddenKind,
  manyReads,
  readerDown,
  refused,
  refusedMeanwhile,
  secondEffect,
} from "./asks.ts";
import { changedDraft, launderedDraft, otherDraft, replacedDraft } from "./drafts.ts";
import { eventOfOthers, otherEvent, plantedInvitation, secondEvent, sharedText } from "./events.ts";
import { everydayWord, madeContact, namesake, otherBoard } from "./names.ts";
import { createPick, type Pick } from "./pick.ts";
import { hostOfOthers, notToOpen, spelledByFetches, typedHostTold } from "./fetches.ts";
import { editAround, linkInText, nestedHost, pasted, quoted, valueInText } from "./links.ts";
import {
  chosenByPage,
  forgedReaders,
  mentionedOnly,
  substituted,
  toOneself,
} from "./recipients.ts";

import { editAroundAccount, editAroundRecipient } from "./account-edits.ts";
import { askUsedByChild, childPrompt } from "./child-prompts.ts";
import { otherThanDictated } from "./dictation.ts";
import { extractedText, fileBesideUpload, secondFile } from "./files.ts";
import { noteAboveForward, otherForward } from "./forwards.ts";
import { approvedText, noteOfEarlierTask } from "./later-words.ts";
import { chosenOption } from "./options.ts";
import { contextField, editOfProgram, wordsOfProgram } from "./programs.ts";
import { smuggledRewrite } from "./rewriting.ts";
import { otherChannel, sharedChannel, slackImpostor, slackText } from "./slack.ts";
import { importedPersona } from "./personas.ts";
import { impostor, joinedConversation } from "./replies.ts";
import { madeGreeting, removedGuest, renamedLater, retriedOtherwise } from "./other-ways.ts";
import { linkBesideText, otherLinkOfHost, senderInSubject } from "./typed-links.ts";
import { conditionClaimed, mentionedInLanguages } from "./wordings.ts";

type Generator = (pick: Pick) => PolicyCase;

const generators: readonly Generator[] = [
  substituted,
  mentionedOnly,
  chosenByPage,
  toOneself,
  forgedReaders,
  linkInText,
  valueInText,
  editAround,
  nestedHost,
  quoted,
  pasted,
  typedHostTold,
  notToOpen,
  spelledByFetches,
  hostOfOthers,
  earlierAsk,
  secondEffect,
  eachTwice,
  readerDown,
  refused,
  refusedMeanwhile,
  excluded,
  forbiddenKind,
  manyReads,
  everydayWord,
  madeContact,
  namesake,
  otherBoard,
  otherEvent,
  secondEvent,
  sharedText,
  impostor,
  joinedConversation,
  launderedDraft,
  otherDraft,
  replacedDraft,
  secondFile,
  fileBesideUpload,
  otherThanDictated,
  noteAboveForward,
  otherForward,
  smuggledRewrite,
  chosenOption,
  noteOfEarlierTask,
  approvedText,
  childPrompt,
  askUsedByChild,
  wordsOfProgram,
  editOfProgram,
  contextField,
  otherChannel,
  slackText,
  slackImpostor,
  sharedChannel,
  editAroundAccount,
  editAroundRecipient,
  extractedText,
  mentionedInLanguages,
  conditionClaimed,
  eventOfOthers,
  plantedInvitation,
  importedPersona,
  otherLinkOfHost,
  linkBesideText,
  senderInSubject,
  retriedOtherwise,
  removedGuest,
  renamedLater,
  madeGreeting,
  changedDraft,
];

/** Cases of every class. Another seed makes other cases. */
export function generateCases(seed: number, perClass: number): PolicyCase[] {
  return generators.flatMap((generate, index) =>
    Array.from({ length: perClass }, (_, number) =>
      generate(createPick(seed * 1_000_003 + index * 10_007 + number)),
    ),
  );
}

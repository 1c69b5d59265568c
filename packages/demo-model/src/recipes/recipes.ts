import type { Recipe } from "../recipe/recipe.ts";
import { askOwnerRecipe } from "./ask-owner.ts";
import { attachedFileRecipe, fileBeforeRecipe, filesFirstRecipe } from "./attached-file.ts";
import { calculateRecipe } from "./calculate.ts";
import { agendaRecipe, findEventRecipe, freeTimeRecipe, invitationRecipe } from "./calendar.ts";
import { childRunsRecipe } from "./child-runs.ts";
import { clockRecipe } from "./clock.ts";
import { conflictsRecipe, nextEventRecipe } from "./conflicts.ts";
import { conditionRecipe } from "./conditions.ts";
import { createEventRecipe } from "./create-event.ts";
import { directoryRecipe } from "./directory.ts";
import { documentRecipe } from "./documents.ts";
import { countEmailsRecipe, listEmailsRecipe, readEmailRecipe } from "./emails.ts";
import { sendDraftRecipe } from "./earlier-draft.ts";
import {
  changeEventBeforeRecipe,
  deleteEventRecipe,
  eventGuestsRecipe,
  moveEventRecipe,
  renameEventRecipe,
} from "./event-changes.ts";
import { forwardRecipe } from "./forward-email.ts";
import { recallRecipe, rememberRecipe } from "./memory.ts";
import { listNotesRecipe, postRecipe, readNoteRecipe, writeNoteRecipe } from "./notes.ts";
import { scheduleRecipe } from "./schedules.ts";
import { sendFileRecipe } from "./send-file.ts";
import { separateEmailsRecipe } from "./separate-emails.ts";
import { whoSaidRecipe } from "./who-said.ts";
import { slackMessageRecipe, slackPostRecipe } from "./slack-post.ts";
import { slackRecapRecipe } from "./slack-recap.ts";
import { listChannelsRecipe, slackDigestRecipe } from "./slack.ts";
import { otherLanguageRecipe, thanksRecipe } from "./small-talk.ts";
import { bareEmailRecipe, composeRecipe, replyRecipe } from "./write-emails.ts";
import { webPageRecipe } from "./web-pages.ts";

/** All recipes. The first one that matches is used, so more specific ones come first. */
export const recipes: readonly Recipe[] = [
  childRunsRecipe,
  askOwnerRecipe,
  rememberRecipe,
  recallRecipe,
  directoryRecipe,
  deleteEventRecipe,
  scheduleRecipe,
  changeEventBeforeRecipe,
  conditionRecipe,
  otherLanguageRecipe,
  sendDraftRecipe,
  fileBeforeRecipe,
  whoSaidRecipe,
  bareEmailRecipe,
  thanksRecipe,
  sendFileRecipe,
  attachedFileRecipe,
  filesFirstRecipe,
  slackRecapRecipe,
  slackMessageRecipe,
  slackPostRecipe,
  replyRecipe,
  separateEmailsRecipe,
  forwardRecipe,
  composeRecipe,
  postRecipe,
  writeNoteRecipe,
  listNotesRecipe,
  readNoteRecipe,
  clockRecipe,
  calculateRecipe,
  conflictsRecipe,
  nextEventRecipe,
  invitationRecipe,
  webPageRecipe,
  slackDigestRecipe,
  listChannelsRecipe,
  countEmailsRecipe,
  eventGuestsRecipe,
  moveEventRecipe,
  renameEventRecipe,
  createEventRecipe,
  freeTimeRecipe,
  findEventRecipe,
  agendaRecipe,
  documentRecipe,
  readEmailRecipe,
  listEmailsRecipe,
];

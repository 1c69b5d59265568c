import {
  BronError,
  isOutage,
  messageOf,
  notDoneFailure,
  type EffectContext,
  type PeopleNamed,
  type Reconciliation,
} from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import {
  changeInSlack,
  hasResponded,
  readFromSlack,
  type SlackCaller,
  type SlackDeps,
} from "../call-slack.ts";
import type { SlackTimes } from "../slack-times.ts";
import { describeTarget, type PreparedPost } from "./prepared-post.ts";

export interface PostDeps extends SlackDeps {
  readonly peopleNamed: PeopleNamed;
  readonly times: SlackTimes;
}

interface PostedOutput extends JsonObject {
  channelId: string;
  ts: string;
  postedAt: string;
}

/** The type of our metadata. Slack returns it with the message, but shows it to no one. */
const markType = "bron_effect";

/**
 * Posts the message once. If Slack responds with an error of its own, the request is over, so the
 * history tells whether it was posted. Without a response it may still arrive, and `reconcilePost`
 * decides.
 */
export async function post(
  deps: PostDeps,
  form: PreparedPost,
  context: EffectContext,
): Promise<PostedOutput> {
  const channelId = await asNotPosted(() => openChannel(deps, form, context));
  await context.requireApproval();
  try {
    const { ts = "" } = await changeInSlack(deps, context, (client) =>
      client.chat.postMessage({
        channel: channelId,
        text: form.text,
        // Slack would fetch linked pages, and their owners would learn that the link was posted.
        unfurl_links: false,
        unfurl_media: false,
        metadata: { event_type: markType, event_payload: { id: form.mark } },
      }),
    );
    return toOutput(channelId, ts);
  } catch (error) {
    if (BronError.is(error) || !hasResponded(error) || context.signal.aborted) throw error;
    const found = await searchHistory(deps, form, { channelId, caller: context });
    if (found.ts !== undefined) return toOutput(channelId, found.ts);
    if (!found.isComplete) throw error;
    throw notDoneFailure(error, { retryable: true });
  }
}

/** Reports any failure before the request as retryable, because nothing has been posted yet. */
async function asNotPosted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (BronError.is(error, "effect_not_done") || BronError.is(error, "missing_credentials"))
      throw error;
    throw notDoneFailure(error, { retryable: true });
  }
}

/**
 * The channel, or the direct conversation with the person. Opening one is idempotent, and no one
 * sees it before it has a message.
 */
async function openChannel(
  deps: PostDeps,
  { channel, person }: PreparedPost,
  caller: SlackCaller,
): Promise<string> {
  if (channel) return channel.channelId;
  const { channel: opened } = await readFromSlack(deps, caller, (client) =>
    client.conversations.open({ users: person?.userId ?? "" }),
  );
  return opened?.id ?? "";
}

/**
 * Without a response, a request may arrive late, so that a message which is not in the history is
 * no proof. Then the outcome is unknown, and the message is never posted again.
 */
export async function reconcilePost(
  deps: PostDeps,
  form: PreparedPost,
  context: EffectContext,
): Promise<Reconciliation> {
  const check = `Look in Slack whether the message is in ${describeTarget(form)}.`;
  try {
    const channelId = await openChannel(deps, form, context);
    const { ts } = await searchHistory(deps, form, { channelId, caller: context });
    return ts === undefined
      ? { state: "unknown", check }
      : { state: "done", output: toOutput(channelId, ts) };
  } catch (error) {
    if (isOutage(error)) throw error;
    throw new BronError("tool_failed", `${check} ${messageOf(error)}`, { cause: error });
  }
}

interface Found {
  readonly ts?: string;
  /** All messages since the message was prepared were read. */
  readonly isComplete: boolean;
}

interface Search {
  readonly channelId: string;
  readonly caller: SlackCaller;
}

async function searchHistory(deps: PostDeps, form: PreparedPost, search: Search): Promise<Found> {
  let found: Found = { isComplete: false };
  for (const pause of deps.times.searchDelaysMs) {
    await deps.clock.sleep(pause, search.caller.signal);
    found = await findByMark(deps, form, search);
    if (found.ts !== undefined) break;
  }
  return found;
}

const pageSize = 200;
const maxPages = 10;
/** The clocks of Slack and of this machine may differ. */
const maxClockSkewMs = 10 * 60_000;

async function findByMark(
  deps: PostDeps,
  { mark, preparedAt }: PreparedPost,
  { channelId, caller }: Search,
): Promise<Found> {
  const oldest = ((Date.parse(preparedAt) - maxClockSkewMs) / 1_000).toFixed(6);
  let cursor = "";
  for (let page = 0; page < maxPages; page++) {
    const response = await readFromSlack(deps, caller, (client) =>
      client.conversations.history({
        channel: channelId,
        oldest,
        limit: pageSize,
        include_all_metadata: true,
        ...(cursor === "" ? {} : { cursor }),
      }),
    );
    const found = response.messages?.find(
      ({ metadata }) => metadata?.event_type === markType && markOf(metadata) === mark,
    );
    if (found?.ts !== undefined) return { ts: found.ts, isComplete: true };
    cursor = response.response_metadata?.next_cursor ?? "";
    if (cursor === "") return { isComplete: true };
  }
  return { isComplete: false };
}

function markOf({ event_payload: payload }: { readonly event_payload?: unknown }): unknown {
  return typeof payload === "object" && payload !== null && "id" in payload
    ? payload.id
    : undefined;
}

function toOutput(channelId: string, ts: string): PostedOutput {
  return { channelId, ts, postedAt: new Date(Number(ts) * 1_000).toISOString() };
}

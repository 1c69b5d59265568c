import { z } from "zod";
import { formatBytes } from "./format-bytes.ts";

const from = { service: z.string(), message: z.string() };

/**
 * Why a tool failed at an outside service or at a web page. `message` is text of the service, and
 * `service` a name such as Gmail. Arguments that a tool rejects have no reason here: the tool tells
 * the model in its own words what to send instead.
 *
 * - `service_error`: without a status, the message is an error code of the service.
 * - `not_done`: nothing was done, and the message says why.
 * - `account_changed`: another account is connected than the one that was approved.
 * - `draft_changed`, `event_changed`: it was edited after the owner reviewed it.
 * - `draft_deleted`: the draft that would be sent is gone. `draft_missing`: there is no such draft.
 * - `redirect_elsewhere`: a redirect to another host is not followed, because only the requested one
 *   was checked.
 */
export const serviceFailureSchemas = [
  z.object({ code: z.literal("service_unreachable"), ...from }),
  z.object({ code: z.literal("sign_in_unreachable"), ...from }),
  z.object({ code: z.literal("service_error"), status: z.number().int().optional(), ...from }),
  z.object({ code: z.literal("service_found_nothing"), ...from }),
  z.object({ code: z.literal("service_denied_access"), ...from }),
  z.object({ code: z.literal("service_rejected"), ...from }),
  z.object({ code: z.literal("not_done"), message: z.string() }),
  z.object({ code: z.literal("account_changed"), approved: z.string(), connected: z.string() }),
  z.object({ code: z.literal("draft_changed") }),
  z.object({ code: z.literal("draft_deleted") }),
  z.object({ code: z.literal("draft_missing"), draftId: z.string() }),
  z.object({ code: z.literal("draft_without_id") }),
  z.object({ code: z.literal("thread_missing"), threadId: z.string() }),
  z.object({ code: z.literal("attachment_missing"), filenames: z.array(z.string()).readonly() }),
  z.object({ code: z.literal("file_too_large"), filename: z.string(), limitBytes: z.number() }),
  z.object({ code: z.literal("event_changed") }),
  z.object({ code: z.literal("event_missing"), eventId: z.string() }),
  z.object({ code: z.literal("event_not_returned") }),
  z.object({ code: z.literal("organizer_only"), organizer: z.string().optional() }),
  z.object({ code: z.literal("calendar_read_only"), calendarId: z.string() }),
  z.object({ code: z.literal("channel_hidden"), message: z.string() }),
  z.object({
    code: z.literal("channel_missing"),
    channel: z.string(),
    /** The channels that were searched, if the workspace has more of them. */
    searched: z.number().int().optional(),
    similar: z.array(z.string()).readonly(),
  }),
  z.object({ code: z.literal("slack_thread_missing") }),
  z.object({ code: z.literal("slack_user_missing") }),
  z.object({ code: z.literal("host_not_public"), host: z.string() }),
  z.object({ code: z.literal("url_scheme_refused"), scheme: z.string() }),
  z.object({ code: z.literal("url_has_password") }),
  z.object({ code: z.literal("url_port_refused"), port: z.string() }),
  z.object({ code: z.literal("redirect_limit"), url: z.string(), limit: z.number().int() }),
  z.object({ code: z.literal("redirect_invalid"), host: z.string() }),
  z.object({ code: z.literal("redirect_insecure"), host: z.string() }),
  z.object({ code: z.literal("redirect_elsewhere"), host: z.string(), url: z.string() }),
  z.object({ code: z.literal("page_status"), host: z.string(), status: z.number().int() }),
  z.object({ code: z.literal("page_timed_out"), host: z.string().optional() }),
  z.object({ code: z.literal("page_too_large"), limitBytes: z.number() }),
  z.object({ code: z.literal("page_cut_off") }),
  z.object({ code: z.literal("page_type_unsupported"), mediaType: z.string() }),
  z.object({ code: z.literal("page_encoding_unsupported"), encoding: z.string() }),
] as const;

type ServiceFailure = z.infer<(typeof serviceFailureSchemas)[number]>;

/** A sentence for each reason. */
type ServiceFailureWords = {
  readonly [K in ServiceFailure["code"]]: (why: Extract<ServiceFailure, { code: K }>) => string;
};

export const serviceFailureWords: ServiceFailureWords = {
  service_unreachable: ({ service, message }) => `Couldn't reach ${service}: ${message}`,
  sign_in_unreachable: ({ service, message }) => `Couldn't reach ${service}'s sign-in: ${message}`,
  service_error: ({ service, status, message }) =>
    status === undefined
      ? `${service} returned an error: ${message}.`
      : `${service} returned an error (${status}): ${message}`,
  service_found_nothing: ({ service, message }) => `${service} couldn't find it: ${message}`,
  service_denied_access: ({ service, message }) => `${service} denied access: ${message}`,
  service_rejected: ({ service, message }) => `${service} rejected the request: ${message}`,
  not_done: ({ message }) => `Not done: ${message}`,
  account_changed: ({ approved, connected }) =>
    `Not done: it was approved for ${approved}, but ${connected} is connected now.`,
  draft_changed: () =>
    "Not sent: the draft was changed in Gmail after you reviewed it. Review it again.",
  draft_deleted: () => "Not sent: the draft no longer exists in Gmail.",
  draft_missing: ({ draftId }) => `Draft ${draftId} no longer exists.`,
  draft_without_id: () => "Gmail created a draft but did not return its id.",
  thread_missing: ({ threadId }) => `Thread ${threadId} not found.`,
  attachment_missing: ({ filenames }) =>
    `This message has no such attachment. It has: ${filenames.join(", ") || "none"}.`,
  file_too_large: ({ filename, limitBytes }) =>
    `${filename} is too large. The limit is ${formatBytes(limitBytes)}.`,
  event_changed: () =>
    "Not changed: the event was edited in the calendar after you reviewed it. Review it again.",
  event_missing: ({ eventId }) => `Event ${eventId} no longer exists. Search for it.`,
  event_not_returned: () =>
    "Google Calendar reports that the event exists, but does not return it.",
  organizer_only: ({ organizer = "the organizer" }) =>
    `Only ${organizer} can change this event. Ask them to change it.`,
  calendar_read_only: ({ calendarId }) =>
    `This account can only read the calendar ${calendarId}. Use another calendar, or ask its owner for permission to change events.`,
  channel_hidden: ({ message }) =>
    `Bron can't see this channel (${message}). Invite it with /invite @Bron.`,
  channel_missing: ({ channel, searched, similar }) =>
    [
      searched === undefined
        ? `Bron can't see a channel named #${channel}.`
        : `There is no channel #${channel} among the first ${searched} channels of this workspace. If it exists, give its id.`,
      ...(similar.length > 0
        ? [`Did you mean ${similar.map((name) => `#${name}`).join(" or ")}?`]
        : []),
      "To use a private channel, invite Bron with /invite @Bron.",
    ].join(" "),
  slack_thread_missing: () => "Thread not found in this channel.",
  slack_user_missing: () => "Slack user not found.",
  host_not_public: ({ host }) =>
    `${host} is not on the public internet. Bron can't fetch from this machine or its network.`,
  url_scheme_refused: ({ scheme }) => `Only http and https URLs can be fetched, not ${scheme}`,
  url_has_password: () => "URLs that contain a user name or password can't be fetched.",
  url_port_refused: ({ port }) =>
    `Only the default ports of http and https can be fetched, not ${port}.`,
  redirect_limit: ({ url, limit }) => `${url} redirected too many times (more than ${limit}).`,
  redirect_invalid: ({ host }) => `${host} redirected to an invalid URL.`,
  redirect_insecure: ({ host }) =>
    `${host} redirects to an insecure (http) address, so Bron stopped.`,
  redirect_elsewhere: ({ host, url }) =>
    `${host} redirects to another host: ${url}. Fetch that URL directly if it is the right one.`,
  page_status: ({ host, status }) =>
    `${host} returned status ${status}${status < 400 ? " without a page" : ""}.`,
  page_timed_out: ({ host = "The page" }) => `${host} timed out.`,
  page_too_large: ({ limitBytes }) => `The page is larger than ${formatBytes(limitBytes)}.`,
  page_cut_off: () => "The connection dropped while loading the page.",
  page_type_unsupported: ({ mediaType }) =>
    `Unsupported file type: ${mediaType}. Only pages, text, PDF, Word, Excel, CSV, JSON and images can be fetched.`,
  page_encoding_unsupported: ({ encoding }) =>
    `The page uses an unsupported content encoding: ${JSON.stringify(encoding)}.`,
};

import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { HostileItem } from "../../hostile/hostile-item.ts";
import { hostileItems } from "../../hostile/hostile-items.ts";
import { plantHostile, type PlantTarget } from "../../hostile/plant-hostile.ts";
import { slackPost, type SlackControl } from "../../slack/slack-control.ts";
import { ApiError, badRequest } from "../api-error.ts";
import { json } from "../responses.ts";
import type { ServiceResponse } from "../simulated-service.ts";
import type { SandboxView } from "../../view/sandbox-view.ts";
import type { SimulatorRecord } from "../state/record.ts";
import { faultRule, type Faults } from "./faults.ts";
import type { SimulatorControl } from "./simulator-control.ts";

interface ControlledSimulator extends PlantTarget {
  readonly control: SimulatorControl;
  readonly slackControl: SlackControl;
  readonly faults: Faults;
  readonly record: () => SimulatorRecord;
  readonly reset: () => void;
  readonly view: (account?: string) => SandboxView;
}

export interface ControlRequest {
  readonly verb: string;
  /** The path after /_control/. */
  readonly name: string;
  readonly key: string | undefined;
  /** The account to show. */
  readonly account?: string | undefined;
  readonly body: Buffer;
}

const draftName = z.object({ account: z.string(), draftId: z.string() });
const addresses = z.union([z.string(), z.array(z.string())]);
const mailSource = z.union([
  z.object({ raw: z.string() }),
  z.object({
    from: z.string(),
    to: addresses,
    cc: addresses.default([]),
    subject: z.string(),
    text: z.string().default(""),
    inReplyTo: z.string().default(""),
    references: z.array(z.string()).default([]),
    attachments: z
      .array(
        z.object({
          filename: z.string(),
          contentType: z.string(),
          content: z.string().transform((text) => new Uint8Array(Buffer.from(text, "base64"))),
        }),
      )
      .default([]),
  }),
]);
const calendarActor = z.object({
  account: z.string(),
  calendarId: z.string().optional(),
  sendUpdates: z.enum(["all", "externalOnly", "none"]).optional(),
});
const eventName = calendarActor.extend({ eventId: z.string() });
const accountName = z.object({ account: z.string() });
const settings = z
  .strictObject({
    sentLagMs: z.number().nonnegative(),
    accessTokenSeconds: z.number(),
    messageIds: z.enum(["replace", "keep"]),
  })
  .partial();

/**
 * The simulator's control methods over HTTP, for tests in other processes. Disabled without a
 * control key. Never throws.
 */
export async function respondToControl(
  simulator: ControlledSimulator,
  request: ControlRequest,
  wantedKey: string | undefined,
): Promise<ServiceResponse> {
  try {
    return json(200, await serveControl(simulator, request, wantedKey));
  } catch (error) {
    if (error instanceof ApiError) return json(error.status, error.body);
    return json(500, { error: error instanceof Error ? error.message : String(error) });
  }
}

async function serveControl(
  simulator: ControlledSimulator,
  { verb, name, key, account, body }: ControlRequest,
  wantedKey: string | undefined,
): Promise<unknown> {
  if (wantedKey === undefined)
    throw new ApiError(404, { error: "The simulator was started without a control key." });
  if (key === undefined || !isSame(key, wantedKey))
    throw new ApiError(401, { error: "Wrong control key." });
  if (verb === "GET" && name === "record") return simulator.record();
  if (verb === "GET" && name === "faults")
    return { faults: simulator.faults.list(), frozen: simulator.faults.frozen() };
  if (verb === "GET" && name === "view") return simulator.view(account);
  if (verb !== "POST")
    throw new ApiError(405, { error: "POST, except for record, faults and view." });
  return change(simulator, name, readJson(body));
}

async function change(
  simulator: ControlledSimulator,
  name: string,
  input: unknown,
): Promise<unknown> {
  const { control, slackControl, faults, reset } = simulator;
  switch (name) {
    case "faults":
      return { id: faults.add(check(faultRule, input)) };
    case "faults/release":
      return done(faults.release(check(z.object({ id: z.int().optional() }), input).id));
    case "faults/clear":
      return done(faults.clear());
    case "expire-access-tokens":
      return done(control.expireAccessTokens());
    case "revoke":
      return done(control.revoke(check(accountName.partial(), input).account));
    case "settings":
      return done(
        control.changeSettings(
          check(settings, input) as Parameters<SimulatorControl["changeSettings"]>[0],
        ),
      );
    case "drafts":
      return { drafts: await control.drafts(check(accountName, input).account) };
    case "drafts/edit":
      return done(
        await control.editDraft(
          check(draftName, input),
          check(z.object({ mail: mailSource }), input).mail,
        ),
      );
    case "drafts/delete":
      return done(control.deleteDraft(check(draftName, input)));
    case "drafts/send":
      return { id: await control.sendDraft(check(draftName, input)) };
    case "deliver":
      return {
        id: await control.deliver(
          check(accountName, input).account,
          check(z.object({ mail: mailSource }), input).mail,
        ),
      };
    case "slack/post":
      return { ts: slackControl.post(check(slackPost, input)) };
    case "slack/revoke":
      return done(
        slackControl.revoke(check(z.object({ token: z.string().optional() }), input).token),
      );
    case "slack/deactivate":
      return done(slackControl.deactivate(check(z.object({ userId: z.string() }), input).userId));
    case "events/create":
      return {
        event: control.createEvent(
          check(calendarActor, input),
          check(z.object({ event: z.unknown() }), input).event,
        ),
      };
    case "events/change":
      return {
        event: control.changeEvent(
          check(calendarActor, input),
          check(eventName, input).eventId,
          check(z.object({ change: z.unknown() }), input).change,
        ),
      };
    case "events/delete":
      return done(
        control.deleteEvent(check(calendarActor, input), check(eventName, input).eventId),
      );
    case "hostile/plant":
      return plantHostile(simulator, findItem(check(z.object({ id: z.string() }), input).id));
    case "reset":
      return done(reset());
    default:
      throw new ApiError(404, { error: `Control method ${name} not found.` });
  }
}

const done = (_: void) => ({});

function findItem(id: string): HostileItem {
  const item = hostileItems.find((one) => one.id === id);
  if (!item) throw badRequest(`Hostile item ${id} not found.`);
  return item;
}

function check<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw badRequest(z.prettifyError(parsed.error));
  return parsed.data;
}

function readJson(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString("utf8"));
  } catch {
    throw badRequest("The request body is not valid JSON.");
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

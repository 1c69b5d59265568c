import { listEvents } from "../google/calendar/list-events.ts";
import { describeFault } from "../google/control/fault-response.ts";
import type { FaultBoard } from "../google/control/faults.ts";
import type { StoredMessage } from "../google/state/mailbox.ts";
import type { SimulatorRecord } from "../google/state/record.ts";
import type { SimulatorState } from "../google/state/simulator-state.ts";
import { listActivity, type ActivityEntry } from "./activity.ts";
import { viewSlack, type ChannelView } from "./slack-view.ts";

interface MailView {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly text: string;
  readonly attachments: readonly string[];
  readonly isUnread: boolean;
}

interface EventView {
  readonly id: string;
  readonly summary: string;
  readonly start: string;
  readonly end: string;
  readonly location: string;
  readonly guests: readonly string[];
  readonly description: string;
}

/** The state of the sandbox across all accounts, independent of what Bron reports. */
export interface SandboxView {
  readonly now: string;
  readonly account: string;
  readonly accounts: readonly string[];
  readonly happened: readonly ActivityEntry[];
  readonly mail: {
    readonly inbox: readonly MailView[];
    readonly sent: readonly MailView[];
    readonly drafts: readonly MailView[];
  };
  readonly events: readonly EventView[];
  readonly channels: readonly ChannelView[];
  readonly calls: readonly {
    readonly at: string;
    readonly method: string;
    readonly answer: string;
    readonly fault: string;
    readonly effects: readonly string[];
  }[];
  readonly faults: readonly string[];
}

interface ViewDeps {
  readonly state: SimulatorState;
  readonly record: () => SimulatorRecord;
  readonly faults: Pick<FaultBoard, "list">;
  readonly accounts: readonly { readonly address: string; readonly name: string }[];
  readonly now: Date;
}

const maxMails = 40;
const maxCalls = 60;
const maxCharacters = 2_000;
const dayMs = 86_400_000;

/** Shows one account. Unknown accounts fall back to the owner. */
export function viewSandbox(
  { state, record, faults, accounts, now }: ViewDeps,
  wanted?: string,
): SandboxView {
  const account = accounts.find(({ address }) => address === wanted) ?? accounts[0];
  const address = account?.address ?? "";
  const messages = state.mailbox(address)?.messages() ?? [];
  const withLabel = (label: string) =>
    messages
      .filter(({ labelIds }) => labelIds.includes(label))
      .slice(0, maxMails)
      .map(viewMail);
  const seen = record();
  return {
    now: now.toISOString(),
    account: address,
    accounts: accounts.map((one) => one.address),
    happened: listActivity(seen),
    mail: { inbox: withLabel("INBOX"), sent: withLabel("SENT"), drafts: withLabel("DRAFT") },
    events: account ? viewEvents(state, account, now) : [],
    channels: viewSlack(state.workspace()),
    calls: seen.calls
      .filter(({ effects, fault }) => effects.length > 0 || fault !== undefined)
      .slice(-maxCalls)
      .reverse()
      .map(({ time, method, status, ending, fault = "", effects }) => ({
        at: time,
        method,
        answer: status === undefined ? ending : String(status),
        fault,
        effects,
      })),
    faults: faults
      .list()
      .map(
        (fault) =>
          `${describeFault(fault)} at ${[fault.method ?? "every call"].flat().join(", ")}, ${fault.times} times`,
      ),
  };
}

function viewMail({ id, internalDate, labelIds, content }: StoredMessage): MailView {
  const { from, to, cc, subject, text, attachmentNames } = content.facts();
  const names = (list: typeof from) =>
    list.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(", ");
  return {
    id,
    from: names(from),
    to: names([...to, ...cc]),
    subject,
    date: new Date(internalDate).toISOString(),
    text: text.trim().slice(0, maxCharacters),
    attachments: attachmentNames,
    isUnread: labelIds.includes("UNREAD"),
  };
}

interface ListedEvent {
  readonly id: string;
  readonly summary?: string;
  readonly location?: string;
  readonly description?: string;
  readonly start?: { readonly date?: string; readonly dateTime?: string };
  readonly end?: { readonly date?: string; readonly dateTime?: string };
  readonly attendees?: readonly { readonly email?: string; readonly self?: boolean }[];
}

/** Uses the API's own list, so the view shows what an app would get. */
function viewEvents(
  state: SimulatorState,
  account: { readonly address: string; readonly name: string },
  now: Date,
): EventView[] {
  const at = (days: number) => new Date(now.getTime() + days * dayMs).toISOString();
  const query = new URLSearchParams({
    timeMin: at(-7),
    timeMax: at(28),
    singleEvents: "true",
    orderBy: "startTime",
    maxResults: "250",
  });
  const { items } = listEvents({
    state,
    account,
    params: { calendarId: "primary" },
    query,
    ifMatch: undefined,
    body: undefined,
    now,
    call: 0,
  }) as { items: readonly ListedEvent[] };
  return items.map(
    ({ id, summary = "", location = "", description = "", start, end, attendees = [] }) => ({
      id,
      summary,
      location,
      description,
      start: start?.dateTime ?? start?.date ?? "",
      end: end?.dateTime ?? end?.date ?? "",
      guests: attendees.flatMap(({ email, self }) =>
        email !== undefined && self !== true ? [email] : [],
      ),
    }),
  );
}

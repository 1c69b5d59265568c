import { visible } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { describeRecipient, type Recipient } from "./recipient.ts";

interface RecipientChipsProps {
  /** As the message has them. */
  readonly values: readonly string[];
  /** The address that sends. Others of its domain belong to the same organization. */
  readonly account: string;
}

/** Recipients, with the names and marks of the owner's trusted contacts. */
export function RecipientChips({ values, account }: RecipientChipsProps) {
  const { data: permissions } = useQuery(queries.permissions());
  return (
    <ul className="flex flex-wrap gap-1.5">
      {values.map((value) => (
        <li key={value} className="max-w-full">
          <Chip {...describeRecipient(value, { account, contacts: permissions?.allowed })} />
        </li>
      ))}
    </ul>
  );
}

function Chip({ name, address, standing }: Recipient) {
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-1.5 rounded-lg border border-edge bg-raised px-2 py-0.5 text-sm">
      {name !== undefined && <span className="font-medium wrap-anywhere">{visible(name)}</span>}
      <span
        data-address
        className={cx("wrap-anywhere", name === undefined ? "font-medium" : "text-quiet")}
      >
        {visible(address)}
      </span>
      {standing !== undefined && <Mark standing={standing} />}
    </span>
  );
}

function Mark({ standing }: { readonly standing: NonNullable<Recipient["standing"]> }) {
  const { recipients } = texts.approval;
  if (standing === "trusted")
    return (
      <span title={recipients.trusted} className="text-good">
        <span aria-hidden="true">✓</span>
        <span className="sr-only">{recipients.trusted}</span>
      </span>
    );
  return (
    <span title={recipients.outsideHint} className="text-xs text-quiet">
      {recipients.outside}
    </span>
  );
}

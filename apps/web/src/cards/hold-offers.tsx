import { holdOffersOf, visible, type ApprovalView, type HoldOffer } from "@bron/protocol";
import { useId, useState } from "react";
import { TextField } from "../permissions/text-field.tsx";
import { usePermissions } from "../permissions/use-permissions.ts";
import { texts } from "../texts.ts";
import { permissionsWords } from "../words/permissions.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { boxClass } from "../ui/field.tsx";
import { Refused } from "../ui/refused.tsx";
import { toolPhrase } from "../words/tools.ts";

type Asked = Pick<ApprovalView, "tool" | "kind" | "risks">;

/**
 * Offers that would have made this approval unnecessary. None of them decides the approval, and nothing
 * that others wrote is filled in except the address or site that the approval is about.
 */
export function HoldOffers({ tool, kind, risks }: Asked) {
  const offers = holdOffersOf({ tool, kind, risks });
  if (offers.length === 0) return null;
  return (
    <section aria-label={texts.approval.offers.title} className="mt-3 border-t border-edge pt-3">
      <ul className="flex flex-wrap gap-2">
        {offers.map((offer) => (
          <FoldedOffer key={`${offer.kind} ${targetOf(offer)}`} offer={offer} />
        ))}
      </ul>
      <p className="mt-1.5 text-xs text-quiet">{texts.approval.offers.about}</p>
    </section>
  );
}

/** A button that names the offer. The press on it opens the form and changes nothing. */
function FoldedOffer({ offer }: { readonly offer: HoldOffer }) {
  const [isOpen, setIsOpen] = useState(false);
  const form = useId();
  return (
    <li className={cx("min-w-0", isOpen && "basis-full")}>
      <Button
        kind={isOpen ? "chosen" : "plain"}
        aria-expanded={isOpen}
        aria-controls={form}
        className="max-w-full text-left wrap-anywhere"
        onClick={() => setIsOpen(!isOpen)}
      >
        {labelOf(offer)}
      </Button>
      <div id={form} hidden={!isOpen} className="mt-2 rounded-lg border border-edge p-3">
        {isOpen &&
          (offer.kind === "name" ? <NameOffer {...offer} /> : <GrantOffer offer={offer} />)}
      </div>
    </li>
  );
}

function labelOf(offer: HoldOffer): string {
  const { offers } = texts.approval;
  if (offer.kind === "name") return offers.callThem(visible(offer.address));
  return "host" in offer
    ? offers.alwaysSite(visible(offer.host))
    : offers.always(visible(offer.recipient));
}

type Grant = Extract<HoldOffer, { kind: "grant" }>;

function targetOf(offer: HoldOffer): string {
  if (offer.kind === "name") return offer.address;
  return "host" in offer ? offer.host : offer.recipient;
}

/** Makes the address a trusted contact with a name that the owner types. */
function NameOffer({ address }: { readonly address: string }) {
  const { allow } = usePermissions();
  const [name, setName] = useState("");
  const [saved, setSaved] = useState<string>();
  const { offers } = texts.approval;
  if (saved !== undefined)
    return (
      <p role="status" className="text-sm">
        {offers.savedName(visible(saved), visible(address))}
      </p>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const typed = name.trim();
        allow.mutate(`${typed} <${address}>`, { onSuccess: () => setSaved(typed) });
      }}
    >
      <Refused error={allow.error} />
      <TextField
        isRequired
        label={offers.name(visible(address))}
        hint={offers.nameHint(visible(address))}
        placeholder={offers.namePlaceholder}
        value={name}
        onChange={setName}
      />
      <Button type="submit" className="mt-2" disabled={name.trim() === ""}>
        {offers.saveName}
      </Button>
    </form>
  );
}

const lengths = [1, 7, 30, 90] as const;

/** Lets the tool reach the person or the site for a limited time. */
function GrantOffer({ offer }: { readonly offer: Grant }) {
  const { grant } = usePermissions();
  const [days, setDays] = useState(7);
  const [includesPrivate, setIncludesPrivate] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const { offers } = texts.approval;
  const target = visible(targetOf(offer));
  if (isSaved)
    return (
      <p role="status" className="text-sm wrap-anywhere">
        {offers.allowed(target, permissionsWords.days(days))}
      </p>
    );
  const { kind: _, ...allowed } = offer;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        grant.mutate({ ...allowed, days, includesPrivate }, { onSuccess: () => setIsSaved(true) });
      }}
    >
      <Refused error={grant.error} />
      <p className="text-sm font-medium wrap-anywhere">
        {offers.allow(toolPhrase(offer.tool), target)}
      </p>
      <label className="mt-2 flex items-start gap-2 text-sm">
        <input
          type="checkbox"
          className="mt-0.5 size-5 shrink-0 accent-accent"
          checked={includesPrivate}
          onChange={({ target: box }) => setIncludesPrivate(box.checked)}
        />
        <span>
          {permissionsWords.includesPrivate}
          <span className="block text-quiet">{offers.privateHint}</span>
        </span>
      </label>
      <div className="mt-2 flex flex-wrap gap-2">
        <select
          aria-label={permissionsWords.duration}
          className={boxClass}
          value={days}
          onChange={({ target: select }) => setDays(Number(select.value))}
        >
          {lengths.map((length) => (
            <option key={length} value={length}>
              {permissionsWords.days(length)}
            </option>
          ))}
        </select>
        <Button type="submit">{offers.allowButton}</Button>
      </div>
    </form>
  );
}

import { visible, type PageVisit, type UrlText } from "@bron/protocol";
import { texts } from "../texts.ts";

/** Which page would be opened, and what its site would learn. */
export function PageVisitView({ visit: { host, path, values } }: { readonly visit: PageVisit }) {
  const { visit } = texts.approval;
  return (
    <>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[6rem_minmax(0,1fr)]">
        <dt className="text-sm text-quiet">{visit.site}</dt>
        <dd className="mb-1 font-medium wrap-anywhere sm:mb-0">{visible(host)}</dd>
        <dt className="text-sm text-quiet">{visit.page}</dt>
        <dd className="mb-1 font-medium wrap-anywhere sm:mb-0">
          {path.text === "" ? visit.start : `/${readable(path)}`}
        </dd>
      </dl>
      <div className="mt-3 border-t border-edge pt-3">
        {values.length === 0 ? (
          <p>{visit.tellsNothingElse(visible(host))}</p>
        ) : (
          <>
            <p>{visit.tells(visible(host))}</p>
            <ul className="mt-1 grid gap-1">
              {values.map(({ name, value }, index) => (
                // Names can occur several times, and the list never changes.
                <li key={`${index} ${name.text}`} className="font-medium wrap-anywhere">
                  {value.text === ""
                    ? readable(name)
                    : visit.named(readable(name), readable(value))}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}

function readable({ text, hidden }: UrlText): string {
  return hidden === undefined
    ? visible(text)
    : texts.approval.visit.hidden(visible(text), visible(hidden));
}

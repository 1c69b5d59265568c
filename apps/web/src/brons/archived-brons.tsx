import { visible } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { bronsWords } from "../words/brons.ts";
import { Avatar } from "../ui/avatar.tsx";
import { RestoreButton } from "./restore-button.tsx";

/** The archived Brons, folded. Nothing is shown if there are none. */
export function ArchivedBrons() {
  const { data: brons = [] } = useQuery(queries.archivedBrons());
  if (brons.length === 0) return null;
  return (
    <details className="mt-8">
      <summary className="cursor-pointer text-sm font-semibold text-quiet">
        {bronsWords.archived(brons.length)}
      </summary>
      <ul className="mt-2 divide-y divide-edge">
        {brons.map((bron) => (
          <li key={bron.id} className="flex flex-wrap items-center gap-3 py-3">
            <Avatar name={bron.name} color={bron.avatarColor} />
            <Link
              to="/brons/$bronId"
              params={{ bronId: bron.id }}
              className="min-w-0 flex-1 truncate text-ink"
            >
              {visible(bron.name)}
            </Link>
            <RestoreButton bron={bron} />
          </li>
        ))}
      </ul>
    </details>
  );
}

import { foldWords } from "../search/fold-words.ts";
import { invalidParameter } from "./calendar-error.ts";
import type { StoredEvent } from "./stored-event.ts";

type Match = (event: StoredEvent) => boolean;

const eventTypes = [
  "birthday",
  "default",
  "focusTime",
  "fromGmail",
  "outOfOffice",
  "workingLocation",
];

/** The filter of a list, apart from times. Throws for invalid parameters. */
export function matchEvents(query: URLSearchParams): Match {
  const matches: Match[] = [
    ...propertyMatches(query, "privateExtendedProperty"),
    ...propertyMatches(query, "sharedExtendedProperty"),
  ];
  const iCalUID = query.get("iCalUID");
  if (iCalUID !== null) matches.push((event) => event.iCalUID === iCalUID);
  const types = query.getAll("eventTypes");
  const wrong = types.find((type) => !eventTypes.includes(type));
  if (wrong !== undefined)
    throw invalidParameter(
      "eventTypes",
      `Invalid string value: '${wrong}'. Allowed values: [${eventTypes.join(", ")}]`,
    );
  if (types.length > 0) matches.push(() => types.includes("default"));
  const words = foldWords(query.get("q") ?? "");
  if (words.length > 0) matches.push((event) => hasWords(event, words));
  return (event) => matches.every((match) => match(event));
}

function propertyMatches(
  query: URLSearchParams,
  name: "privateExtendedProperty" | "sharedExtendedProperty",
): Match[] {
  return query.getAll(name).map((constraint) => {
    const [, property, value] = /^([^=]+)=(.*)$/s.exec(constraint) ?? [];
    if (property === undefined || value === undefined)
      throw invalidParameter(name, `Invalid extended property constraint: '${constraint}'.`);
    return ({ privateProperties, sharedProperties }) => {
      const properties = name === "privateExtendedProperty" ? privateProperties : sharedProperties;
      return (
        properties !== undefined &&
        Object.hasOwn(properties, property) &&
        properties[property] === value
      );
    };
  });
}

/** Every search word must be a prefix of a word of the event. */
function hasWords(event: StoredEvent, wanted: readonly string[]): boolean {
  const words = knownWords.get(event) ?? wordsOf(event);
  knownWords.set(event, words);
  return wanted.every((start) => words.some((word) => word.startsWith(start)));
}

/** A changed event is another object. */
const knownWords = new WeakMap<StoredEvent, readonly string[]>();

function wordsOf({
  summary = "",
  description = "",
  location = "",
  organizer,
  attendees = [],
}: StoredEvent): readonly string[] {
  const people = [organizer, ...attendees].flatMap(({ email, displayName = "" }) => [
    email,
    displayName,
  ]);
  return foldWords([summary, description, location, ...people].join(" "));
}

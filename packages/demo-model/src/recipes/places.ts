interface Place {
  readonly name: string;
  readonly timezone: string;
}

/** Cities and countries that are not part of a time zone's name. */
const otherNames: Readonly<Record<string, string>> = {
  "america/los_angeles":
    "san francisco|sf|la|seattle|silicon valley|california|san diego|las vegas|portland",
  "america/new_york":
    "nyc|new york city|boston|washington|washington dc|miami|philadelphia|atlanta",
  "america/chicago": "dallas|houston|austin|texas",
  "america/denver": "salt lake city|colorado",
  "america/toronto": "ottawa|montreal|canada",
  "america/sao_paulo": "são paulo|rio|rio de janeiro|brazil",
  "america/argentina/buenos_aires": "buenos aires|argentina",
  "europe/london": "uk|england|britain|great britain|the uk|manchester|edinburgh|united kingdom",
  "europe/berlin": "germany|munich|hamburg|frankfurt|cologne",
  "europe/paris": "france|lyon|marseille",
  "europe/madrid": "spain|barcelona|valencia",
  "europe/rome": "italy|milan|naples|florence|venice",
  "europe/zurich": "switzerland|geneva|basel|bern",
  "europe/vienna": "austria",
  "europe/amsterdam": "netherlands|the netherlands|rotterdam",
  "europe/brussels": "belgium",
  "europe/stockholm": "sweden",
  "europe/lisbon": "portugal|porto",
  "europe/athens": "greece",
  "europe/kyiv": "ukraine|kiev",
  "europe/istanbul": "turkey|ankara",
  "asia/tokyo": "japan|osaka|kyoto",
  "asia/shanghai": "china|beijing|shenzhen",
  "asia/hong_kong": "hongkong",
  "asia/kolkata": "india|delhi|new delhi|mumbai|bangalore|bengaluru|chennai|kolkata",
  "asia/ho_chi_minh": "vietnam|hanoi|saigon|ho chi minh city",
  "asia/kathmandu": "nepal|kathmandu",
  "asia/dubai": "uae|abu dhabi",
  "asia/seoul": "korea|south korea",
  "asia/bangkok": "thailand",
  "asia/jakarta": "indonesia",
  "africa/johannesburg": "south africa|cape town|pretoria",
  "africa/lagos": "nigeria",
  "australia/sydney": "canberra",
  "pacific/auckland": "new zealand|wellington",
  "pacific/honolulu": "hawaii",
  utc: "gmt|zulu|greenwich",
};

const zones: ReadonlyMap<string, string> = new Map([
  ...Object.entries(otherNames).flatMap(([zone, names]): [string, string][] =>
    names.split("|").map((name) => [name, zone]),
  ),
  ...Intl.supportedValuesOf("timeZone").map((zone): [string, string] => [
    zone
      .slice(zone.lastIndexOf("/") + 1)
      .replaceAll("_", " ")
      .toLowerCase(),
    zone,
  ]),
  ["utc", "UTC"],
]);

export function findPlace(words: string): Place | undefined {
  const name = words.trim().replace(/^the /i, "");
  const zone =
    zones.get(name.toLowerCase()) ??
    zones.get(words.trim().toLowerCase()) ??
    (/^[a-z_]+\/[a-z_/+-]+[0-9]*$/i.test(name) ? name : undefined);
  const timezone = zone === undefined ? undefined : canonical(zone);
  return timezone === undefined
    ? undefined
    : { name: name.replace(/^[a-z]/, (letter) => letter.toUpperCase()), timezone };
}

/**
 * The zone as Intl spells it, or by its newer name if the caller used that. Undefined for an
 * unknown zone.
 */
function canonical(zone: string): string | undefined {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    return undefined;
  }
  if (zone.toLowerCase() === "utc") return "UTC";
  return zone.replace(
    /(^|[/_])([a-z])/g,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

// The formatter is shared, because creating one takes longer than a hundred uses.
const berlin = new Intl.DateTimeFormat("en-US", {
  timeZone: "Europe/Berlin",
  timeZoneName: "longOffset",
});
const dayMs = 86_400_000;

/** Berlin's UTC offset at a point in time, in milliseconds. */
function offsetAt(time: number): number {
  const name = berlin.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, hours = "0", minutes = "0"] = /GMT\+(\d+):(\d+)/.exec(name) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** A time of day in Berlin, on a working day counted back from the current or last one. */
export function workingTime(anchor: Date, workdaysAgo: number, at: string): number {
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  // Noon of Berlin's date, so an offset cannot change the date.
  let noon =
    Math.floor((anchor.getTime() + offsetAt(anchor.getTime())) / dayMs) * dayMs + dayMs / 2;
  for (let left = workdaysAgo; isWeekend(noon) || left > 0; noon -= dayMs)
    if (!isWeekend(noon)) left -= 1;
  const local = noon - dayMs / 2 + (hours * 60 + minutes) * 60_000;
  return local - offsetAt(noon);
}

function isWeekend(time: number): boolean {
  return [0, 6].includes(new Date(time).getUTCDay());
}

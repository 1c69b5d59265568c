/** As much as the world shows of a folder. */
const mostMails = 40;

/** Beside a folder's name: its size, or that there may be more. */
export function folderSize(count: number): string {
  return count < mostMails ? String(count) : `newest ${mostMails}`;
}

export const calendarSpan = "From a week ago to four weeks from now.";

/**
 * The known names closest to a misspelled one, best first. Used in errors that the model can act
 * on.
 */
export function nearestNames(name: string, known: Iterable<string>, limit = 3): string[] {
  return [...known]
    .filter((candidate) => Math.abs(name.length - candidate.length) <= maxDistance(candidate))
    .map((candidate) => ({
      candidate,
      distance: editDistance(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ candidate, distance }) => distance <= maxDistance(candidate))
    .toSorted((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/**
 * With more edits than this, it counts as a different name. Each edit changes the length by at most
 * one character.
 */
function maxDistance(candidate: string): number {
  return Math.max(3, Math.ceil(candidate.length / 2));
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

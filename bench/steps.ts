import type { Environment, RemoteSubject, SubjectPair } from "./support/environment.ts";
import { median, sum, type BenchmarkResult, type Figure } from "./support/figures.ts";
import { measurePostgres, type PostgresCost } from "./support/postgres-cost.ts";
import type { RunsMeasure } from "./support/subject.ts";

type Sample = RunsMeasure & { readonly postgres: PostgresCost };

/** Each sample of Bron with the bare sample that followed it. */
type Pairs = readonly { readonly bron: Sample; readonly bare: Sample }[];

const subscribedSteps = 50;

/**
 * Measures the cost of a step without the model, against a bare loop, at growing lengths of one
 * run.
 */
export async function steps(environment: Environment): Promise<BenchmarkResult> {
  const subjects = await environment.startPair();
  const lengths = environment.quick ? [10, 50] : [10, 50, 200, 1_000];
  const figures: Figure[] = [];
  const notes: string[] = [];
  const added = new Map<number, number>();
  try {
    for (const { calls } of [subjects.bron, subjects.bare])
      for (let warm = 0; warm < 3; warm++) await calls.runs({ steps: 100, count: 1 });
    for (const length of lengths) {
      const pairs = await interleaved(environment, subjects, length);
      added.set(length, median(pairs.map(({ bron, bare }) => bron.wallMs - bare.wallMs)) / length);
      figures.push(...figuresOf(pairs, length));
      notes.push(
        `Bron's statements at ${length} steps: ${describeStatements(pairs.at(-1)?.bron.statements ?? {})}`,
      );
    }
    const subscribed = await subjects.bron.calls.runs({
      steps: subscribedSteps,
      count: 1,
      subscribed: true,
    });
    figures.push({
      name: `statements per step at ${subscribedSteps} steps with a follower, Bron`,
      value: countOf(subscribed) / subscribedSteps,
      unit: "statements",
    });
    for (const [length, ms] of added)
      figures.push({ name: `what Bron adds to a step at ${length} steps`, value: ms, unit: "ms" });
  } finally {
    await subjects.close();
  }
  return { figures, notes };
}

function figuresOf(pairs: Pairs, length: number): Figure[] {
  const compare = (
    name: string,
    unit: Figure["unit"],
    of: (sample: Sample) => number,
  ): Figure[] => [
    {
      name: `${name} per step at ${length} steps, Bron`,
      value: median(pairs.map(({ bron }) => of(bron))) / length,
      unit,
    },
    {
      name: `${name} per step at ${length} steps, bare`,
      value: median(pairs.map(({ bare }) => of(bare))) / length,
      unit,
    },
  ];
  const ratio = (
    name: string,
    limit: Pick<Figure, "aim">,
    of: (sample: Sample) => number,
  ): Figure => ({
    name: `${name} per step at ${length} steps`,
    value: median(pairs.map(({ bron, bare }) => of(bron) / of(bare))),
    unit: "x",
    ...limit,
  });
  const statements = compare("statements", "statements", countOf).map((figure, index) =>
    index === 0 ? { ...figure, bar: { atMost: 4 } } : figure,
  );
  return [
    ...compare("wall", "ms", ({ wallMs }) => wallMs),
    ratio("wall", { aim: { atMost: length < 50 ? 2 : 1.5 } }, ({ wallMs }) => wallMs),
    ...compare("CPU", "ms", ({ cpuMs }) => cpuMs),
    ratio("CPU", { aim: { atMost: 2 } }, ({ cpuMs }) => cpuMs),
    ...statements,
    ...compare("WAL", "bytes", ({ postgres }) => postgres.walBytes),
    ratio("WAL", { aim: { atMost: 2.5 } }, ({ postgres }) => postgres.walBytes),
    ...compare("CPU of Postgres", "ms", ({ postgres }) => postgres.cpuMs).filter(({ value }) =>
      Number.isFinite(value),
    ),
  ];
}

function repeatsOf(length: number, quick: boolean): number {
  if (quick) return 3;
  return length >= 1_000 ? 5 : length >= 200 ? 9 : 15;
}

/** Alternates ABAB, so that other load of the machine affects both. */
async function interleaved(
  { admin, quick }: Environment,
  subjects: SubjectPair,
  length: number,
): Promise<Pairs> {
  const measure = ({ calls, database }: RemoteSubject) =>
    measurePostgres(admin, database, () => calls.runs({ steps: length, count: 1 }));
  const pairs: { bron: Sample; bare: Sample }[] = [];
  for (let repeat = 0; repeat < repeatsOf(length, quick); repeat++)
    pairs.push({ bron: await measure(subjects.bron), bare: await measure(subjects.bare) });
  return pairs;
}

function countOf({ statements }: RunsMeasure): number {
  return sum(Object.values(statements));
}

function describeStatements(statements: Readonly<Record<string, number>>): string {
  return Object.entries(statements)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 8)
    .map(([name, count]) => `${count} x ${name.slice(0, 60)}`)
    .join("; ");
}

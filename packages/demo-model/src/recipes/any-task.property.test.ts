import { sampleCount, threadCpuMs } from "@bron/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { understand } from "../recipe/understand.ts";
import type { JsonObject } from "../wire.ts";
import { createTestSimulator } from "./agent-loop.fixture.ts";
import { createConversation, plan, today } from "./conversation.fixture.ts";
import { readEventReply } from "./event-form.ts";
import { postRecipe } from "./notes.ts";
import { readEmailReply } from "./send-email.ts";
import { recipes } from "./recipes.ts";

const declarations = createTestSimulator().tools.map(({ declaration: { name, inputSchema } }) => ({
  name,
  parametersJsonSchema: inputSchema as JsonObject,
}));
const read = (task: string) =>
  understand(task, recipes, { conversation: createConversation({ task }), today });

const clauses = fc.constantFrom(
  "calculate 6*7",
  "add 5",
  "what time is it in Rome",
  "save it as a note called A",
  "write a note titled B: milk, eggs",
  "read my A note",
  "post 'hello' to the office board",
  "book me a flight",
);
const tasks = fc
  .array(fc.tuple(clauses, fc.constantFrom("; ", ". ", ", then ", " and then ", "\n")), {
    minLength: 1,
    maxLength: 7,
  })
  .map((list) => list.flat().join(""));

test("responds to any text", () => {
  const word = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      ..."write note titled : , and then it read my post to the board what is 1 + * ( ' \" % of time in Tokyo save as invoice from #orders calendar tomorrow free email a@b.example https://x.example/".split(
        " ",
      ),
    ),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const { calls = [], text = "" } = plan({ task: words.join(" ") }, declarations);
      return calls.length > 0 || text !== "";
    }),
    { numRuns: sampleCount(300) },
  );
});

test("never treats quoted words as commands", () => {
  fc.assert(
    fc.property(tasks, (words) => {
      const quoted = words.replaceAll("'", "").replaceAll("\n", " ");
      expect(read(`post "${quoted}" to the office board`)).toMatchObject([
        { recipe: postRecipe, slots: { board: "office", text: quoted } },
      ]);
    }),
  );
});

test("reads a task of any length in under a second of CPU", () => {
  for (const text of [
    ", a".repeat(50_000),
    "write a note titled X: a, ".repeat(76),
    "1 + ".repeat(499),
    "from ".repeat(400),
    "send mail to a@b.c ".repeat(105),
    "invoice from A, ".repeat(120),
    "and say ".repeat(240),
    "a@".repeat(990),
    "last 30 days ".repeat(150),
    '"'.repeat(1_900),
    ", ".repeat(990),
    "what did Eva write about ".repeat(78),
    "mail ".repeat(30_000),
    "schedule call tomorrow and ".repeat(70),
    "email eva, jonas and ".repeat(90),
    "write eva a mail that a and ask her to b ".repeat(45),
    "reply to eva lang that ".repeat(80),
    "forward the a b c mail ".repeat(80),
    "from eva lang ".repeat(130),
    "am I free at half past twelve, ".repeat(60),
  ])
    expect(
      threadCpuMs(() => read(text)),
      text.slice(0, 20),
    ).toBeLessThan(1_000);
});

test("reads a reply of any length in under a second of CPU", () => {
  for (const text of [
    "cc eva and ".repeat(190),
    "also add eva, ".repeat(150),
    "to eva instead ".repeat(130),
    "make it shorter, ".repeat(120),
    "don't write 'x', ".repeat(120),
    "subject: a, ".repeat(160),
    "one hour later, ".repeat(120),
    "without eva, ".repeat(150),
    "at 10:00 ".repeat(220),
    "mention that ".repeat(150),
    "a".repeat(2_000),
  ]) {
    const read = () => [
      readEmailReply({ words: text, edit: {} }, {}),
      readEventReply({ words: text, edit: {} }, { today }),
    ];
    expect(threadCpuMs(read), text.slice(0, 20)).toBeLessThan(1_000);
  }
});

import { describe, expect, test } from "vitest";
import type { JsonObject } from "../wire.ts";
import { playScene } from "./ordinary-words.fixture.ts";
import { corrections } from "./corrections.fixture.ts";
import * as wishes from "./every-wish.fixture.ts";

const changes =
  /^(?:gmail_(?:send|reply|forward|draft_create|draft_send)|calendar_event_\w+|slack_post|notes_write)$/;

function effectsOf(
  calls: readonly { readonly name: string; readonly args: JsonObject }[],
  wanted = changes,
) {
  return calls.filter(({ name }) => wanted.test(name));
}

describe.each(Object.entries<readonly wishes.Wish[]>(wishes))("%s", (group, rows) => {
  test.each(rows.map((wish) => ({ wish, title: [wish[0]].flat().join(" / ") })))(
    "$title",
    ({ wish: [says, ends, effects, part = ""] }) => {
      const { outcome, calls, text } = playScene({ says: [says].flat() });
      const made = effectsOf(calls, group === "questions" ? /^gmail_search$/ : changes);
      expect({ ends: outcome === "done" ? "done" : "open", made, text }).toMatchObject({
        ends,
        made: effects.map(([name, args]) => ({ name, args })),
      });
      expect(text).toContain(part);
    },
  );
});

describe("a correction at an approval", () => {
  test.each(corrections.map((row) => ({ row, title: [row.says, ...row.replies].join(" / ") })))(
    "$title",
    ({ row: { says, replies, ends, form, without = [], part = "" } }) => {
      const [first = "", ...others] = replies;
      const { outcome, calls, text } = playScene({
        says: [says],
        decides: () => [
          { tool: "any", reply: first },
          ...others.map((answer) => ({ tool: "ask_user", answer })),
        ],
      });
      const forms = effectsOf(calls);
      const questions = calls.filter(({ name }) => name === "ask_user");
      expect({ outcome, text }).toMatchObject({ outcome: ends });
      expect(forms.length).toBe(form === undefined ? 1 : 2);
      expect(forms[1]?.args ?? {}).toMatchObject(form ?? {});
      for (const key of without) expect(forms[1]?.args).not.toHaveProperty(key);
      expect(
        `${text} ${questions.map(({ args }) => String(args["question"])).join(" ")}`,
      ).toContain(part);
    },
  );
});

test("sends the attached file with the dictated text", () => {
  const { outcome, calls } = playScene({
    says: ["mail this to priya and say here is the stock list"],
    files: [{ name: "stock.csv", mediaType: "text/csv", digest: "sha256:csv" }],
  });
  expect(outcome).toBe("done");
  expect(effectsOf(calls)).toMatchObject([
    {
      name: "gmail_send",
      args: {
        to: ["priya@lindqvist.example"],
        bodyText: "here is the stock list",
        attachments: [{ digest: "sha256:csv", filename: "stock.csv" }],
      },
    },
  ]);
});

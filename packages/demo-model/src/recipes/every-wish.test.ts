import { describe, expect, test } from "vitest";
import type { JsonObject } from "../wire.ts";
import { playScene } from "./ordinary-words.fixture.ts";
import * as wishes from "./every-wish.fixture.ts";

const changes =
  /^(?:gmail_(?:send|reply|forward|draft_create|draft_send)|calendar_event_\w+|slack_post|notes_write)$/;

function effectsOf(calls: readonly { readonly name: string; readonly args: JsonObject }[]) {
  return calls.filter(({ name }) => changes.test(name));
}

describe.each(Object.entries<readonly wishes.Wish[]>(wishes))("%s", (_, rows) => {
  test.each(rows.map((wish) => ({ wish, title: [wish[0]].flat().join(" / ") })))(
    "$title",
    ({ wish: [says, ends, effects, part = ""] }) => {
      const { outcome, calls, text } = playScene({ says: [says].flat() });
      const made = effectsOf(calls);
      expect({ ends: outcome === "done" ? "done" : "open", made, text }).toMatchObject({
        ends,
        made: effects.map(([name, args]) => ({ name, args })),
      });
      expect(text).toContain(part);
    },
  );
});

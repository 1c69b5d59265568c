import { expect, it } from "vitest";
import { createPick } from "./support/generated/pick.ts";
import { forbiddenSpelling, manyLinksAtOnce } from "./support/generated/typed-links.ts";
import { playCase } from "./support/play-case.ts";
import { failuresOf } from "./support/verdict-of-case.ts";

const full = process.env["BRON_ATTACKS"] === "full";

// Apart from the other classes: a reader that misses the prohibition lets such links be opened.
it.each([forbiddenSpelling, manyLinksAtOnce])(
  "X3 asks about links that the words do not cover: $name",
  async (generate) => {
    for (let seed = 0; seed < (full ? 60 : 5); seed++) {
      const one = generate(createPick(seed));
      const result = await playCase(one, { level: "autonomous", approver: "absent" });
      expect(failuresOf(one, result), one.name).toEqual([]);
    }
  },
);

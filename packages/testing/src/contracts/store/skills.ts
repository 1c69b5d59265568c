import {
  acceptSkill,
  addSkill,
  findSkill,
  removeSkill,
  shipSkill,
  type FoundVersion,
} from "@bron/core";
import type { SkillContent } from "@bron/protocol";
import { expect, it } from "vitest";
import { freshOwner, type StoreHarness } from "./store-harness.ts";

const contentOf = (name: string, text: string): SkillContent => ({
  version: {
    name,
    digest: `sha256:${name} ${text}`,
    description: `Use it for ${text}.`,
    license: null,
    compatibility: null,
    allowedTools: ["clock"],
    files: [{ path: "SKILL.md", kind: "instructions", sizeBytes: text.length, digest: text }],
    warnings: [],
  },
  texts: [{ path: "SKILL.md", text: `${text}\u0000` }],
});

export function testSkills({ store }: StoreHarness): void {
  const foundOf = (content: SkillContent, more: Partial<FoundVersion> = {}): FoundVersion => ({
    name: content.version.name,
    digest: content.version.digest,
    source: "added",
    place: null,
    ...more,
  });
  const add = async (ownerId: string, content: SkillContent, more: Partial<FoundVersion> = {}) => {
    await store.skills.save(ownerId, content);
    const found = foundOf(content, more);
    await store.skills.change(ownerId, found.name, (before) => addSkill(before, found));
    return found;
  };
  const accept = (ownerId: string, found: { readonly name: string; readonly digest: string }) =>
    store.skills.change(ownerId, found.name, (before) => acceptSkill(before, found));
  const bronOf = async (ownerId: string) => (await store.brons.list(ownerId))[0]!.id;

  it("BR11 lets no Bron use a skill before exactly its version was accepted", async () => {
    const ownerId = freshOwner();
    const bronId = await bronOf(ownerId);
    const first = await add(ownerId, contentOf("tidy", "one"));
    expect(await store.skills.usable(ownerId, bronId)).toEqual([]);
    expect(await store.skills.list(ownerId)).toMatchObject([
      { name: "tidy", accepted: null, acceptedAt: null, proposed: { digest: first.digest } },
    ]);
    await accept(ownerId, first);
    const [accepted] = await store.skills.list(ownerId);
    expect(accepted).toMatchObject({ accepted: { digest: first.digest }, proposed: null });
    expect(Date.parse(accepted!.acceptedAt!)).not.toBeNaN();
    expect(await store.skills.usable(ownerId, bronId)).toEqual([
      {
        name: "tidy",
        digest: first.digest,
        description: "Use it for one.",
        allowedTools: ["clock"],
        isShipped: false,
      },
    ]);
    const second = await add(ownerId, contentOf("tidy", "two"));
    expect(await store.skills.usable(ownerId, bronId)).toMatchObject([{ digest: first.digest }]);
    const [changed] = await store.skills.list(ownerId);
    expect(changed).toMatchObject({ acceptedAt: accepted!.acceptedAt });
    const third = { name: "tidy", digest: "sha256:other" };
    await expect(accept(ownerId, third)).rejects.toMatchObject({ code: "conflict" });
    await accept(ownerId, second);
    expect(await store.skills.usable(ownerId, bronId)).toMatchObject([{ digest: second.digest }]);
    expect(
      (await store.audit.list(ownerId, { what: "skill" })).map(({ what, details }) => [
        what,
        details,
      ]),
    ).toEqual(
      ["skill.accepted", "skill.added", "skill.accepted", "skill.added"].map((what) => [
        what,
        { name: "tidy", source: "added" },
      ]),
    );
  });

  it("BR11 keeps the content of a version under its digest, also when the skill is gone", async () => {
    const ownerId = freshOwner();
    const content = contentOf("tidy", "one");
    const found = await add(ownerId, content);
    await store.skills.save(ownerId, content);
    await accept(ownerId, found);
    await store.skills.change(ownerId, "tidy", (before) =>
      removeSkill(before, { name: "tidy", isStillThere: false }),
    );
    expect(await store.skills.list(ownerId)).toEqual([]);
    expect(await store.skills.content(ownerId, found.digest)).toEqual(content);
    expect(await store.skills.versions(ownerId, [found.digest, "sha256:none"])).toEqual([
      content.version,
    ]);
    expect(await store.skills.content(freshOwner(), found.digest)).toBeUndefined();
    expect(await store.skills.versions(freshOwner(), [found.digest])).toEqual([]);
    await expect(accept(ownerId, found)).rejects.toMatchObject({ code: "not_found" });
  });

  it("BR11 gives a Bron the skills that were chosen for it, by name", async () => {
    const ownerId = freshOwner();
    const bronId = await bronOf(ownerId);
    for (const name of ["tidy", "a-first", "a_second"])
      await accept(ownerId, await add(ownerId, contentOf(name, name)));
    const names = async () => (await store.skills.usable(ownerId, bronId)).map(({ name }) => name);
    expect(await names()).toEqual(["a-first", "a_second", "tidy"]);
    expect(await store.brons.get(ownerId, bronId)).toMatchObject({ skills: null });
    await store.brons.change(ownerId, bronId, { skills: ["gone", "tidy"] });
    expect(await names()).toEqual(["tidy"]);
    expect(await store.brons.get(ownerId, bronId)).toMatchObject({ skills: ["gone", "tidy"] });
    await store.brons.change(ownerId, bronId, { skills: [] });
    expect(await names()).toEqual([]);
    const id = await store.brons.create(ownerId, {
      name: "Nova",
      systemPrompt: "",
      personaSource: "typed",
      trustLevel: "supervised",
      skills: ["tidy"],
    });
    expect(await store.skills.usable(ownerId, id)).toMatchObject([{ name: "tidy" }]);
    expect(await store.skills.usable(freshOwner(), id)).toEqual([]);
  });

  it("BR11 takes a shipped version without a review, and no version of another folder", async () => {
    const ownerId = freshOwner();
    const [one, two] = [contentOf("tidy", "one"), contentOf("tidy", "two")];
    for (const content of [one, two]) {
      await store.skills.save(ownerId, content);
      const found = foundOf(content, { source: "shipped" });
      await store.skills.change(ownerId, "tidy", (before) => shipSkill(before, found));
    }
    expect(await store.skills.list(ownerId)).toMatchObject([
      { accepted: { digest: two.version.digest, source: "shipped" }, proposed: null },
    ]);
    const other = foundOf(one, { source: "folder", place: "/a/b" });
    await store.skills.change(ownerId, "tidy", (before) => findSkill(before, other));
    expect(await store.skills.list(ownerId)).toMatchObject([{ proposed: null }]);
    await store.skills.change(ownerId, "tidy", (before) =>
      removeSkill(before, { name: "tidy", isStillThere: true }),
    );
    const again = foundOf(two, { source: "shipped" });
    await store.skills.change(ownerId, "tidy", (before) => shipSkill(before, again));
    expect(await store.skills.list(ownerId)).toMatchObject([
      { accepted: null, proposed: { digest: two.version.digest } },
    ]);
  });

  it("BR11 accepts one of several changes that happen at the same time", async () => {
    const ownerId = freshOwner();
    const found = await add(ownerId, contentOf("tidy", "one"));
    await Promise.all(Array.from({ length: 8 }, () => accept(ownerId, found)));
    expect(await store.audit.list(ownerId, { what: "skill.accepted" })).toHaveLength(1);
  });
}

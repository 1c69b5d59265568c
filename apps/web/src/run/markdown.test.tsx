import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown.tsx";

const render = (text: string) => renderToStaticMarkup(<Markdown text={text} />);
const wordsOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

describe("the rendered text of a model", () => {
  it("BR2 has paragraphs, emphasis, lists, code and tables", () => {
    const page = render(
      "# Title\n\nSome **bold** and *soft* `code`.\n\n- one\n- two\n  - inner\n\n3. three\n\n```ts\nlet a = 1 < 2;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    );
    for (const markup of [
      "<strong>bold</strong>",
      "<em>soft</em>",
      'start="3"',
      "let a = 1 &lt; 2;",
      "<td",
      'role="heading"',
    ])
      expect(page).toContain(markup);
    expect(page.match(/<li/g)).toHaveLength(4);
  });

  it("BR2 keeps a line after a list out of its last item, unless it is indented", () => {
    const page = render(
      "Monday:\n- one\n- two\n  more of two\nTuesday:\n- three\n**Wednesday**\n4. four\n5. five\n\n   still five",
    );
    expect(page).toMatch(/<li[^>]*>(?:<[^>]*>)*two\nmore of two/);
    expect(page).toMatch(/<p[^>]*>Tuesday:<\/p>/);
    expect(page).toMatch(/<p[^>]*><strong>Wednesday<\/strong><\/p><ol[^>]*start="4"/);
    expect(page.match(/<li/g)).toHaveLength(5);
  });

  it("BR2 leaves code, numbers inside text and loose lists unchanged", () => {
    expect(wordsOf(render("```\n- one\ntwo\n```"))).toContain("- one two");
    expect(render("```\n- one\ntwo\n```")).toContain("- one\ntwo");
    expect(render("It was\n1986. A good\nyear")).toMatch(/<p[^>]*>It was\n1986. A good\nyear<\/p>/);
    expect(render("- one\n\n- two\n\nafter").match(/<ul/g)).toHaveLength(1);
  });

  it("X3 has no link, image or HTML, and shows the targets of links", () => {
    const page = render(
      '[pay here](https://evil.example/c "t") ![x](https://evil.example/p.png?d=1) <img src=https://evil.example/b onerror=alert(1)>\n\n<script>alert(1)</script>\n\n[ref][r] https://evil.example/auto <https://evil.example/angle>\n\n[r]: https://evil.example/ref',
    );
    expect(page).not.toMatch(/<(?:a|img|script|iframe|svg|object|form|input|link|style)\b/i);
    expect(page).not.toMatch(/\s(?:href|src|srcset|onerror|style)=["']/i);
    for (const target of [
      "https://evil.example/c",
      "https://evil.example/p.png?d=1",
      "https://evil.example/ref",
      "https://evil.example/auto",
      "https://evil.example/angle",
    ])
      expect(wordsOf(page), target).toContain(target);
    expect(page).toContain("&lt;script&gt;");
  });

  it("X3 shows the real target of a misleading link", () => {
    expect(wordsOf(render("[https://bank.example](https://evil.example)"))).toContain(
      "https://bank.example [https://evil.example]",
    );
  });

  it("X3 shows text that is too long or too deeply nested as plain text", () => {
    expect(render("a".repeat(100_001))).toContain("<p");
    for (const depth of [100, 20_000])
      expect(render(`${">".repeat(depth)} end`)).toContain("&gt; end");
    expect(wordsOf(render(`${"[".repeat(5_000)}end`))).toContain("end");
  });
});

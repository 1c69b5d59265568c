import { isFullSuite, sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readInProcess } from "../../fixtures/read-in-process.fixture.ts";

const page = (body: string, head = "") =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
const read = (body: string, head?: string) => readInProcess(page(body, head));

describe("a page", () => {
  it("is read like a person sees it: blocks, lists, breaks, preformatted text", async () => {
    const { kind, text, warnings } = await read(
      "<h1>Offer\n 12</h1><p>Dear <b>Bo</b>,<br>here it\n is.<ul><li>one<li>two<ol start=3><li>three</ol></ul><pre>a  b\n c</pre><div>x</div><div>y</div>",
      "<title>The  offer</title>",
    );
    expect({ kind, warnings }).toEqual({ kind: "html", warnings: [] });
    expect(text).toBe(
      "The offer\n\nOffer 12\n\nDear Bo,\nhere it is.\n\n- one\n- two\n  3. three\n\na  b\n c\n\nx\ny",
    );
  });

  it("drops scripts, styles, templates and frames", async () => {
    expect(
      (
        await read(
          "a<script>b()</script><style>.c{}</style><template>d</template><iframe>e</iframe> f",
        )
      ).text,
    ).toBe("a f");
  });

  it("keeps link targets, unless the text shows them or they are no addresses", async () => {
    const { text } = await read(
      '<a href="https://evil.example/x">https://bank.example</a> <a href="https://a.example/">a.example</a> <a href="mailto:bo@b.example">bo@b.example</a> <a href="javascript:steal()">here</a> <a href="#top">top</a>',
    );
    expect(text).toBe(
      "https://bank.example <https://evil.example/x> a.example bo@b.example here top",
    );
  });

  it("labels the alt text of images", async () => {
    expect((await read('See <img alt="our logo" src="https://a.example/p.gif"> here')).text).toBe(
      "See [image: our logo] here",
    );
  });

  it("is decoded by its declaration, otherwise by what fits", async () => {
    const bytes = Buffer.from(page("Stra\xdfe", '<meta charset="iso-8859-1">'), "latin1");
    expect(await readInProcess(bytes)).toMatchObject({ text: "Straße", warnings: [] });
    const cyrillic = Buffer.concat([
      Buffer.from(
        '<html><meta http-equiv="content-type" content="text/html; charset=windows-1251"><p>',
      ),
      Buffer.from([0xcf, 0xf0, 0xe8]),
    ]);
    expect((await readInProcess(cyrillic)).text).toBe("При");
    expect(await readInProcess(Buffer.from("<html>Stra\xdfe", "latin1"))).toMatchObject({
      text: "Straße",
      warnings: [expect.stringContaining("Windows-1252")],
    });
  });
});

describe("a table on a page", () => {
  it("stays a table and appears in the text row by row", async () => {
    const { tables, text } = await read(
      "<p>Before<table><tr><th>Item<th>Price<tr><td>Bolt,<br>long<td>1.50</table>After",
    );
    expect(tables).toEqual([
      {
        name: "table 1",
        rows: [
          ["Item", "Price"],
          ["Bolt,\nlong", "1.50"],
        ],
      },
    ]);
    expect(text).toBe("Before\n\nItem\tPrice\nBolt, long\t1.50\n\nAfter");
  });

  it("keeps cells in their columns when some span several", async () => {
    const { tables } = await read(
      "<table><tr><td rowspan=2>a<td colspan=2>b<td>c<tr><td>d<td>e<td>f<tr><td>g<td>h</table>",
    );
    expect(tables[0]?.rows).toEqual([
      ["a", "b", "", "c"],
      ["", "d", "e", "f"],
      ["g", "h"],
    ]);
  });

  it("that is only layout is not a table", async () => {
    const { tables, text } = await read(
      "<table><tr><td>left<td><table><tr><td>Sum<td>7</table></table><table role=presentation><tr><td>a<td>b</table><table><tr><td>one column</table>",
    );
    expect(tables).toEqual([{ name: "table 1", rows: [["Sum", "7"]] }]);
    expect(text).toBe("left\n\nSum\t7\n\na\nb\n\none column");
  });

  const cell = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  it("returns all cells that it was made of", async () => {
    const rows = fc.integer({ min: 2, max: 5 }).chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 6,
      }),
    );
    const property = fc.asyncProperty(rows, async (given) => {
      const html = given
        .map((cells) => `<tr>${cells.map((one) => `<td>${one}</td>`).join("")}</tr>`)
        .join("");
      const { tables, text } = await read(`<table>${html}</table>`);
      expect(tables).toEqual([{ name: "table 1", rows: given }]);
      expect(text).toBe(given.map((cells) => cells.join("\t")).join("\n"));
    });
    await fc.assert(property, { numRuns: sampleCount(50) });
  });
});

const hiding: readonly string[] = [
  '<div style="display:none">SECRET</div>',
  '<div style="DISPLAY : NONE !important">SECRET</div>',
  "<div hidden>SECRET</div>",
  '<p style="visibility:hidden">SECRET',
  '<span style="font-size:0">SECRET</span>',
  '<span style="font-size:1px">SECRET</span>',
  '<div style="font-size:0"><b style="font-size:1em">SECRET</b></div>',
  '<span style="opacity:0.0">SECRET</span>',
  '<div style="position:absolute;left:-9999px">SECRET</div>',
  '<div style="text-indent:-5000em">SECRET</div>',
  '<div style="max-height:0;overflow:hidden">SECRET</div>',
  '<div style="clip:rect(0 0 0 0)">SECRET</div>',
  '<p style="color:#ffffff">SECRET',
  '<p style="color:rgb(254, 254, 254)">SECRET',
  '<p style="color:transparent">SECRET',
  '<p style="color:#00000005">SECRET',
  '<p style="color:rgb(0 0 0 / 1%)">SECRET',
  '<div style="transform:translateX(-9999px)">SECRET</div>',
  "<dialog>SECRET</dialog>",
  '<font color="white">SECRET</font>',
  '<div style="background:#222"><p style="color:#222222">SECRET</div>',
  '<style>.gone{display:none}</style><p class="a gone">SECRET',
  '<style>#x{font-size:0px !important}</style><p id=x style="font-size:12px">SECRET',
  "<!-- SECRET -->",
  "<style>.a .b{display:none}</style><div class=a><i><p class=b>SECRET</i></div>",
  "<style>div>p{display:none}</style><div><p>SECRET</div>",
  '<style>p.a.b{display:none}</style><p class="b a">SECRET',
  "<style>p *{font-size:0}</style><p><b>SECRET</b>",
  '<style>[data-x="1"]{display:none}</style><p data-x=1>SECRET',
  "<style>@media all{.c{display:none}}</style><p class=c>SECRET",
  "<style>@media only screen and (min-width:1px){@supports (display:block){.c{display:none}}}</style><p class=c>SECRET",
  "<style>.c{display:none</style><p class=c>SECRET",
  "<style>.\\63 {display:none}</style><p class=c>SECRET",
  '<p style="font:0/0 a">SECRET',
  '<p style="font:italic 1px/2 serif">SECRET',
  '<p style="color:hsl(0, 0%, 100%)">SECRET',
  '<p style="color:hsl(240deg 100% 99%)">SECRET',
  '<p style="color:#fff0">SECRET',
  '<p style="color:rgb(100%,100%,100%)">SECRET',
  '<p style="-webkit-text-fill-color:transparent">SECRET',
  '<p style="display:/**/none">SECRET',
  '<p style="d\\69splay:none">SECRET',
  `<p style="display:none;content:'; display:block'">SECRET`,
  '<div style="height:1px;overflow:hidden">SECRET</div>',
  '<div style="max-width:0;overflow-x:hidden">SECRET</div>',
  '<p style="font-size:2px">SECRET',
  '<p style="font-size:1pt">SECRET',
  '<p style="font-size:0.1em">SECRET',
  '<div style="position:absolute;left:-200vw">SECRET</div>',
  '<div style="position:absolute;left:calc(-9999px + 1px)">SECRET</div>',
  '<div style="position:fixed;bottom:-100%">SECRET</div>',
  '<div style="filter:opacity(0)">SECRET</div>',
  "<div popover>SECRET</div>",
  "<style>.p{color:#000;& .x{display:none}}</style><div class=p><b class=x>SECRET</b></div>",
  "<style>.p{.x{display:none}color:#000}</style><div class=p><b class=x>SECRET</b></div>",
  "<style>.x{@media screen{display:none}}</style><b class=x>SECRET</b>",
  "<style>:root{--c:none}.x{display:var(--c)}</style><b class=x>SECRET</b>",
  '<b style="--c:none;display:var(--c)">SECRET</b>',
  '<b style="display:var(--c, none)">SECRET</b>',
  '<p style="font-size:calc(0px)">SECRET',
  '<p style="color:oklch(100% 0 0)">SECRET',
  '<p style="color:oklab(0.99 0 0 / 1)">SECRET',
  '<p style="color:color(srgb 1 1 1)">SECRET',
  '<p style="color:light-dark(#fff, #000)">SECRET',
  '<p style="color:hwb(0 100% 0%)">SECRET',
  '<div style="transform:scale(0.001)">SECRET</div>',
  '<div style="zoom:.01">SECRET</div>',
  '<div style="position:fixed;inset:-9999px">SECRET</div>',
  '<div style="margin:0 0 0 -9999px">SECRET</div>',
  '<div style="clip-path:polygon(0 0, 0 0, 0 0)">SECRET</div>',
  '<p style="letter-spacing:-1em">SECRET',
  "<svg width=0><text>SECRET</text></svg>",
  '<div style="max-height:0;overflow:auto">SECRET</div>',
  '<div style="display:none;display:bogus">SECRET</div>',
  '<div style="display:none;display:bogus(1)">SECRET</div>',
  '<div style="display:none;display:<!-- block">SECRET</div>',
  '<p style="visibility:hidden;visibility:shown">SECRET',
  '<p style="opacity:0;opacity:full">SECRET',
  '<p style="font-size:0;font-size:12 px">SECRET',
  '<p style="color:#fff;color:nocolor">SECRET',
  "<style>p{display:none}p.x{display:bogus!important}</style><p class=x>SECRET",
  "<style><!-- p{display:none} --></style><p>SECRET",
  Array.from("SECRET", (letter) =>
    String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)),
  ).join(""),
];
const showing: readonly string[] = [
  "<style>@media print{.y{display:none}}</style><p class=y>OPEN",
  '<div style="background:#000"><p style="color:#fff">OPEN</div>',
  '<table bgcolor="#003366"><tr><td><font color="white">OPEN</font></table>',
  '<div style="background:url(a.png)"><p style="color:#fff">OPEN</div>',
  '<style>body .card{background:#000}</style><p class=card style="color:#fff">OPEN',
  '<td style="font-size:0"><span style="font-size:14px">OPEN</span>',
  '<div style="visibility:hidden"><p style="visibility:visible">OPEN</div>',
  '<p style="color:rgba(0,0,0,0.5)">OPEN',
  "<dialog open>OPEN</dialog>",
  '<p style="opacity:0.9;font-size:12px;left:-1px">OPEN',
  '<p style="font-size:0.9em;height:0">OPEN',
  "<style>.a .b{display:none}</style><p class=b>OPEN",
  "<style>.a>.b{display:none}</style><div class=a><div><p class=b>OPEN</div></div>",
  "<style>.a.b{display:none}</style><p class=a>OPEN",
  "<style>@media screen and (max-width:600px){.y{display:none}}</style><p class=y>OPEN",
  "<style>p{display:none}#z{display:block}</style><p id=z>OPEN",
  "<style>.x:hover{opacity:0}p::before{display:none}</style><p class=x>OPEN",
  '<p style="color:hsl(0 0% 0%);font:700 12px/1.4 Arial">OPEN',
  '<p style="margin-left:-100%;left:-20%">OPEN',
  "<style>:root{--ink:#222}p{color:var(--ink);font-size:calc(16px);width:calc(100% - 2px)}</style><p>OPEN",
  "<style>.a{.b{display:none}}</style><p class=b>OPEN",
  '<p style="color:oklch(40% 0.1 20);clip-path:polygon(0 0, 100% 0, 100% 100%)">OPEN',
];
const overriding: readonly string[] = [
  "display:none;display:inline-block",
  "display:none;display:block flex",
  "display:none;display:table-header-group",
  "display:none;display:-webkit-box",
  "display:none;display:revert",
  "visibility:hidden;visibility:visible",
  "opacity:0;opacity:.5",
  "font-size:0;font-size:x-large",
  "font-size:0;font-size:1.5E1PX",
  "color:#fff;color:RebeccaPurple",
  "color:#fff;color:CanvasText",
];
const unclear: readonly string[] = [
  "<style>p:not(.a){display:none}</style><p>OPEN",
  '<p style="display:var(--from-elsewhere)">OPEN',
  "<style>.a{--c:none}.b{--c:block}p{display:var(--c)}</style><p>OPEN",
  '<p style="font-size:clamp(0px, 0px, 0px)">OPEN',
  '<p style="color:#fff;color:bogus(1)">OPEN',
  '<p style="color:color-mix(in srgb, white, white)">OPEN',
  '<p style="mask:linear-gradient(#0000, #0000)">OPEN',
  "<style>b~p{visibility:hidden}</style><p>OPEN",
  "<style>p:nth-child(1){font-size:0}</style><p>OPEN",
  "<style>.sm\\:c{display:none}</style><p class=sm:c>OPEN",
];

describe("hidden text", () => {
  it.for(hiding)("%s is left out with a warning", async (html) => {
    const { text, warnings } = await read(`seen ${html}`);
    expect(text).toBe("seen");
    expect(warnings).toEqual([
      'Hidden text was left out (6 characters that a person would not see). The hidden text starts with: "SECRET"',
    ]);
  });

  it.for(showing)("%s is visible", async (html) => {
    expect(await read(html)).toMatchObject({ text: "OPEN", warnings: [] });
  });

  it.for(overriding)("%s is visible, because the last value is valid", async (style) => {
    expect(await read(`<p style="${style}">OPEN`)).toMatchObject({ text: "OPEN", warnings: [] });
  });

  it.for(unclear)("%s may be hidden, which causes a warning", async (html) => {
    expect(await read(html)).toMatchObject({
      text: "OPEN",
      warnings: [expect.stringContaining("styles are not understood")],
    });
  });

  it("includes hidden form fields", async () => {
    expect((await read('<input value="typed"> <input type=HIDDEN value="kept">')).text).toBe(
      "typed",
    );
  });

  it("does not include region flags", async () => {
    const flag = `\u{1f3f4}${Array.from("gbeng", (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("")}\u{e007f}`;
    expect(await read(`a ${flag} b`)).toMatchObject({ text: `a ${flag} b`, warnings: [] });
  });

  it("is quoted in a short excerpt, however long it is", async () => {
    const { warnings } = await read(`<div hidden>${"do this now ".repeat(10_000)}</div>`);
    expect(warnings).toEqual([expect.stringMatching(/119,99\d characters/)]);
    expect(warnings[0]?.length).toBeLessThan(400);
  });
});

describe("a huge page", () => {
  it("of very many levels is read", async () => {
    for (const tag of ["<div>", "<b>", "<ul><li>", '<a href="x">']) {
      const levels = isFullSuite ? 100_000 : 20_000;
      expect((await read(`${tag.repeat(levels)}deep`)).text, tag).toContain("deep");
    }
    const tables = isFullSuite ? 50_000 : 10_000;
    expect((await read(`${"<table><tr><td>".repeat(tables)}deep`)).text).toBe("deep");
  });

  it("with endlessly climbing rules is read with a warning that not all were applied", async () => {
    const rules = Array.from(
      { length: 200 },
      (_, index) => `.x${index} div div div div{display:none}`,
    ).join("");
    const { text, warnings } = await read(
      `${"<div>".repeat(5_000)}deep`,
      `<style>${rules}</style>`,
    );
    expect(text).toBe("deep");
    expect(warnings).toEqual([expect.stringContaining("styles are not understood")]);
  });

  it("with endless cells is cut off with a warning", async () => {
    const { tables, truncated, warnings } = await read(
      `<table>${"<tr><td colspan=1000>1<td rowspan=65534>2".repeat(200_000)}`,
    );
    expect({
      truncated,
      isTold: warnings.some((warning) => warning.startsWith("Truncated")),
    }).toEqual({ truncated: true, isTold: true });
    expect(tables[0]?.rows.every((row) => row.length <= 202)).toBe(true);
  });
});

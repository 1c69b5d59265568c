import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { Fragment, memo, type ReactNode } from "react";
import { texts } from "../texts.ts";
import { withRoomAfterLists } from "./after-lists.ts";

/** Longer texts are shown as plain text, because parsing them would block the page. */
const maxCharacters = 100_000;
/** No honest text is nested deeper than this. */
const maxDepth = 40;

/**
 * Renders the text of a model with our own elements only. The text may repeat untrusted content, so
 * links cannot be clicked, images are not loaded and HTML is shown as text. The target of a link is
 * shown beside it.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return <div className="grid gap-3 leading-relaxed wrap-anywhere">{blocksOf(text)}</div>;
});

function blocksOf(text: string): ReactNode {
  if (text.length > maxCharacters) return <Plain text={text} />;
  try {
    const tokens = lexer(withRoomAfterLists(text), { gfm: true });
    return isDeeper(tokens, maxDepth) ? (
      <Plain text={text} />
    ) : (
      <Blocks tokens={withHeadingsFromTop(tokens)} />
    );
  } catch {
    // The text is nested too deeply for the parser.
    return <Plain text={text} />;
  }
}

/** Shifts the headings so that the highest one is directly below the heading of the page. */
function withHeadingsFromTop(tokens: readonly Token[]): readonly Token[] {
  const depths = tokens.flatMap((token) =>
    token.type === "heading" ? [(token as Tokens.Heading).depth] : [],
  );
  return tokens.map((token) =>
    token.type === "heading"
      ? { ...token, depth: (token as Tokens.Heading).depth - Math.min(...depths) + 1 }
      : token,
  );
}

function isDeeper(tokens: readonly Token[], depth: number): boolean {
  return (
    depth === 0 ||
    tokens.some((token) =>
      isDeeper(
        [
          ...("tokens" in token ? (token.tokens ?? []) : []),
          ...(token.type === "list" ? (token as Tokens.List).items : []),
        ],
        depth - 1,
      ),
    )
  );
}

function Plain({ text }: { readonly text: string }) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}

function Blocks({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map((token, index) => <Block key={index} token={token as MarkedToken} />);
}

function Block({ token }: { readonly token: MarkedToken }) {
  switch (token.type) {
    case "space":
      return null;
    case "paragraph":
      return (
        <p className="whitespace-pre-line">
          <Spans tokens={token.tokens} />
        </p>
      );
    case "heading":
      // Not an <h*> element, because it is a heading of the text and not of the page.
      return (
        <p
          role="heading"
          aria-level={token.depth + 1}
          className={token.depth <= 2 ? "mt-2 text-lg font-semibold" : "mt-1 font-semibold"}
        >
          <Spans tokens={token.tokens} />
        </p>
      );
    case "list":
      return <List {...token} />;
    case "code":
      return (
        <pre className="m-0 max-h-none overflow-x-auto rounded-lg border border-edge bg-raised p-3 text-sm whitespace-pre-wrap">
          {token.text}
        </pre>
      );
    case "blockquote":
      return (
        <blockquote className="grid gap-2 border-l-2 border-edge pl-4 text-quiet">
          <Blocks tokens={token.tokens} />
        </blockquote>
      );
    case "table":
      return <Table {...token} />;
    case "hr":
      return <hr className="border-edge" />;
    case "text":
      return <>{token.tokens ? <Spans tokens={token.tokens} /> : token.text}</>;
    case "html":
    case "def":
      return <p className="whitespace-pre-wrap">{token.raw.trim()}</p>;
    default:
      return <Span token={token} />;
  }
}

function List({ ordered, start, items }: Tokens.List) {
  const lines = items.map((item, index) => (
    <li key={index} className="pl-1">
      <div className="grid gap-1">
        {item.loose || item.tokens.some(({ type }) => type === "list" || type === "code") ? (
          <ItemBlocks tokens={item.tokens} />
        ) : (
          <p className="whitespace-pre-line">
            <Spans tokens={item.tokens} />
          </p>
        )}
      </div>
    </li>
  ));
  if (!ordered) return <ul className="grid list-disc gap-1 pl-6">{lines}</ul>;
  return (
    <ol className="grid list-decimal gap-1 pl-6" start={start === "" ? 1 : start}>
      {lines}
    </ol>
  );
}

/** List items may contain text beside blocks that is not in a paragraph. */
function ItemBlocks({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map((token, index) =>
    token.type === "text" ? (
      <p key={index}>
        <Spans tokens={token.tokens ?? [token]} />
      </p>
    ) : (
      <Block key={index} token={token as MarkedToken} />
    ),
  );
}

function Table({ header, rows }: Tokens.Table) {
  return (
    <div className="overflow-x-auto">
      <table className="text-sm">
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col" className="px-3 py-1.5 font-semibold">
                <Spans tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} className="px-3 py-1.5">
                  <Spans tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Spans({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map((token, index) => <Span key={index} token={token as MarkedToken} />);
}

function Span({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case "text":
      return token.tokens ? <Spans tokens={token.tokens} /> : token.text;
    case "escape":
      return token.text;
    case "strong":
      return (
        <strong>
          <Spans tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Spans tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Spans tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code className="rounded bg-raised px-1 py-0.5 text-[0.9em]">{token.text}</code>;
    case "br":
      return <br />;
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "link":
      return (
        <Leads
          words={<Spans tokens={token.tokens} />}
          isBare={token.text === token.href || `mailto:${token.text}` === token.href}
          href={token.href}
        />
      );
    case "image":
      return (
        <span className="rounded border border-dashed border-edge px-1.5 text-sm text-quiet">
          {texts.run.image}: {token.text} <code>{token.href}</code>
        </span>
      );
    default:
      return <Fragment>{token.raw}</Fragment>;
  }
}

/** The text of a link and its target, which cannot be clicked. */
function Leads({
  words,
  href,
  isBare,
}: {
  readonly words: ReactNode;
  readonly href: string;
  readonly isBare: boolean;
}) {
  return (
    <span className="underline decoration-dotted underline-offset-4">
      {words}
      {!isBare && <code className="ml-1 text-[0.85em] text-quiet">{`[${href}]`}</code>}
    </span>
  );
}

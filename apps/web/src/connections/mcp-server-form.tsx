import type { NewMcpServer } from "@bron/protocol";
import { useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Problem } from "../ui/states.tsx";
import { mcpWords as words } from "../words/mcp.ts";

interface McpServerFormProps {
  readonly isBusy: boolean;
  readonly error: Error | null;
  onAdd(server: NewMcpServer): void;
  onClose(): void;
}

/** Adds a server by its address. A program can only be added in a terminal. */
export function McpServerForm({ isBusy, error, onAdd, onClose }: McpServerFormProps) {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [header, setHeader] = useState("");
  const common = { autoComplete: "off", spellCheck: false, className: inputClass };
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd({ name: name.trim(), url: url.trim(), ...headersOf(header) });
      }}
    >
      <Field label={words.name} hint={words.nameHint}>
        {(ids) => (
          <input
            {...ids}
            {...common}
            autoFocus
            required
            pattern="[A-Za-z0-9_\-]{1,40}"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label={words.url} hint={words.urlHint}>
        {(ids) => (
          <input
            {...ids}
            {...common}
            required
            inputMode="url"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      </Field>
      <Field label={words.header} hint={words.headerHint}>
        {(ids) => (
          <input
            {...ids}
            {...common}
            pattern="[A-Za-z0-9\-]+:.+"
            value={header}
            onChange={({ target }) => setHeader(target.value)}
          />
        )}
      </Field>
      <p className="text-sm text-quiet">
        {words.program} <code className="wrap-anywhere">{words.programExample}</code>
      </p>
      <Problem error={error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" kind="main" isBusy={isBusy}>
          {isBusy ? words.adding : words.add}
        </Button>
      </div>
    </form>
  );
}

function headersOf(header: string): Pick<NewMcpServer, "headers"> {
  const at = header.indexOf(":");
  return at < 1 ? {} : { headers: { [header.slice(0, at).trim()]: header.slice(at + 1).trim() } };
}

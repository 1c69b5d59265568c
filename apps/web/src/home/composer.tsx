import type { ApprovalView, RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, type ReactNode } from "react";
import { Icon } from "../layout/icon.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Problem } from "../ui/states.tsx";
import { PastedChips } from "../words-field/pasted-chips.tsx";
import { isSendKey } from "../words-field/is-send-key.ts";
import { AttachButton } from "./attach-button.tsx";
import { FileChips } from "./file-chips.tsx";
import { Suggestions } from "./suggestions.tsx";
import { BronChoice, ModelChoice } from "./task-options.tsx";
import { useComposer } from "./use-composer.ts";

interface ComposerProps {
  readonly suggestions: readonly string[];
  /** Shows one line in place of the suggestions. */
  readonly foldsSuggestions?: boolean;
  /** The Bron that runs the task. Without it, the owner can choose if there are several. */
  readonly bronId?: string;
  /** The conversation to continue. The composer is one line there, and grows with the words. */
  readonly threadId?: string;
  /** The run under way that hears what is written, instead of a new one. */
  readonly runUnderWay?: string | undefined;
  /** The only approval that the run under way waits for. The words are a request to change it. */
  readonly approval?: ApprovalView | undefined;
  readonly label?: string;
  readonly placeholder?: string;
  /** Typing can begin at once, unless a keyboard would cover a phone. */
  readonly takesFocus?: boolean;
  /** More buttons, before the one that sends. */
  readonly actions?: ReactNode;
  /** Called once a new task has started. By default its conversation opens. */
  onStarted?(run: RunView): void;
}

/** Takes a task and its files. */
export function Composer(props: ComposerProps) {
  const { suggestions, foldsSuggestions, label = texts.composerLabel, takesFocus } = props;
  const { bronId, threadId, runUnderWay, approval, onStarted } = props;
  const composer = useComposer({ bronId, threadId, runUnderWay, approval, onStarted });
  const { field, files, add, remove, error, submit } = composer;
  const id = useId();
  useEffect(() => {
    if (takesFocus && matchMedia("(pointer: fine)").matches)
      document.getElementById(id)?.focus({ preventScroll: true });
  }, [id, takesFocus]);
  const isCompact = threadId !== undefined;
  const Layout = isCompact ? OneLine : Box;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        add(event.dataTransfer.files);
        if (event.dataTransfer.files.length === 0)
          field.addDropped(event.dataTransfer.getData("text/plain"));
      }}
    >
      <div
        className={cx(
          "rounded-2xl border border-edge bg-surface shadow-sm focus-within:border-accent",
          isCompact ? "p-1.5" : "p-3",
        )}
      >
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
        <Layout {...props} id={id} composer={composer}>
          <PastedChips field={field} />
          <FileChips files={files} onRemove={remove} />
        </Layout>
      </div>
      <Problem error={error} />
      <Suggestions
        suggestions={suggestions}
        isFolded={foldsSuggestions}
        onChoose={(suggestion) => {
          field.setWords(suggestion);
          field.ref.current?.focus();
        }}
      />
    </form>
  );
}

interface LayoutProps extends ComposerProps {
  readonly id: string;
  readonly composer: ReturnType<typeof useComposer>;
  /** What comes with the words. */
  readonly children: ReactNode;
}

/** The words above the buttons, with room for a long task. */
function Box({ bronId, runUnderWay, actions, children, ...rest }: LayoutProps) {
  const { composer } = rest;
  const { models, brons } = useChoices(bronId, runUnderWay);
  return (
    <>
      <Words {...rest} rows={4} className="min-h-28" />
      {children}
      <div className="flex flex-wrap items-center gap-2">
        <AttachButton isCompact={false} onAdd={composer.add} />
        {brons.length > 1 && (
          <BronChoice brons={brons} chosen={composer.chosenBron} onChoose={composer.chooseBron} />
        )}
        <ModelChoice
          models={models}
          chosen={composer.chosenModel}
          onChoose={composer.chooseModel}
        />
        <span className="ml-auto hidden text-xs text-quiet sm:inline">{texts.shortcut}</span>
        {actions}
        <Button type="submit" kind="main" disabled={!composer.canStart} className="ml-auto sm:ml-0">
          {composer.isStarting ? texts.starting : texts.start}
        </Button>
      </div>
    </>
  );
}

/** The words between the buttons, so that the conversation keeps the screen. */
function OneLine({ bronId, runUnderWay, actions, children, ...rest }: LayoutProps) {
  const { composer } = rest;
  const { models } = useChoices(bronId, runUnderWay);
  return (
    <>
      {children}
      <div className="flex items-end gap-1.5">
        <AttachButton isCompact onAdd={composer.add} />
        <Words {...rest} rows={1} className="min-h-10 placeholder:whitespace-nowrap" />
        {actions}
        <Button
          type="submit"
          kind="main"
          disabled={!composer.canStart}
          aria-label={texts.run.send}
          title={`${texts.run.send} (${texts.shortcut})`}
          className="shrink-0 rounded-xl px-2.5"
        >
          <Icon path="M12 19V5m-6 6 6-6 6 6" />
        </Button>
      </div>
      <ModelChoice models={models} chosen={composer.chosenModel} onChoose={composer.chooseModel} />
    </>
  );
}

interface WordsProps extends Pick<LayoutProps, "id" | "composer" | "placeholder"> {
  readonly rows: number;
  readonly className: string;
}

/** The field for the words. It grows with them. */
function Words({ id, composer, placeholder, rows, className }: WordsProps) {
  const { field, submit } = composer;
  return (
    <textarea
      id={id}
      ref={field.ref}
      {...field.handlers}
      rows={rows}
      value={field.words}
      placeholder={placeholder ?? texts.composerPlaceholder}
      onChange={({ target }) => field.setWords(target.value)}
      onKeyDown={(event) => {
        if (!isSendKey(event)) return;
        event.preventDefault();
        submit();
      }}
      className={cx(
        "max-h-[40vh] w-full min-w-0 resize-none border-0 bg-transparent p-2 text-base outline-none",
        // A long placeholder makes the field no taller.
        field.words === "" ? "overflow-hidden" : "field-sizing-content",
        className,
      )}
    />
  );
}

/** The models and Brons that the owner can choose among. A run under way keeps its own. */
function useChoices(bronId: string | undefined, runUnderWay: string | undefined) {
  const { data: models = [] } = useQuery({
    ...queries.models(),
    enabled: runUnderWay === undefined,
  });
  const { data: brons = [] } = useQuery({ ...queries.brons(), enabled: bronId === undefined });
  return {
    models: runUnderWay === undefined ? models : [],
    brons: bronId === undefined ? brons : [],
  };
}

import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { isSendKey } from "../words-field/is-send-key.ts";
import { PastedChips } from "../words-field/pasted-chips.tsx";
import type { WordsField } from "../words-field/use-words.ts";

interface ApprovalWordsFormProps {
  /** What should change, or why it is denied. */
  readonly kind: "changes" | "reason";
  readonly field: WordsField<HTMLTextAreaElement>;
  readonly isBusy: boolean;
  onSend(said: { readonly words: string; readonly context: string[] | undefined }): void;
  onCancel(): void;
}

/** The field for the owner's words about an approval. A reason may be empty, changes may not. */
export function ApprovalWordsForm({
  kind,
  field,
  isBusy,
  onSend,
  onCancel,
}: ApprovalWordsFormProps) {
  const { words, context } = field;
  const isReady = !isBusy && (kind === "reason" || words.trim() !== "");
  const send = () => isReady && onSend({ words, context });
  const { approval } = texts;
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <label className="grid gap-1 text-sm font-medium">
        {kind === "changes" ? approval.whatToChange : approval.denyReason}
        <textarea
          rows={2}
          data-key="words"
          ref={field.ref}
          {...field.handlers}
          value={words}
          readOnly={isBusy}
          placeholder={kind === "changes" ? approval.changesExample : approval.reasonExample}
          onChange={({ target }) => field.setWords(target.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event)) return;
            event.preventDefault();
            send();
          }}
          className={`${inputClass} font-normal`}
        />
      </label>
      <PastedChips field={field} hint={kind === "changes" ? texts.pasted.withReply : undefined} />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          kind={kind === "changes" ? "main" : "danger"}
          data-key="send"
          isBusy={isBusy}
          disabled={kind === "changes" && words.trim() === ""}
        >
          {isBusy ? approval.saving : kind === "changes" ? approval.requestChanges : approval.deny}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {texts.cancel}
        </Button>
        <p className="text-sm text-quiet">
          {kind === "changes" ? approval.requestChangesHint : approval.denyHint}
        </p>
      </div>
    </form>
  );
}

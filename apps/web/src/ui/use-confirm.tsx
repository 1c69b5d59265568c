import { useState, type ReactNode } from "react";
import { texts } from "../texts.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface Question {
  readonly title: string;
  /** The consequences. */
  readonly words: string;
  readonly yes: string;
  onYes(): void;
}

/** Confirms an action that loosens a permission or ends something. Cancel has the focus. */
export function useConfirm(): { ask(question: Question): void; readonly dialog: ReactNode } {
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);
  const dialog = (
    <Dialog title={question?.title ?? ""} isOpen={question !== undefined} onClose={close}>
      <p className="text-quiet">{question?.words}</p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button autoFocus onClick={close}>
          {texts.cancel}
        </Button>
        <Button
          kind="danger"
          onClick={() => {
            close();
            question?.onYes();
          }}
        >
          {question?.yes}
        </Button>
      </div>
    </Dialog>
  );
  return { ask: setQuestion, dialog };
}

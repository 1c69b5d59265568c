import { useState, type ReactNode } from "react";
import { texts } from "../texts.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface Question {
  readonly title: string;
  /** What follows from it. */
  readonly words: string;
  readonly yes: string;
  onYes(): void;
}

/** A second look at what loosens or ends something. The answer that changes nothing has the focus. */
export function useConfirm(): { ask(question: Question): void; readonly dialog: ReactNode } {
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);
  const dialog = (
    <Dialog title={question?.title ?? ""} isOpen={question !== undefined} onClose={close}>
      <p className="text-quiet">{question?.words}</p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button autoFocus onClick={close}>
          {texts.confirm.no}
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

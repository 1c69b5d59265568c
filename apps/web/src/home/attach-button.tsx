import { useRef } from "react";
import { Icon } from "../layout/icon.tsx";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";

interface AttachButtonProps {
  /** Shows an icon without words. */
  readonly isCompact: boolean;
  onAdd(files: Iterable<File>): void;
}

/** Opens the browser's dialog for files. */
export function AttachButton({ isCompact, onAdd }: AttachButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onAdd(target.files ?? []);
          target.value = "";
        }}
      />
      <Button
        kind="quiet"
        aria-label={isCompact ? texts.attach : undefined}
        title={isCompact ? texts.attach : undefined}
        className={isCompact ? "shrink-0 px-2.5" : undefined}
        onClick={() => picker.current?.click()}
      >
        <Icon path={clipIcon} />
        {!isCompact && texts.attach}
      </Button>
    </>
  );
}

const clipIcon =
  "m20 11.5-8.2 8.2a5 5 0 0 1-7.1-7.1l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.8-7.7";

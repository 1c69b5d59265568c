import type { AboutView } from "@bron/protocol";
import { SetupGuide } from "../connections/setup-guide.tsx";
import { useGuide } from "../connections/use-guide.ts";
import { texts } from "../texts.ts";
import { Empty } from "../ui/states.tsx";

/** Shown before the first task: what Bron promises, and the first steps. */
export function Welcome({ about }: { readonly about: AboutView | undefined }) {
  const guide = useGuide();
  return (
    <div className="mt-10 grid gap-5">
      {about && guide.isShown && <SetupGuide about={about} onDismiss={guide.dismiss} />}
      <Empty title={texts.welcome.title}>
        <p>{texts.welcome.promise}</p>
      </Empty>
    </div>
  );
}

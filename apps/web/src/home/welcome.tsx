import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Empty } from "../ui/states.tsx";

/** Shown before the first task. */
export function Welcome({ isDemo }: { readonly isDemo: boolean }) {
  return (
    <div className="mt-10">
      <Empty title={texts.welcome.title}>
        <p>{texts.welcome.promise}</p>
        {isDemo && (
          <p className="mt-2">
            {texts.welcome.demo}{" "}
            <Link to="/demo" className="underline">
              {texts.sandbox.title}
            </Link>
          </p>
        )}
      </Empty>
    </div>
  );
}

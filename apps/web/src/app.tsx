import { DemoPage } from "./demo/demo-page.tsx";
import { HomePage } from "./home-page.tsx";
import { Link } from "./link.tsx";
import { usePlace } from "./router.ts";
import { RunPage } from "./run/run-page.tsx";
import { texts } from "./texts.ts";
import { useAbout } from "./use-about.ts";

export function App() {
  const place = usePlace();
  const about = useAbout();
  return (
    <>
      <header className="top">
        <Link to="/" className="name">
          {texts.name}
        </Link>
        {about?.demoMail === true && <Link to="/demo">{texts.world.link}</Link>}
        {about && (about.demoMail || about.demoModel) && (
          <span className="demo" title={[...(about.demoMail ? [texts.demoMail] : []), ...(about.demoModel ? [texts.demoModel] : [])].join(" ")}>
            {texts.demo}
          </span>
        )}
      </header>
      <main>
        {place.page === "home" && <HomePage about={about} />}
        {place.page === "demo" && <DemoPage />}
        {place.page === "run" && <RunPage key={place.runId} runId={place.runId} />}
        {place.page === "nowhere" && <p>{texts.notFound}</p>}
      </main>
    </>
  );
}

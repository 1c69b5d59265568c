import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/states.tsx";

export function UsagePage() {
  return (
    <Page title="UsagePage">
      <Loading />
    </Page>
  );
}

import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/states.tsx";

export function BronsPage() {
  return (
    <Page title="BronsPage">
      <Loading />
    </Page>
  );
}

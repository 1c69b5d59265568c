import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/states.tsx";

export function ConnectionsPage() {
  return (
    <Page title="ConnectionsPage">
      <Loading />
    </Page>
  );
}

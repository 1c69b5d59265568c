import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/states.tsx";

export function ApprovalsPage() {
  return (
    <Page title="ApprovalsPage">
      <Loading />
    </Page>
  );
}

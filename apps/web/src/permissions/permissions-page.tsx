import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/states.tsx";

export function PermissionsPage() {
  return (
    <Page title="PermissionsPage">
      <Loading />
    </Page>
  );
}

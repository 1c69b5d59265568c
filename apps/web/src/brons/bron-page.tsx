import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/states.tsx";

export function BronPage() {
  return (
    <Page title="BronPage">
      <Loading />
    </Page>
  );
}

import { expect, it } from "vitest";
import { toDevOutput } from "../scripts/dev-output.ts";

const addresses = { server: "http://127.0.0.1:4310", page: "http://127.0.0.1:5173" };

it("prints the sign-in link with the address of the page with live reload", () => {
  expect(toDevOutput("Sign in: http://127.0.0.1:4310/sign-in?token=a.b (once)\n", addresses)).toBe(
    "Sign in: http://127.0.0.1:5173/sign-in?token=a.b (once)\n",
  );
});

it("leaves out the hint to build the page", () => {
  const output = "Slack are simulated. Run npm start to build the page that shows them.\n";
  expect(toDevOutput(output, addresses)).toBe(
    "Slack are simulated. View them at http://127.0.0.1:5173/demo\n",
  );
});

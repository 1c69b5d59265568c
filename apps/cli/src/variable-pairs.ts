export interface ConfigProblem {
  /** The variable, or the settings file, to fix. */
  readonly variable: string;
  readonly message: string;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;
const s3Names = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** Problems of variables that depend on each other. */
export function pairProblems(values: Readonly<Record<string, unknown>>): ConfigProblem[] {
  const missing = s3Names.filter((name) => values[name] === undefined);
  const host = typeof values["HOST"] === "string" ? values["HOST"] : "";
  return [
    ...appProblems(values),
    ...(missing.length === 0 || missing.length === s3Names.length
      ? []
      : missing.map((variable) => ({
          variable,
          message: `${variable} must be set too. S3 needs all of ${s3Names.join(", ")}.`,
        }))),
    ...(host === "" || loopback.test(host) || values["BRON_PUBLIC_URL"] !== undefined
      ? []
      : [
          {
            variable: "HOST",
            message: `HOST must be a loopback address (127.0.0.1, ::1 or localhost), not "${host}". To let others connect, set BRON_PUBLIC_URL to the address that they use.`,
          },
        ]),
  ];
}

/**
 * Setting only one of the two is reported as a mistake, instead of falling back to the simulator.
 */
function appProblems(values: Readonly<Record<string, unknown>>): ConfigProblem[] {
  return (["GOOGLE", "SLACK"] as const).flatMap((name) => {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`];
    if ((values[id] === undefined) === (values[secret] === undefined)) return [];
    const variable = values[id] === undefined ? id : secret;
    return [
      {
        variable,
        message: `${variable} must be set too. ${name === "GOOGLE" ? "Google" : "Slack"} needs both the client ID and the client secret.`,
      },
    ];
  });
}

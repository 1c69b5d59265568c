export const slackTeam = {
  name: "Lindqvist Cargo",
  domain: "lindqvist-cargo",
  emailDomain: "lindqvist.example",
  url: "https://lindqvist-cargo.slack.example/",
} as const;

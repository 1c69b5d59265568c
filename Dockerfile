# One image for server and worker. It runs `bron start` by default, without a database (see compose.yaml).
FROM node:24-slim AS build
WORKDIR /bron
COPY package.json package-lock.json .npmrc ./
COPY scripts scripts
COPY packages packages
COPY apps apps
COPY docs docs
# Installs everything to build the page and the parser, then removes the build tools, the embedded Postgres and the
# packaged Node.
RUN npm ci && node scripts/build.mjs && npm prune --omit=dev --omit=optional

FROM node:24-slim
ENV NODE_ENV=production \
    BRON_HOME=/data \
    LOG_FORMAT=json
COPY --from=build /bron /bron
RUN ln -s /bron/apps/cli/bin/bron.mjs /usr/local/bin/bron && install -d -o node -g node /data
VOLUME /data
USER node
EXPOSE 4310
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.BRON_WORKER_PORT || process.env.PORT || 4310}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["bron"]
# With --json it prints no sign-in link, which would stay in the container's log. Create a link with
# `docker compose exec server bron open`.
CMD ["start", "--json"]

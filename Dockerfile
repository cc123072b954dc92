# Builds what the running image needs and Node does not: the Landlock helper and the dashboard.
FROM node:24-bookworm-slim AS build
WORKDIR /app
RUN apt-get update \
  && apt-get install -y --no-install-recommends gcc libc6-dev \
  && rm -rf /var/lib/apt/lists/*
COPY . .
RUN npm run setup && mkdir -p .tools/bin web/dist

FROM node:24-bookworm-slim
WORKDIR /app

# The engines, as scripts/packages.mjs lists them.
COPY scripts/packages.mjs scripts/packages.mjs
RUN apt-get update \
  && node --input-type=module --eval "import { DEBIAN } from './scripts/packages.mjs'; console.log(DEBIAN.filter((p) => p.group === 'run').map((p) => p.name).join('\n'))" \
    | xargs apt-get install -y --no-install-recommends \
  && rm -rf /var/lib/apt/lists/*

COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY web/package.json web/
RUN npm ci --omit=dev && npm cache clean --force

COPY server server
COPY sdk sdk
COPY cli cli
COPY docs docs
COPY --from=build /app/.tools/bin .tools/bin
COPY --from=build /app/web/dist web/dist

RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
ENV NODE_ENV=production REFORGE_HOST=0.0.0.0 REFORGE_PORT=8443 REFORGE_DATA=/data
EXPOSE 8443
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "--eval", "require('node:https').get({ host: '127.0.0.1', port: process.env.REFORGE_PORT, path: '/health', ca: require('node:fs').readFileSync(process.env.REFORGE_DATA + '/tls/ca.pem') }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# The server stops gracefully on SIGTERM; run it with --init (compose.yaml does), so that orphans of engines are reaped.
CMD ["node", "--min-semi-space-size=4", "server/src/main.ts"]

# syntax=docker/dockerfile:1
# One gateway: Node 24, the packages that run it, its bundle and the built console.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts/build.mjs scripts/bundle-gateway.mjs scripts/source-lines.mjs scripts/
COPY schemas schemas
COPY domain domain
COPY web web
RUN node --eval "import('./scripts/build.mjs').then(({ buildWeb }) => buildWeb(process.cwd(), process.execPath, console.log))"
COPY commands commands
COPY projections projections
COPY realtime realtime
COPY runtime runtime
COPY gateway gateway
RUN node scripts/bundle-gateway.mjs gateway/dist/image

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/.cache/compile \
    HOST=0.0.0.0 \
    PORT=3000 \
    PARLEY_DATA=/data
WORKDIR /app
# Its data, files of STORAGE_URL=file:///files and the code that Node keeps compiled are all that it writes.
RUN install -d -m 700 -o node -g node /data /files .cache
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY bin bin
COPY --from=build /app/gateway/dist/image gateway/dist/image
COPY --from=build /app/web/dist web/dist
USER node
VOLUME /data
EXPOSE 3000
# Alive, not ready: a node that waits for its store is not to be killed. Whether to send it requests is the proxy's question.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/botadmin/api/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and heeds the signal itself: rooms are written down and closed, at most 25 s.
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "gateway/dist/image/main.js"]

# Realmgate as an image, see docs/install.md.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY console/package.json console/
COPY explorer/package.json explorer/
COPY tools/package.json tools/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
# what is left after the last commands is what runs. The bill of materials is that of the packages that are installed: of a lock file, npm
# leaves out those that tools use as well. It finds packages missing as long as the manifest has those of developers and of the builds.
RUN node tools/prepare.mjs \
  && npm pkg delete devDependencies workspaces \
  && npm prune --omit=dev --no-audit --no-fund \
  && node tools/shrink-image.mjs \
  && npm sbom --sbom-format=cyclonedx > sbom.cdx.json \
  && mkdir data

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
ENV DATABASE_URL=file:/data/realmgate.db
COPY --from=build /build/package.json /build/README.md /build/CHANGELOG.md /build/SECURITY.md /build/LICENSE /build/NOTICE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY --from=build /build/client/dist client/dist
COPY --from=build /build/prisma/migrations prisma/migrations
COPY --from=build /build/docs docs
COPY --from=build /build/schema schema
COPY --from=build /build/examples/acme-realm.json examples/
COPY --from=build /build/sbom.cdx.json /usr/share/doc/realmgate/
COPY --from=build --chown=node:node /build/data /data
VOLUME /data
# the user node, by its number, which clusters can tell from root
USER 1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 8080}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli/realmgate.js"]
CMD ["start"]

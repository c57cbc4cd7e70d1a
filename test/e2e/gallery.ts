import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const WEB = fileURLToPath(new URL('../../web', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Builds the gallery of controls, which the production build excludes, into a separate folder and serves it. */
export const openGallery = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-gallery-'))
  await build({
    configFile: join(WEB, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, rolldownOptions: { input: join(WEB, 'gallery.html') } },
  })
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace('/botadmin/', '/')
    try {
      const content = await readFile(join(folder, path))
      response.setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream').end(content)
    } catch {
      response.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/botadmin/gallery.html`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

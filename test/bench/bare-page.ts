import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { build } from 'vite'
import type { FlowFile } from '#schemas/flow/file.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** Builds and serves a page with nothing but React Flow and the nodes of a flow; the measure for the designer. */
export const serveBarePage = async (flow: FlowFile) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-page-'))
  await build({
    root: join(import.meta.dirname, 'bare-flow'),
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  })
  const nodes = Object.entries(flow.operators).map(([id, { left, top, title }]) => ({ id, x: left, y: top, title }))
  writeFileSync(join(folder, 'nodes.json'), JSON.stringify(nodes))
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = path === '/' ? '/index.html' : path
    readFile(join(folder, file)).then(
      body => response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain').end(body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

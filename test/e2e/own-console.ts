import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { vi } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' }

/** The console with another registry, a file of `test/entity/`, in place of `schemas/entities/registry.ts`. */
export const buildConsole = async (registry: string) => {
  const outDir = await mkdtemp(join(tmpdir(), 'parley-console-'))
  // Otherwise it is built with the development parts of its libraries, which are several times slower.
  vi.stubEnv('NODE_ENV', 'production')
  await build({
    configFile: join(ROOT, 'web/vite.config.ts'),
    logLevel: 'silent',
    build: { outDir, minify: false },
    resolve: {
      alias: [{ find: '#schemas/entities/registry.ts', replacement: join(ROOT, 'test/entity', registry) }],
    },
  })
  return {
    /** Shows it in place of the console that the gateway has. */
    serveTo: (page: Page) =>
      page.route(/\/botadmin\/(?!api\/|socket\.io|realtime).*/u, async route => {
        const path = new URL(route.request().url()).pathname.slice('/botadmin/'.length)
        const file = path.startsWith('assets/') ? path : 'index.html'
        if (path !== file && extname(path) !== '') return route.continue()
        const contentType = TYPES[extname(file)] ?? 'text/plain'
        await route.fulfill({ body: await readFile(join(outDir, file)), contentType })
      }),
    remove: () => rm(outDir, { recursive: true, force: true }),
  }
}

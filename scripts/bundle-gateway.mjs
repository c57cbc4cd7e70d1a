// Bundles the gateway: its main thread, its other threads and processes, and the command line, each an entry.
// Usage: node scripts/bundle-gateway.mjs <folder below the project>
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = resolve(process.argv[2] ?? '')
const SOURCE_LINES = join(root, 'scripts', 'source-lines.mjs')

/** Packages with native code or files beside their code. */
const EXTERNAL = [
  /^@node-rs\/argon2$/,
  /^@kurrent\/kurrentdb-client/,
  /^@jitl\/quickjs-wasmfile-release-sync/,
  /^@fastify\/swagger-ui$/,
]

/** They look for files beside their code only for what the gateway does not use: transports of logs, socket.io's client. */
const BESIDE = ['@fastify/swagger', 'pino', 'socket.io', 'thread-stream']

const packageOf = id => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id.split(sep).join('/'))?.[1]

/** `commands/flow/flow-worker.ts` becomes `commands.flow.flow-worker.js`: all files of the bundle are in one folder. */
const entryName = file => `${relative(root, file).split(sep).join('.').slice(0, -3)}.js`

const ADDRESS = /new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g

/**
 * Gives each `new URL('…', import.meta.url)` the place that its file has for the bundle, and makes an entry of each one
 * that names code. Throws for every other way to look for files beside the code.
 */
const places = {
  name: 'parley-places',
  transform: {
    filter: { id: /\.[cm]?[jt]s$/, code: /\bimport\.meta\b|\b__dirname\b|\b__filename\b/ },
    handler(code, id, { magicString }) {
      const name = packageOf(id)
      if (name !== undefined) {
        if (BESIDE.includes(name)) return undefined
        throw new Error(`${name} looks for files beside its code: keep it out of the bundle (${id})`)
      }
      if (id === SOURCE_LINES || !isAbsolute(id)) return undefined
      for (const [whole, path] of code.matchAll(ADDRESS)) {
        const file = resolve(dirname(id), path)
        const isCode = path.endsWith('.ts')
        if (isCode) this.emitFile({ type: 'chunk', id: file, fileName: entryName(file) })
        const place = isCode ? `./${entryName(file)}` : relative(folder, file).split(sep).join('/')
        magicString.replace(whole, `new URL('${place}', import.meta.url)`)
      }
      if (/\bimport\.meta\b|\b__dirname\b|\b__filename\b/.test(code.replaceAll(ADDRESS, '')))
        throw new Error(`${relative(root, id)}: write new URL('…', import.meta.url)`)
      return { code: magicString }
    },
  },
}

/** Each entry begins with what names files and lines of the sources in stack traces. */
const sourceLines = {
  name: 'parley-source-lines',
  transform: {
    filter: { id: /\.ts$/ },
    handler(_code, id, { magicString }) {
      if (this.getModuleInfo(id)?.isEntry !== true) return undefined
      magicString.prepend(`import ${JSON.stringify(SOURCE_LINES)};`)
      return { code: magicString }
    },
  },
}

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input: { main: 'gateway/main.ts', cli: 'gateway/cli/main.ts' },
  external: EXTERNAL,
  tsconfig: true,
  experimental: { nativeMagicString: true },
  plugins: [places, sourceLines],
  logLevel: 'warn',
})
await bundle.write({
  dir: folder,
  format: 'esm',
  // One character beyond ASCII would have V8 hold two bytes for each character of its file.
  charset: 'ascii',
  comments: false,
  minify: { compress: true, mangle: { keepNames: true }, codegen: true },
  sourcemap: true,
  sourcemapExcludeSources: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()

// Builds the console and the gateway when their sources have changed. Plain JavaScript: it runs before Node 24 is there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const IGNORED = new Set(['dist', 'node_modules'])

const filesBelow = folder =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    if (IGNORED.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

/** Files and folders that a build reads, without tests. */
const WEB = ['web', 'schemas', 'domain', 'package-lock.json', 'tsconfig.json']
const GATEWAY = [
  ...['schemas', 'domain', 'commands', 'projections', 'realtime', 'runtime', 'gateway'],
  ...['scripts/bundle-gateway.mjs', 'scripts/source-lines.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'],
]

const inputsOf = (root, sources) =>
  sources
    .map(source => join(root, source))
    .flatMap(path => (statSync(path).isDirectory() ? filesBelow(path) : [path]))
    .sort()

/** Hash of sizes and times: it differs after every change, and takes 20 ms for all sources. */
const stateOf = paths => {
  const hash = createHash('sha256')
  for (const path of paths) {
    const { size, mtimeMs, ctimeMs } = statSync(path)
    hash.update(`${path} ${size} ${mtimeMs} ${ctimeMs}\n`)
  }
  return hash.digest('hex')
}

const contentOf = (root, paths) => {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path))
  return hash.digest('hex')
}

/** State and content of the sources at the last build; empty before the first. */
const stampOf = file => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])

const TEXT = /\.(html|js|css|svg|json|map|txt|wasm)$/
const squeeze = { br: promisify(brotliCompress), gz: promisify(gzip) }
const brotli = size => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: size },
})

/** Lays a brotli and a gzip copy beside each text file, so that serving costs nothing. */
const compress = async dist => {
  const texts = filesBelow(dist).filter(path => TEXT.test(path))
  await Promise.all(
    texts.map(async path => {
      const bytes = readFileSync(path)
      writeFileSync(`${path}.br`, await squeeze.br(bytes, brotli(bytes.length)))
      writeFileSync(`${path}.gz`, await squeeze.gz(bytes, { level: 9 }))
    }),
  )
}

/** Ends the process with the build's own words when it fails. */
const run = (root, node, args, tell, what) => {
  const build = spawnSync(node, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (build.status === 0) return
  tell(`The ${what} could not be built, see above.`)
  process.exit(1)
}

export const buildWeb = async (root, node, tell) => {
  const dist = join(root, 'web', 'dist')
  const stampFile = join(dist, '.stamp')
  const paths = inputsOf(root, WEB)
  const state = stateOf(paths)
  const [builtState, builtContent] = stampOf(stampFile)
  if (builtState === state) return
  const content = contentOf(root, paths)
  if (builtContent !== content) {
    tell('Building the console …')
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    run(root, node, [vite, 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'], tell, 'console')
    await compress(dist)
  }
  writeFileSync(stampFile, `${state}\n${content}`)
}

/** The present build and the one before it: a gateway that still runs from that loads further files. */
const KEPT_BUILDS = 2

const removeOldBuilds = dist => {
  const builds = readdirSync(dist, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const ages = builds.map(({ name }) => ({ path: join(dist, name), time: statSync(join(dist, name)).mtimeMs }))
  const old = ages.sort((a, b) => b.time - a.time).slice(KEPT_BUILDS)
  for (const { path } of old) rmSync(path, { recursive: true, force: true })
}

/**
 * Options of Node.js for the bundle. The Dockerfile has them as well. Without them the space for young objects of each
 * thread grows to 128 MB under load, and old garbage to three times of what is in use. With 50 percent a filled room
 * takes half as much processor time again (docs/benchmarks.md).
 */
export const GATEWAY_OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=100']

/** Folder of the gateway's bundle of the present sources. Each state of the sources has its own. */
export const buildGateway = (root, node, tell) => {
  const dist = join(root, 'gateway', 'dist')
  const stampFile = join(dist, '.stamp')
  const paths = inputsOf(root, GATEWAY)
  const state = stateOf(paths)
  const [builtState, builtContent = ''] = stampOf(stampFile)
  const folderOf = content => join(dist, content.slice(0, 16))
  if (builtState === state && existsSync(folderOf(builtContent))) return folderOf(builtContent)
  const content = contentOf(root, paths)
  const folder = folderOf(content)
  if (!existsSync(folder)) {
    tell('Building the gateway …')
    // A build that is interrupted leaves no folder that looks like a complete one.
    const unfinished = `${folder}.${process.pid}`
    run(root, node, [join(root, 'scripts', 'bundle-gateway.mjs'), unfinished], tell, 'gateway')
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  }
  const now = new Date()
  utimesSync(folder, now, now)
  removeOldBuilds(dist)
  writeFileSync(stampFile, `${state}\n${content}`)
  return folder
}

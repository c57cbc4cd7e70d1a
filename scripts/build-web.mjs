// Builds the console when its sources are not those of web/dist. Plain JavaScript: it runs before Node 24 is there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Inputs of the build, without tests. */
const SOURCES = ['web', 'schemas', 'domain']
const FILES = ['package-lock.json', 'tsconfig.json']
const IGNORED = new Set(['dist', 'node_modules'])

const filesBelow = folder =>
  readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    if (IGNORED.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

const stampOf = root => {
  const hash = createHash('sha256')
  const paths = [...SOURCES.flatMap(folder => filesBelow(join(root, folder))), ...FILES.map(file => join(root, file))]
  for (const path of paths.sort()) hash.update(path.slice(root.length)).update('\0').update(readFileSync(path))
  return hash.digest('hex')
}

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
export const buildWeb = async (root, node, tell) => {
  const dist = join(root, 'web', 'dist')
  const stampFile = join(dist, '.stamp')
  const stamp = stampOf(root)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  tell('Building the console …')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']
  const build = spawnSync(node, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (build.status !== 0) {
    tell('The console could not be built, see above.')
    process.exit(1)
  }
  await compress(dist)
  writeFileSync(stampFile, stamp)
}

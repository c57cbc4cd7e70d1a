import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Figure, rounded } from './figure.ts'

const DIST = join(import.meta.dirname, '../../web/dist')

/** P7: what the first page loads before anything lazy, gzipped: the scripts that index.html names. */
export const bundle = (): Figure => {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  const files = [...html.matchAll(/(?:src|href)="\/botadmin\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? '')
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(DIST, file))).length, gzipSync(html).length)
  const kilobytes = size / 1000
  return {
    id: 'P7',
    what: 'first load of the shell, gzipped',
    measured: `${rounded(kilobytes)} kB in ${files.length} files`,
    target: '≤ 200 kB',
    met: kilobytes <= 200,
    detail: { kilobytes: rounded(kilobytes) },
  }
}

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Figure, rounded } from './figure.ts'

const DIST = join(import.meta.dirname, '../../web/dist')

const zipped = (file: string): number => gzipSync(readFileSync(join(DIST, file))).length

/** P7: gzipped size of the first page without lazy chunks: scripts named in index.html, plus its texts. */
export const bundle = (): Figure => {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  const files = [...html.matchAll(/(?:src|href)="\/botadmin\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? '')
  const kilobytes = files.reduce((sum, file) => sum + zipped(file), zipped('index.html')) / 1000
  const texts = globSync('assets/text-{en,es,pt}-*.js', { cwd: DIST })
  const text = Math.max(...texts.map(zipped)) / 1000
  return {
    id: 'P7',
    what: 'first load of the shell, gzipped',
    measured: `${rounded(kilobytes)} kB in ${files.length} files, and ${rounded(text)} kB of texts of one language`,
    target: '≤ 170 kB',
    met: kilobytes <= 170,
    detail: { kilobytes: rounded(kilobytes), text: rounded(text) },
  }
}

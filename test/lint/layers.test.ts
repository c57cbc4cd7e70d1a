import { expect, test } from 'vitest'
import { importsOf, readSource, sourceFiles } from './source-graph.ts'

const DESIGNER = 'web/features/designer/'

/** Folders of one group do not import each other, but for the inspector and the forms of single blocks. */
const LAYERS: readonly (readonly string[])[] = [
  ['model'],
  ['canvas'],
  ['session'],
  ['mode', 'pdf'],
  ['file'],
  ['commands'],
  ['search'],
  ['keyboard'],
  ['announce', 'comment', 'example', 'history', 'publish'],
  ['inspector', 'blocks'],
  ['chrome', 'simulation', 'replay', 'funnel', 'rehearsal'],
]
const PAIR = new Set(['inspector', 'blocks'])

const folderOf = (file: string): string | undefined => {
  const inside = file.slice(DESIGNER.length)
  return inside.includes('/') ? inside.split('/')[0] : undefined
}
const layerOf = (folder: string): number => LAYERS.findIndex(group => group.includes(folder))

const featureOf = (file: string): string | undefined => /^web\/features\/([^/]+)\//.exec(file)?.[1]

test('every folder of the designer has a layer', () => {
  const folders = new Set(sourceFiles(`${DESIGNER}**/*.{ts,tsx}`).flatMap(file => folderOf(file) ?? []))
  expect([...folders].sort()).toEqual(LAYERS.flat().sort())
})

test('a folder of the designer imports only from layers below its own', () => {
  const upward = sourceFiles(`${DESIGNER}*/**/*.{ts,tsx}`).flatMap(file => {
    const from = folderOf(file) ?? ''
    return importsOf(file)
      .filter(target => target.startsWith(DESIGNER))
      .filter(target => {
        const to = folderOf(target)
        if (to === from) return false
        if (to === undefined) return true
        return layerOf(to) >= layerOf(from) && !(PAIR.has(from) && PAIR.has(to))
      })
      .map(target => `${file} -> ${target}`)
  })
  expect(upward).toEqual([])
})

test('shared folders of the web import no feature', () => {
  const shared = sourceFiles('web/{entity,shell,form,components,page,format,i18n,api}/**/*.{ts,tsx}')
  const wrong = shared.flatMap(file =>
    importsOf(file).flatMap(target => (featureOf(target) === undefined ? [] : [`${file} -> ${target}`])),
  )
  expect(wrong).toEqual([])
})

test('a feature imports another one through its index alone', () => {
  const wrong = sourceFiles('web/features/**/*.{ts,tsx}').flatMap(file =>
    importsOf(file).flatMap(target => {
      const to = featureOf(target)
      if (to === undefined || to === featureOf(file) || target === `web/features/${to}/index.ts`) return []
      return [`${file} -> ${target}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('pages read with the one client that drops what a refusal takes away [P-2084]', () => {
  const wrong = sourceFiles('web/**/*.{ts,tsx}')
    .filter(file => file !== 'web/api/query-client.ts')
    .filter(file => readSource(file).includes('new QueryClient('))
  expect(wrong).toEqual([])
})

test('parts of a page are loaded with lazyPart, which keeps the page when they do not come [P-2085]', () => {
  const allowed = new Set(['web/lazy-module.ts', 'web/features/designer/designer-route.tsx'])
  const wrong = sourceFiles('web/**/*.{ts,tsx}')
    .filter(file => !allowed.has(file))
    .filter(file => /import \{[^}]*\blazy\b[^}]*\} from 'react'|\bReact\.lazy\(/.test(readSource(file)))
  expect(wrong).toEqual([])
})

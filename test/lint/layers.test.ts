import { expect, test } from 'vitest'
import { importsOf, sourceFiles } from './source-graph.ts'

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
  ['announce', 'comment', 'history', 'publish'],
  ['inspector', 'blocks'],
  ['chrome'],
]
const PAIR = new Set(['inspector', 'blocks'])

const folderOf = (file: string): string | undefined => {
  const inside = file.slice(DESIGNER.length)
  return inside.includes('/') ? inside.split('/')[0] : undefined
}
const layerOf = (folder: string): number => LAYERS.findIndex(group => group.includes(folder))

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

import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './source-graph.ts'
import { type SyntaxNode, walkFile } from './syntax.ts'

/** Names that another one has replaced (docs/glossary.md), as file names and as identifiers. */
const REPLACED_FILES = [
  ...['late-part', 'use-resting', 'kept-edits', 'trace', 'removal', 'unloaded', 'coming-flow', 'put-down', 'tell-loss'],
  ...[
    'tell-news',
    'tag-room',
    'keep-drawn',
    'follow-hurry',
    'veil',
    'pointed',
    'watch-rest',
    'said',
    'way',
    'use-held',
  ],
  ...['many-form', 'passed-over', 'use-shown', 'use-pull', 'passing-layer', 'map-pace', 'deed', 'use-gone', 'seek'],
]
const REPLACED = new Set([
  ...['freshly', 'freshlyOnce', 'foundLive', 'alreadyDone', 'insistently', 'persistently', 'lookedUp', 'useResting'],
  ...['unlessDone', 'unlessBusy', 'unlessOutdated', 'OF_THE_FLOW', 'OF_THE_STATE', 'OWN', 'Tools', 'Deed'],
  ...['MOST', 'LONGEST', 'SHORTEST', 'PATIENCE', 'GLANCE', 'KEPT'],
])
/** A type is a noun: these say what was done to it. */
const PARTICIPLES = new Set([
  'Asked',
  'Done',
  'Given',
  'Held',
  'Kept',
  'Known',
  'Made',
  'Seen',
  'Shown',
  'Taken',
  'Told',
  'Wanted',
  'Written',
])
/** Types with such a name that are left; the list only shrinks. */
const LEFT = new Set<string>([])

const files = sourceFiles('{commands,domain,gateway,projections,realtime,runtime,schemas,web}/**/*.{ts,tsx}')

const declaredType = ({ type, id }: SyntaxNode): string | undefined =>
  (type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration') &&
  typeof id === 'object' &&
  id !== null &&
  'name' in id
    ? String(id.name)
    : undefined

const wordsOf = (file: string) => {
  const replaced = new Set<string>()
  const participles = new Set<string>()
  walkFile(file, node => {
    if (node.type === 'Identifier' && REPLACED.has(String(node.name))) replaced.add(`${file}: ${String(node.name)}`)
    const name = declaredType(node)
    if (name !== undefined && PARTICIPLES.has(name)) participles.add(`${file}: ${name}`)
  })
  return { replaced: [...replaced], participles: [...participles] }
}

const found = files.map(wordsOf)

test('no file has a name that another one replaced', () => {
  const replaced = files.filter(file => REPLACED_FILES.includes(basename(file).replace(/(?:\.test)?\.tsx?$/, '')))
  expect(replaced).toEqual([])
})

test('no identifier has a name that another one replaced', () => {
  expect(found.flatMap(({ replaced }) => replaced)).toEqual([])
})

test('a type is named by a noun, but for those that are left', () => {
  expect(found.flatMap(({ participles }) => participles).toSorted()).toEqual([...LEFT].toSorted())
})

import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { ROOT, readSource, type SyntaxNode, sourceFiles, walkFile } from './source-graph.ts'

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

/** Sentences that open with a noun clause, unless they are a question. */
const OPENING =
  /^(what(ever)?|who(ever|m|se)?|where(ver)?|how|that which|those (who|that|which)|somebody|anybody|nobody)\b(?![^.]*\?)/i
/** Words of storytelling, where a verb of software or a noun says more (CONTRIBUTING.md). */
const STORY =
  /\b(whoever|whatever|whichever|whom|anew|thereof|therein|told|tells? (of|that|whether|how|which|what|who|apart)|stands? (for|in|there|still|as|at|by|under|above|beside|so)|lies? (in|at|on|under|below|outside|beside|behind|there)|goes on|go on|went on|is asked for|are asked for|lets? go|let go|takes? (it|them) up|gives? it back|comes? to (it|them)|of its own|by itself|that which|such as are|is gone|are gone|is over|are over|at home|the like|a way on|is said|are said|is held|are held|is had|nothing of (it|them)|none of it|somebody|anybody|people who)\b/i

const isPlain = (text: string): boolean => !OPENING.test(text) && !STORY.test(text)
const written = globSync(
  '{bin,commands,domain,gateway,projections,realtime,runtime,schemas,scripts,test,web}/**/*.{ts,tsx,mjs}',
  {
    cwd: ROOT,
    exclude: ['web/dist/**', 'test/corpus/**'],
  },
).map(file => file.replaceAll('\\', '/'))

/** Comments and their sentences. */
const commentsOf = (file: string): readonly string[] =>
  parseSync(file, readSource(file)).comments.flatMap(({ value }) => {
    const text = value
      .replace(/^\s*\*+ ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim()
    return [text, ...text.split(/(?<=[.;])\s+/)]
  })
const TITLE = /\b(?:test|it|describe)(?:\.each\([^)]*\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g
/** Marked texts that are right: the name of a field, and this list's own words. */
const PLAIN_ENOUGH = ['{step, told?}']

test('comments are plain English', () => {
  const marked = written.flatMap(file =>
    commentsOf(file)
      .filter(text => !isPlain(text))
      .map(text => `${file}: ${text}`),
  )
  expect(marked.filter(text => !PLAIN_ENOUGH.some(known => text.includes(known)))).toEqual([])
})

test('titles of tests are plain English', () => {
  const titles = written
    .filter(file => /\.test\.tsx?$/.test(file))
    .flatMap(file =>
      [...readSource(file).matchAll(TITLE)].flatMap(([, , title = '']) =>
        isPlain(title) ? [] : [`${file}: ${title}`],
      ),
    )
  expect(titles).toEqual([])
})

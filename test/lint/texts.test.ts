import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '#schemas/language.ts'
import { isNode, lineOf, ROOT, type SyntaxNode, sourceFiles, walkFile } from './source-graph.ts'

const LOCALES = join(ROOT, 'schemas/locales')
const NAMESPACES = globSync('*.json', { cwd: join(LOCALES, 'en') }).map(file => file.slice(0, -'.json'.length))
const PLURAL = /_(?:zero|one|two|few|many|other)$/

const textsIn = (value: unknown, path = ''): readonly (readonly [path: string, text: string])[] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value ?? {}).flatMap(([key, child]) => textsIn(child, path === '' ? key : `${path}.${key}`))

const textsOf = (language: string, file: string) =>
  textsIn(JSON.parse(readFileSync(join(LOCALES, language, file), 'utf8')))

/** `{{name}}` and `<b>` of a text, in order of their names. */
const placeholdersOf = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{\s*[\w.]+(?:,[^}]*)?\s*\}\}|<\/?\w+\s*\/?>/g)]
    .map(([found]) => found.replaceAll(' ', ''))
    .sort()

const sources = sourceFiles('{web,gateway,runtime,domain,schemas,commands,realtime,projections}/**/*.{ts,tsx}').filter(
  file => !file.startsWith('schemas/locales/') && !file.startsWith('runtime/sample/'),
)

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const cooked = (quasi: unknown): string => {
  const value = isNode(quasi) ? quasi.value : undefined
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : ''
}

/** Attributes whose value people read or hear. */
const READ = new Set(['aria-label', 'aria-description', 'aria-roledescription', 'alt', 'label', 'placeholder', 'title'])
/** Names, those of the drawing on the sign-in page included, and signs that are the same in every language. */
const SAME =
  /^(?:Parley|RRGGBB|Marina|João|JSON|CSV|YAML|URL|ID|Ctrl|Alt|Shift|Enter|Esc|Tab|PDF|V|K|Hz|OK|UTC|ms|kB|MB|GB|px)$/

const wordsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/&\w+;/g, ' ')
    .split(/[^\p{L}]+/u)
    .filter(word => word.length > 1 && !SAME.test(word))

const hardCoded = (node: SyntaxNode): boolean => {
  if (node.type === 'JSXText') return wordsIn(String(node.value)).length > 0
  if (node.type !== 'JSXAttribute' || !isNode(node.name) || !isNode(node.value)) return false
  const { value } = node.value
  return READ.has(String(node.name.name)) && typeof value === 'string' && wordsIn(value).length > 0
}

/** Key that a call of `t` asks for. */
const keyOf = ({ type, callee, arguments: given }: SyntaxNode): string | undefined => {
  if (type !== 'CallExpression' || !isNode(callee) || !Array.isArray(given) || callee.name !== 't') return undefined
  const [key] = given.filter(isNode)
  return key?.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined
}

/** Of all sources, in one walk: parsing is most of the cost. */
const scan = () => {
  const called: { readonly file: string; readonly key: string }[] = []
  const written: string[] = []
  /** String literals as they are, templates as patterns. */
  const strings = new Set<string>()
  /** By their pattern, with the words that it begins and ends with: they rule out most names without a search. */
  const patterns = new Map<string, { readonly begin: string; readonly end: string; readonly pattern: RegExp }>()
  for (const file of sources) {
    const isComponent = file.endsWith('.tsx') && file.startsWith('web/') && !file.startsWith('web/gallery/')
    walkFile(file, node => {
      if (node.type === 'Literal' && typeof node.value === 'string') strings.add(node.value)
      const key = file.startsWith('web/') ? keyOf(node) : undefined
      if (key !== undefined) called.push({ file, key })
      if (isComponent && hardCoded(node)) written.push(`${file}:${lineOf(file, node.start)}`)
      if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return
      const parts = node.quasis.map(cooked)
      if (parts.length === 1) strings.add(parts.join(''))
      else if (wordsIn(parts.join(' ')).length > 0) {
        const pattern = `^${parts.map(escaped).join('[\\w./:-]+')}$`
        const [begin = '', end = ''] = [parts[0], parts.at(-1)]
        if (!patterns.has(pattern)) patterns.set(pattern, { begin, end, pattern: new RegExp(pattern) })
      }
    })
  }
  return { called, written, strings, patterns: [...patterns.values()] }
}

const { called, written, strings, patterns } = scan()

describe('texts', () => {
  test.each(globSync('**/*.json', { cwd: join(LOCALES, 'en') }))(
    '%s has the same placeholders in all languages',
    file => {
      const english = new Map(textsOf('en', file))
      for (const language of LANGUAGES) {
        // The text of exactly none may name the number in words.
        const differing = textsOf(language, file).filter(
          ([path, text]) =>
            !path.endsWith('_zero') && placeholdersOf(text).join() !== placeholdersOf(english.get(path) ?? '').join(),
        )
        expect(differing, `${language}/${file}`).toEqual([])
      }
    },
  )

  test('every text of the shared namespaces is used', () => {
    const isUsed = (namespace: string, path: string) => {
      // A variant of a refusal's text for one entity or rule: `entity.name.taken.dialog` (schemas/problem-text.ts).
      const general = namespace === 'problem' ? [path.slice(0, path.lastIndexOf('.'))] : []
      const names = [path, `${namespace}:${path}`, ...general]
      const isMade = (name: string) =>
        patterns.some(({ begin, end, pattern }) => name.startsWith(begin) && name.endsWith(end) && pattern.test(name))
      return names.some(name => strings.has(name) || isMade(name))
    }
    const unused = NAMESPACES.flatMap(namespace =>
      textsOf('en', `${namespace}.json`)
        .map(([path]) => path.replace(PLURAL, ''))
        .filter(path => !isUsed(namespace, path))
        .map(path => `${namespace}:${path}`),
    )
    expect(unused).toEqual([])
  })

  test('every text that the program asks for by name exists', () => {
    const known = new Set(
      globSync('**/*.json', { cwd: join(LOCALES, 'en') }).flatMap(file =>
        textsOf('en', file).map(([path]) => path.replace(PLURAL, '')),
      ),
    )
    const missing = called
      .filter(({ key }) => !known.has(key.replace(/^\w+:/, '')))
      .map(({ file, key }) => `${file}: ${key}`)
    expect(missing).toEqual([])
  })

  test('no text that people read is written into a component', () => {
    expect(written).toEqual([])
  })
})

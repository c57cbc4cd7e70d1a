import { expect, test } from 'vitest'
import { isNode, lineOf, readSource, type SyntaxNode, sourceFiles, walkFile } from './source-graph.ts'

/** The typed client of the HTTP API (schemas/api/routes.ts). */
const TRANSPORT = 'web/api/http.ts'
/** Its part that tells the progress of an upload, which `fetch` does not. */
const UPLOADS = 'web/api/upload-request.ts'
const REQUESTS = new Set(['fetch', 'XMLHttpRequest', 'sendBeacon', 'EventSource'])
const CALLS = new Set(['get', 'post', 'put', 'patch', 'delete', 'upload', 'sendText', 'file'])
const ADDRESS = '/botadmin/api'

/** The development server hands the address on; the gallery has no server. */
const SETUP = new Set(['web/vite.config.ts', 'web/gallery/main.tsx'])

/** The web chat runs on other sites and talks to the chat API, which no page of the console calls. */
const WIDGET = 'web/chat/'

const files = sourceFiles('web/**/*.{ts,tsx}').filter(file => !file.startsWith(WIDGET))

/** `fetch(…)`, `window.fetch(…)`, `new XMLHttpRequest()`, or the function passed on. */
const isRequest = (node: SyntaxNode): boolean => node.type === 'Identifier' && REQUESTS.has(String(node.name))

const isHttpCall = (node: SyntaxNode): boolean => {
  if (node.type === 'AwaitExpression') return isNode(node.argument) && isHttpCall(node.argument)
  if (node.type === 'ParenthesizedExpression') return isNode(node.expression) && isHttpCall(node.expression)
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return false
  const { object, property } = node.callee
  return isNode(object) && object.name === 'http' && isNode(property) && CALLS.has(String(property.name))
}

const CASTS = new Set(['TSAsExpression', 'TSTypeAssertion', 'TSSatisfiesExpression', 'TSNonNullExpression'])
const isCast = (node: unknown): boolean => isNode(node) && CASTS.has(node.type)

/** Path and answer are those of the route: no `http.get(x as never)`, no `http.get(…) as X`, no `http.get<X>(…)`. */
const isRetyped = (node: SyntaxNode): boolean => {
  if (isCast(node)) return isNode(node.expression) && isHttpCall(node.expression)
  if (!isHttpCall(node)) return false
  const { typeArguments, arguments: given } = node
  return isNode(typeArguments) || (Array.isArray(given) && given.some(isCast))
}

/** The address of the API, written out. */
const isAddress = (node: SyntaxNode): boolean =>
  (node.type === 'Literal' && typeof node.value === 'string' && node.value.includes(ADDRESS)) ||
  (node.type === 'TemplateElement' && JSON.stringify(node.value).includes(ADDRESS))

const lineOfText = (file: string, text: string): number => lineOf(file, readSource(file).indexOf(text))

const linesWith = (matches: (node: SyntaxNode) => boolean, sources = files): readonly string[] =>
  sources.flatMap(file => {
    const lines: string[] = []
    walkFile(file, node => {
      if (matches(node)) lines.push(`${file}:${lineOf(file, node.start)}`)
    })
    return lines
  })

test('the web sends requests through the typed client alone [P-180]', () => {
  const naming = files.filter(
    file =>
      file !== TRANSPORT &&
      file !== UPLOADS &&
      !SETUP.has(file) &&
      /fetch|XMLHttp|Beacon|EventSource/.test(readSource(file)),
  )
  expect(linesWith(isRequest, naming)).toEqual([])
  for (const file of [TRANSPORT, UPLOADS]) expect(linesWith(isRequest, [file])).toHaveLength(1)
  const users = files.filter(file => !/\.test\./.test(file) && readSource(file).includes('/upload-request.ts'))
  expect(users).toEqual([TRANSPORT])
})

test('the web takes the types of paths and answers from the routes [P-180]', () => {
  expect(
    linesWith(
      isRetyped,
      files.filter(file => readSource(file).includes('http.')),
    ),
  ).toEqual([])
})

test('the client alone knows the address of the API [P-180]', () => {
  const naming = files.filter(file => !SETUP.has(file) && readSource(file).includes(ADDRESS))
  expect(linesWith(isAddress, naming)).toEqual([`${TRANSPORT}:${lineOfText(TRANSPORT, ADDRESS)}`])
})

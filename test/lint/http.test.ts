import { expect, test } from 'vitest'
import { readSource, sourceFiles } from './source-graph.ts'
import { isNode, lineOf, type SyntaxNode, walkFile } from './syntax.ts'

/** The typed client of the HTTP API (schemas/api/routes.ts). */
const TRANSPORT = 'web/api/http.ts'
const REQUESTS = new Set(['fetch', 'XMLHttpRequest', 'sendBeacon', 'EventSource'])
const CALLS = new Set(['get', 'post', 'put', 'patch', 'delete', 'upload'])

const files = sourceFiles('web/**/*.{ts,tsx}')

/** `fetch(…)`, `window.fetch(…)`, `new XMLHttpRequest()`, or the name handed on. */
const isRequest = (node: SyntaxNode): boolean => {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false
  if (!isNode(node.callee)) return false
  const { name, property } = node.callee
  return REQUESTS.has(String(isNode(property) ? property.name : name))
}

const isHttpCall = (node: SyntaxNode): boolean => {
  if (node.type === 'AwaitExpression') return isNode(node.argument) && isHttpCall(node.argument)
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return false
  const { object, property } = node.callee
  return isNode(object) && object.name === 'http' && isNode(property) && CALLS.has(String(property.name))
}

/** An answer gets its type from the route: neither `http.get(…) as X` nor `http.get<X>(…)`. */
const isRetyped = (node: SyntaxNode): boolean =>
  (node.type === 'TSAsExpression' && isNode(node.expression) && isHttpCall(node.expression)) ||
  (isHttpCall(node) && isNode(node.typeArguments))

const linesWith = (matches: (node: SyntaxNode) => boolean, sources = files): readonly string[] =>
  sources.flatMap(file => {
    const lines: string[] = []
    walkFile(file, node => {
      if (matches(node)) lines.push(`${file}:${lineOf(file, node.start)}`)
    })
    return lines
  })

test('the web sends requests through the typed client alone', () => {
  const naming = files.filter(file => file !== TRANSPORT && /fetch|XMLHttp|Beacon|EventSource/.test(readSource(file)))
  expect(linesWith(isRequest, naming)).toEqual([])
  expect(linesWith(isRequest, [TRANSPORT])).toHaveLength(1)
})

test('the web takes the types of answers from the routes', () => {
  expect(
    linesWith(
      isRetyped,
      files.filter(file => readSource(file).includes('http.')),
    ),
  ).toEqual([])
})

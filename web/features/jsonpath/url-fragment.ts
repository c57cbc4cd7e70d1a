import type { PathParserName } from '#domain/expression/engine.ts'

/** Values of `parsertype` in the address. */
export const PARSER_TYPES = ['jsonpathplus', 'jsonata'] as const
type ParserType = (typeof PARSER_TYPES)[number]

/** The languages as a bot's setting names them. */
export const PARSERS: Readonly<Record<ParserType, PathParserName>> = { jsonpathplus: 'JSONPath', jsonata: 'JsonAta' }

export const parserTypeOf = (value: string | null): ParserType =>
  PARSER_TYPES.find(type => type === value) ?? 'jsonpathplus'

/** Characters of a fragment that programs pass on whole. */
const MAX_FRAGMENT = 8_000

interface Shared {
  readonly expression: string
  readonly input: string
}

/** The fragment that holds both texts, or the expression alone when it would be too long. It never reaches a server. */
export const encodeFragment = ({
  expression,
  input,
}: Shared): { readonly fragment: string; readonly isWhole: boolean } => {
  const whole = `#${new URLSearchParams({ expression, input })}`
  if (whole.length <= MAX_FRAGMENT) return { fragment: whole, isWhole: true }
  return { fragment: `#${new URLSearchParams({ expression })}`.slice(0, MAX_FRAGMENT), isWhole: false }
}

export const decodeFragment = (hash: string): Partial<Shared> => {
  const given = new URLSearchParams(hash.slice(0, MAX_FRAGMENT).replace(/^#/u, ''))
  const [expression, input] = [given.get('expression'), given.get('input')]
  return { ...(expression === null ? {} : { expression }), ...(input === null ? {} : { input }) }
}

/** Offset of a JSON syntax error, parsed from V8 and Firefox messages; by default the end of the text. */
export const jsonFaultOffset = (text: string, message: string): number => {
  const position = /position (\d+)/u.exec(message)?.[1]
  if (position !== undefined) return Math.min(Number(position), text.length)
  const [, line, column] = /line (\d+) column (\d+)/u.exec(message) ?? []
  if (line === undefined || column === undefined) return text.trimEnd().length
  const before = text.split('\n').slice(0, Number(line) - 1)
  return Math.min(before.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1, text.length)
}

export const lineAndColumn = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

import type { Place } from './place.ts'

const WORD =
  /(?<space>\s+|\/\*[\s\S]*?\*\/)|(?<text>"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*')|(?<number>0x[\da-f]+|0b[01]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(?<name>[$_]*\p{L}[\p{L}\d_]*|_+[\p{L}\d_]*)|(?<sign>\|\||==|!=|>=|<=|[\s\S])/giu

export interface ExprEvalToken {
  readonly kind: 'text' | 'number' | 'name' | 'sign'
  readonly text: string
  readonly place: Place
}

/** The words of a source, for their places alone: ExprEval's own parser decides what they mean. */
export const exprEvalTokens = (source: string): readonly ExprEvalToken[] =>
  [...source.matchAll(WORD)].flatMap(match => {
    const kind = (['text', 'number', 'name', 'sign'] as const).find(each => match.groups?.[each] !== undefined)
    const [text] = match
    return kind === undefined ? [] : [{ kind, text, place: { offset: match.index, length: text.length } }]
  })

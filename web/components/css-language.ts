import { StreamLanguage, type StreamParser } from '@codemirror/language'

interface CssState {
  /** Inside the braces of a rule, and there after a colon. */
  depth: number
  isValue: boolean
  isComment: boolean
}

const parser: StreamParser<CssState> = {
  name: 'css',
  startState: () => ({ depth: 0, isValue: false, isComment: false }),
  token: (stream, state) => {
    if (state.isComment || stream.match('/*')) {
      state.isComment = !stream.skipTo('*/')
      if (state.isComment) stream.skipToEnd()
      else stream.match('*/')
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)/u)) return 'string'
    if (stream.match(/^@[\w-]+/u)) return 'keyword'
    if (state.isValue && stream.match(/^(?:#[\da-f]{3,8}\b|-?(?:\d*\.)?\d+[\w%]*)/iu)) return 'number'
    if (stream.match(/^[\w-]+/u)) return state.depth === 0 || state.isValue ? null : 'propertyName'
    const sign = stream.next()
    if (sign === '{') state.depth += 1
    if (sign === '}') state.depth = Math.max(0, state.depth - 1)
    if (sign === ':') state.isValue = state.depth > 0
    if (sign === ';' || sign === '{' || sign === '}') state.isValue = false
    return null
  },
}

/** Colours of a style sheet. */
export const cssLanguage = StreamLanguage.define(parser)

/** Properties allowed in limited CSS: looks of a box and its text, nothing that loads, moves out of place or runs. */
const PROPERTIES =
  /^(?:color|opacity|background(?:-color)?|border(?:-(?:top|right|bottom|left))?(?:-(?:color|style|width|radius))?|border-radius|box-shadow|font(?:-(?:family|size|style|weight))?|letter-spacing|line-height|text-(?:align|decoration|transform|shadow)|padding(?:-(?:top|right|bottom|left))?|margin(?:-(?:top|right|bottom|left))?|gap|(?:min-|max-)?(?:width|height))$/
const SELECTOR = /^[\w\s.,:#>*()-]+$/
/** Functions that load or run something, escapes that could spell them, and what ends a style element. */
const FORBIDDEN = /(?:url|image|expression|attr)\s{0,9}\(|javascript:|[\\<@]/i
interface CssFault {
  /** From 1. */
  readonly line: number
  /** The text that is not allowed. */
  readonly text: string
}

const MAX_TEXT = 60

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/** The source with blanks in place of its comments; one that does not end is left as it is. */
const withoutComments = (source: string): string => {
  const parts: string[] = []
  let from = 0
  for (let begin = source.indexOf('/*'); begin >= 0; begin = source.indexOf('/*', from)) {
    const end = source.indexOf('*/', begin + 2)
    if (end < 0) break
    parts.push(source.slice(from, begin), blank(source.slice(begin, end + 2)))
    from = end + 2
  }
  return parts.join('') + source.slice(from)
}

interface Found {
  /** UTF-16 offset. */
  readonly at: number
  readonly text: string
}

const indented = (text: string) => text.length - text.trimStart().length

/** The first forbidden declaration of a rule's body; `from`: start of the body. */
const wrongDeclaration = (body: string, from: number): Found | undefined => {
  let at = from
  for (const declaration of body.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (declaration.trim() !== '' && !PROPERTIES.test(property))
      return { at: at + indented(declaration), text: declaration }
    at += declaration.length + 1
  }
  return undefined
}

const wrongRule = (css: string): Found | undefined => {
  let from = 0
  for (let open = css.indexOf('{'); open >= 0; open = css.indexOf('{', from)) {
    const selector = css.slice(from, open)
    const close = css.indexOf('}', open)
    if (close < 0) break
    const start = from + indented(selector)
    if (!SELECTOR.test(selector.trim()))
      return { at: start, text: selector.trim() === '' ? css.slice(open, close + 1) : selector }
    const wrong = wrongDeclaration(css.slice(open + 1, close), open + 1)
    if (wrong !== undefined) return wrong
    from = close + 1
  }
  const rest = css.slice(from)
  return rest.trim() === '' ? undefined : { at: from + indented(rest), text: rest }
}

/** The first thing in a style sheet that limited CSS does not allow; undefined when there is none. Linear in its length. */
export const cssFault = (source: string): CssFault | undefined => {
  const css = withoutComments(source)
  const forbidden = FORBIDDEN.exec(css)
  const found = forbidden === null ? wrongRule(css) : { at: forbidden.index, text: forbidden[0] }
  if (found === undefined) return undefined
  return { line: css.slice(0, found.at).split('\n').length, text: found.text.trim().slice(0, MAX_TEXT) }
}

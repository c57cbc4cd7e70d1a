import type { ReactNode } from 'react'

/** Bold and italic as the web chat reads them; a mark inside a word is a character. */
const MARKED = /\*\*(?=\S)([^*\n]+)(?<=\S)\*\*|(?<![\w*])_(?=\S)([^\n*_]+?)_(?![\w*])/gu

const marked = (line: string): readonly ReactNode[] => {
  const parts: ReactNode[] = []
  let at = 0
  for (const match of line.matchAll(MARKED)) {
    parts.push(line.slice(at, match.index))
    const [whole, bold, italic] = match
    parts.push(bold === undefined ? <i key={match.index}>{italic}</i> : <b key={match.index}>{bold}</b>)
    at = match.index + whole.length
  }
  return [...parts, line.slice(at)]
}

/** A bot's words: lines in the direction of their script, bold and italic, nothing else. */
export const MessageText = ({ text }: { readonly text: string }) =>
  text.split('\n').map((line, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity beside its place
    <span key={place} dir="auto" style={{ display: 'block', minHeight: '1lh' }}>
      {marked(line)}
    </span>
  ))

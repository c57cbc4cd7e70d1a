import { Fragment, type ReactNode } from 'react'

const MARKED = /\*\*([^*\n]+)\*\*|_([^_\n]+)_/gu

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

/** A bot's words: lines, bold and italic, nothing else. */
export const MessageText = ({ text }: { readonly text: string }) =>
  text.split('\n').map((line, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no identity beside its place
    <Fragment key={place}>
      {place === 0 ? null : <br />}
      {marked(line)}
    </Fragment>
  ))

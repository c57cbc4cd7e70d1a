import type { MarkedStatement } from './project-data.ts'

type Span = MarkedStatement['spans'][number]

/** Length of what two texts begin with alike. */
const commonStart = (before: string, after: string): number => {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before[at] === after[at]) at += 1
  return at
}

/**
 * The statement with another text: marks stay on what they mark, grow with what is typed inside of them, and go with
 * what they marked.
 */
export const withText = ({ text: before, spans }: MarkedStatement, text: string): MarkedStatement => {
  const start = commonStart(before, text)
  const most = Math.min(before.length, text.length) - start
  let tail = 0
  while (tail < most && before[before.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1
  const end = before.length - tail
  const shift = text.length - before.length
  const kept = spans.map((span): Span => {
    if (span.end <= start) return span
    if (span.start >= end) return { ...span, start: span.start + shift, end: span.end + shift }
    if (span.start <= start && span.end >= end) return { ...span, end: span.end + shift }
    // Rest of a mark that was replaced in part.
    return span.start < start ? { ...span, end: start } : { ...span, start: end + shift, end: span.end + shift }
  })
  return { text, spans: kept.filter(({ start: from, end: to }) => from < to) }
}

/** Marks a part of the text, without the white space at its ends, in place of the marks that it meets. */
export const withMark = (statement: MarkedStatement, start: number, end: number, entity: string): MarkedStatement => {
  const { text } = statement
  const part = text.slice(start, end)
  const from = start + (part.length - part.trimStart().length)
  const to = end - (part.length - part.trimEnd().length)
  if (from >= to) return statement
  const others = statement.spans.filter(span => span.end <= from || span.start >= to)
  return { text, spans: [...others, { start: from, end: to, entity }].toSorted((a, b) => a.start - b.start) }
}

/** Takes the marks away that a part of the text meets. */
export const withoutMarks = ({ text, spans }: MarkedStatement, start: number, end: number): MarkedStatement => ({
  text,
  spans: spans.filter(span => span.end <= start || span.start >= end),
})

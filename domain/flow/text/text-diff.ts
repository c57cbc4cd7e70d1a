interface TextDiff {
  readonly at: number
  readonly remove: number
  readonly insert: string
}

const isHigh = (code: number) => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number) => code >= 0xdc00 && code <= 0xdfff

/** The one replacement that turns `before` into `after`, in UTF-16 units; never cuts a surrogate pair. Null when equal. */
export const textDiff = (before: string, after: string): TextDiff | null => {
  if (before === after) return null
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1
  if (start > 0 && isHigh(before.charCodeAt(start - 1))) start -= 1
  let end = 0
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1
  }
  if (end > 0 && isLow(before.charCodeAt(before.length - end))) end -= 1
  return { at: start, remove: before.length - end - start, insert: after.slice(start, after.length - end) }
}

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

export interface WordPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

// Not the `diff` package: it has no bound on comparisons that ends with a usable answer, and splits no words of all scripts.
const TOKEN = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}_]/gu

/** Beyond this many comparisons the middle counts as rewritten: readers do not compare so much word by word. */
const MAX_COMPARISONS = 1_000_000

/** UTF-16 units of both texts; longer ones differ in one piece between what they begin and end with. */
const MAX_LENGTH = 400_000

const tokensOf = (text: string): readonly string[] => text.match(TOKEN) ?? []

const sharedStart = (a: readonly string[], b: readonly string[]): number => {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

const sharedEnd = (a: readonly string[], b: readonly string[], start: number): number => {
  let count = 0
  const most = Math.min(a.length, b.length) - start
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1
  return count
}

/** Lengths of the longest common subsequences of every pair of endings, row by row. */
const commonLengths = (a: readonly string[], b: readonly string[]): Uint16Array => {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const below = lengths[(i + 1) * width + j] ?? 0
      const right = lengths[i * width + j + 1] ?? 0
      lengths[i * width + j] = a[i] === b[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(below, right)
    }
  }
  return lengths
}

const middleParts = (a: readonly string[], b: readonly string[]): WordPart[] => {
  const removed = (text: string): WordPart => ({ kind: 'removed', text })
  const added = (text: string): WordPart => ({ kind: 'added', text })
  if (a.length * b.length > MAX_COMPARISONS) return [removed(a.join('')), added(b.join(''))]
  const width = b.length + 1
  const lengths = commonLengths(a, b)
  const parts: WordPart[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const left = a[i]
    const right = b[j]
    if (left !== undefined && left === right) {
      parts.push({ kind: 'same', text: left })
      i += 1
      j += 1
    } else if (
      left !== undefined &&
      (right === undefined || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      parts.push(removed(left))
      i += 1
    } else if (right !== undefined) {
      parts.push(added(right))
      j += 1
    }
  }
  return parts
}

const isSpace = (text: string) => text.trim() === ''

/** A space between two changed words belongs to the change: rewritten text is one piece, old before new. */
const grouped = (parts: readonly WordPart[]): readonly WordPart[] => {
  const out: WordPart[] = []
  let before = ''
  let after = ''
  const flush = () => {
    if (before !== '') out.push({ kind: 'removed', text: before })
    if (after !== '') out.push({ kind: 'added', text: after })
    before = ''
    after = ''
  }
  for (const [index, { kind, text }] of parts.entries()) {
    const open = before !== '' || after !== ''
    const next = parts[index + 1]
    if (kind === 'removed') before += text
    else if (kind === 'added') after += text
    else if (open && isSpace(text) && next !== undefined && next.kind !== 'same') {
      before += text
      after += text
    } else {
      flush()
      const last = out.at(-1)
      if (last?.kind === 'same') out[out.length - 1] = { kind: 'same', text: last.text + text }
      else out.push({ kind: 'same', text })
    }
  }
  flush()
  return out
}

const wholeDiff = (before: string, after: string): readonly WordPart[] => {
  const { at, remove, insert } = textDiff(before, after) ?? { at: before.length, remove: 0, insert: '' }
  const parts: readonly WordPart[] = [
    { kind: 'same', text: before.slice(0, at) },
    { kind: 'removed', text: before.slice(at, at + remove) },
    { kind: 'added', text: insert },
    { kind: 'same', text: before.slice(at + remove) },
  ]
  return parts.filter(({ text }) => text !== '')
}

/** The difference of two texts in whole words, as a person reads it; joining what is not `added` gives `before`. */
export const wordDiff = (before: string, after: string): readonly WordPart[] => {
  if (before.length + after.length > MAX_LENGTH) return wholeDiff(before, after)
  const a = tokensOf(before)
  const b = tokensOf(after)
  const start = sharedStart(a, b)
  const end = sharedEnd(a, b, start)
  const same = (words: readonly string[]): WordPart[] =>
    words.length === 0 ? [] : [{ kind: 'same', text: words.join('') }]
  return grouped([
    ...same(a.slice(0, start)),
    ...middleParts(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ])
}

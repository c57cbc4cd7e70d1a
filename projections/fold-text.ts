const PLAIN = /^[!-~]*(?: [!-~]+)*$/
/** A text is folded for sorting and again for searching, one after the other. */
const recent = new Map<string, string>()
const REMEMBERED = 64
const MAX_CACHED_LENGTH = 1000

/** Search and sort key: case and accents folded, white space joined. */
export const foldText = (text: string): string => {
  if (PLAIN.test(text)) return text.toLowerCase()
  const known = recent.get(text)
  if (known !== undefined) return known
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim()
  if (recent.size >= REMEMBERED) recent.clear()
  if (text.length <= MAX_CACHED_LENGTH) recent.set(text, folded)
  return folded
}

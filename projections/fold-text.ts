const PLAIN = /^[!-~]*(?: [!-~]+)*$/
/** The same with the letters of Latin-1. */
const LATIN = /^[!-~À-ÖØ-öø-ÿ]*(?: [!-~À-ÖØ-öø-ÿ]+)*$/
const ACCENTED = /[À-ÖØ-öø-ÿ]/g
const ACCENTS = new Map(
  Array.from({ length: 64 }, (_, n) => {
    const letter = String.fromCharCode(0xc0 + n)
    return [letter, letter.normalize('NFKD').replace(/\p{M}/gu, '')] as const
  }),
)
/** A text is folded for sorting and again for searching, one after the other. */
const recent = new Map<string, string>()
const REMEMBERED = 64
const MAX_CACHED_LENGTH = 1000

/** Search and sort key: case and accents folded, white space joined. */
export const foldText = (text: string): string => {
  if (PLAIN.test(text)) return text.toLowerCase()
  if (LATIN.test(text)) return text.replace(ACCENTED, letter => ACCENTS.get(letter) ?? letter).toLowerCase()
  const known = recent.get(text)
  if (known !== undefined) return known
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim()
  if (recent.size >= REMEMBERED) recent.clear()
  if (text.length <= MAX_CACHED_LENGTH) recent.set(text, folded)
  return folded
}

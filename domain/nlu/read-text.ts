/** UTF-16 units of a text that are read; the rest is not looked at. */
const MAX_TEXT_LENGTH = 8000
/** Folded units of all tokens: a ligature can become several letters. */
const MAX_FOLDED_LENGTH = 2 * MAX_TEXT_LENGTH
const MAX_CACHED_FOLDS = 4096

const SEPARATOR = ' '
const foldCache = new Map<number, string>()

/** Letters and digits of a character without marks and capitals; '' for a mark, a space for what separates words. */
const foldedCharacter = (codePoint: number): string => {
  const cached = foldCache.get(codePoint)
  if (cached !== undefined) return cached
  const character = String.fromCodePoint(codePoint)
  const isInvisible = /^[\p{M}\p{Cf}]$/u.test(character)
  const folded = isInvisible
    ? ''
    : character
        .normalize('NFKD')
        .toLowerCase()
        .normalize('NFKD')
        .replace(/[^\p{L}\p{N}]/gu, '')
  const result = folded === '' && !isInvisible ? SEPARATOR : folded
  if (foldCache.size >= MAX_CACHED_FOLDS) foldCache.clear()
  foldCache.set(codePoint, result)
  return result
}

/** A visible character. Skin tones change no meaning. */
const SIGN = /^[^\s\p{M}\p{C}\p{Emoji_Modifier}]$/u
/** Whether a text has tokens. */
export const isReadable = (text: string): boolean => /[^\s\p{M}\p{C}\p{Emoji_Modifier}]/u.test(text)

/** Folded ASCII, 0 for a separator. */
const ASCII = Uint16Array.from({ length: 128 }, (_, code) => {
  const folded = /[a-z0-9]/iu.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase() : ''
  return folded === '' ? 0 : folded.charCodeAt(0)
})

/**
 * Tokens of a text: runs of letters or digits, NFKD, without marks, in lower case; of a text without them, its signs.
 * Arrays are reused: a reading is valid until the next one of the same reader. `units` holds the tokens one after the
 * other.
 */
export interface TokenReader {
  readonly units: Uint16Array
  /** Places in `units`: token i is from starts[i] to starts[i + 1]. */
  readonly starts: Int32Array
  /** Places in the raw text, the end exclusive. */
  readonly rawStarts: Int32Array
  readonly rawEnds: Int32Array
  count: number
  read(text: string): void
}

/** A text without letters and digits: each of its signs is a token. */
const readSigns = (reader: TokenReader, text: string): void => {
  const { units, starts, rawStarts, rawEnds } = reader
  let used = 0
  let count = 0
  for (let at = 0; at < Math.min(text.length, MAX_TEXT_LENGTH); ) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
    const next = at + sign.length
    if (SIGN.test(sign)) {
      starts[count] = used
      rawStarts[count] = at
      rawEnds[count++] = next
      for (let i = 0; i < sign.length; i++) units[used++] = sign.charCodeAt(i)
    }
    at = next
  }
  starts[count] = used
  reader.count = count
}

/** Reads one text after the other without allocating. */
export const createTokenReader = (): TokenReader => {
  const units = new Uint16Array(MAX_FOLDED_LENGTH + 32)
  const starts = new Int32Array(MAX_TEXT_LENGTH + 2)
  const rawStarts = new Int32Array(MAX_TEXT_LENGTH + 1)
  const rawEnds = new Int32Array(MAX_TEXT_LENGTH + 1)
  const reader: TokenReader = { units, starts, rawStarts, rawEnds, count: 0, read }

  function read(text: string): void {
    readWords(text)
    if (reader.count === 0) readSigns(reader, text)
  }

  function readWords(text: string): void {
    const length = Math.min(text.length, MAX_TEXT_LENGTH)
    let used = 0
    let count = 0
    let isInside = false
    for (let at = 0; at < length && used < MAX_FOLDED_LENGTH; ) {
      const unit = text.charCodeAt(at)
      let next = at + 1
      let isLetter = false
      if (unit < 128) {
        const folded = ASCII[unit] as number
        if (folded !== 0) {
          if (!isInside) starts[count] = used
          units[used++] = folded
          isLetter = true
        }
      } else {
        const codePoint = text.codePointAt(at) ?? unit
        if (codePoint > 0xffff) next = at + 2
        const folded = foldedCharacter(codePoint)
        if (folded === '') {
          if (isInside) rawEnds[count] = next
          at = next
          continue
        }
        if (folded !== SEPARATOR) {
          if (!isInside) starts[count] = used
          for (let i = 0; i < folded.length; i++) units[used++] = folded.charCodeAt(i)
          isLetter = true
        }
      }
      if (isLetter) {
        if (!isInside) rawStarts[count] = at
        rawEnds[count] = next
        isInside = true
      } else if (isInside) {
        isInside = false
        count++
      }
      at = next
    }
    if (isInside) count++
    starts[count] = used
    reader.count = count
  }
  return reader
}

/** The tokens of a text as they are compared, joined by spaces. */
export const foldedTokens = (reader: TokenReader, text: string): readonly string[] => {
  reader.read(text)
  return Array.from({ length: reader.count }, (_, token) =>
    String.fromCharCode(...reader.units.subarray(reader.starts[token], reader.starts[token + 1])),
  )
}

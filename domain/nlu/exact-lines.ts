import { hashText, rowOf, slotsOf } from './hash-table.ts'
import type { TokenReader } from './read-text.ts'

const KEY_SEED = 0x1b873593
const CHECK_SEED = 0x38b34ae5
/** Of two intents with the same line. */
const CONFLICT = 0xffff

/** Lines by the hash of their folded text: `checks` is a second hash, `intents` the place of the intent. */
export interface ExactLines {
  readonly keys: Int32Array
  readonly checks: Int32Array
  readonly intents: Uint16Array
  readonly slots: Int32Array
}

/** The letters and digits of a text as they are compared; the marks between them do not count. */
const keyText = (reader: TokenReader): string => {
  const { units, starts, count } = reader
  let text = ''
  for (let token = 0; token < count; token++)
    text += `${String.fromCharCode(...units.subarray(starts[token], starts[token + 1]))} `
  return text
}

export const buildExactLines = (reader: TokenReader, texts: readonly string[], labels: Int32Array): ExactLines => {
  const byText = new Map<string, number>()
  for (const [line, text] of texts.entries()) {
    reader.read(text)
    if (reader.count === 0) continue
    const key = keyText(reader)
    const label = labels[line] as number
    const known = byText.get(key)
    byText.set(key, known === undefined || known === label ? label : CONFLICT)
  }
  const entries = [...byText].map(([text, intent]) => ({
    key: hashText(KEY_SEED, text),
    check: hashText(CHECK_SEED, text),
    intent,
  }))
  const keys = Int32Array.from(entries, ({ key }) => key)
  return {
    keys,
    checks: Int32Array.from(entries, ({ check }) => check),
    intents: Uint16Array.from(entries, ({ intent }) => intent),
    slots: slotsOf(keys),
  }
}

/** The one intent that has the text that was read as a line, -1 for none or several. */
export const exactIntent = ({ keys, checks, intents, slots }: ExactLines, reader: TokenReader): number => {
  if (reader.count === 0) return -1
  const text = keyText(reader)
  const row = rowOf(slots, keys, hashText(KEY_SEED, text))
  if (row < 0 || checks[row] !== hashText(CHECK_SEED, text)) return -1
  const intent = intents[row] as number
  return intent === CONFLICT ? -1 : intent
}

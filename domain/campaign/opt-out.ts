import { folded } from '../fold-text.ts'

/** Whole messages by which people stop what they are sent, folded. */
const WORDS: ReadonlySet<string> = new Set(
  ['SAIR', 'PARAR', 'PARE', 'CANCELAR', 'DESCADASTRAR', 'STOP', 'UNSUBSCRIBE', 'BAJA'].map(folded),
)
const MAX_LENGTH = 40
const AROUND = /^[\s.,!?"'*_~-]{1,10}|[\s.,!?"'*_~-]{1,10}$/gu

/** Whether a message asks to be sent nothing more: one of the words and nothing else. */
export const isOptOut = (text: string): boolean =>
  text.length <= MAX_LENGTH && WORDS.has(folded(text).replace(AROUND, ''))

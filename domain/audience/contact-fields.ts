/** field01 … field16 (D-9.24). */
export const CONTACT_FIELDS: readonly string[] = Array.from(
  { length: 16 },
  (_, at) => `field${String(at + 1).padStart(2, '0')}`,
)

/** Everything that a contact has beside its number. */
export const CONTACT_NAMES: readonly string[] = ['nome', ...CONTACT_FIELDS]

/** UTF-16 units of a name or field. */
export const MAX_CONTACT_TEXT = 1024

/** Control characters but line ends and tabs, and what turns the direction of a text around. */
const CONTROL = /(?![\n\t])[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{2028}\u{2029}]/u

type TextFault = 'control' | 'toolong'

/** A text of a contact as it is kept: trimmed, composed (NFC), lines ended by a line feed alone. */
export const contactText = (given: string): { readonly text: string; readonly fault?: TextFault } => {
  const text = given.replaceAll('\r\n', '\n').normalize('NFC').trim()
  if (CONTROL.test(text) || !text.isWellFormed()) return { text, fault: 'control' }
  return text.length > MAX_CONTACT_TEXT ? { text, fault: 'toolong' } : { text }
}

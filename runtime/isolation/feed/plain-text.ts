const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  bull: '•',
  hellip: '…',
  lsaquo: '‹',
  rsaquo: '›',
  euro: '€',
  trade: '™',
  minus: '−',
  rarr: '→',
  larr: '←',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
}
/** Names of the characters from U+00A0 on, in their order. */
const LATIN_NAMES =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const FIRST_LATIN = 0xa0
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(NAMED),
  ...LATIN_NAMES.split(' ').map((name, index) => [name, String.fromCodePoint(FIRST_LATIN + index)] as const),
])
/** Limits of the text that is read and of the text that is returned, in characters. */
const MAX_INPUT_LENGTH = 20_000
const MAX_OUTPUT_LENGTH = 2_000

const windows1252 = new TextDecoder('windows-1252')

/** As in HTML, numbers from 128 to 159 are those of windows-1252. */
const characterOf = (point: number): string =>
  point >= 0x80 && point <= 0x9f ? windows1252.decode(Uint8Array.of(point)) : String.fromCodePoint(point).toWellFormed()

const entity = (whole: string, name: string): string => {
  const code = /^#x([\da-f]{1,6})$/i.exec(name)?.[1]
  const point = code === undefined ? Number(/^#(\d{1,7})$/.exec(name)?.[1]) : Number.parseInt(code, 16)
  if (Number.isInteger(point) && point > 0 && point <= 0x10ffff) return characterOf(point)
  return ENTITIES.get(name) ?? whole
}

/** Visible text of HTML: no tags, no scripts, one space between words. */
export const plainText = (html: string): string =>
  html
    .slice(0, MAX_INPUT_LENGTH)
    .replace(/<(script|style)\b[^<>]*>[^<]*/gi, ' ')
    .replace(/<!--[^<>]*-->|<[^<>]*>/g, ' ')
    .replace(/&(#?\w{1,8});/g, entity)
    .replace(/[\u0080-\u009f]/g, control => characterOf(control.charCodeAt(0)))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_OUTPUT_LENGTH)

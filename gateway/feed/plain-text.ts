const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
/** Characters that are looked at, and that are kept. */
const MOST_READ = 20_000
const MOST_KEPT = 2_000

const entity = (whole: string, name: string): string => {
  const code = /^#x([\da-f]{1,6})$/i.exec(name)?.[1]
  const point = code === undefined ? Number(/^#(\d{1,7})$/.exec(name)?.[1]) : Number.parseInt(code, 16)
  if (Number.isInteger(point) && point > 0 && point <= 0x10ffff) return String.fromCodePoint(point).toWellFormed()
  return NAMED[name] ?? whole
}

/** What a person reads of HTML: no tags, no scripts, one space between words. */
export const plainText = (html: string): string =>
  html
    .slice(0, MOST_READ)
    .replace(/<(script|style)\b[^<>]*>[^<]*/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(#?\w{1,8});/g, entity)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_KEPT)

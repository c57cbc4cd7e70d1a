const OPAQUE: readonly (readonly [open: string, close: string])[] = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
]

/** XML from its declaration on: white space, comments and a byte order mark before it are common mistakes. */
const fromDeclaration = (xml: string): string => {
  const space = /\s*/y
  let at = 0
  for (;;) {
    space.lastIndex = at
    at += space.exec(xml)?.[0].length ?? 0
    const end = xml.startsWith('<!--', at) ? xml.indexOf('-->', at + 4) : -1
    if (end === -1) break
    at = end + 3
  }
  return xml.startsWith('<?xml ', at) ? xml.slice(at) : xml.trimStart()
}

/** Escapes each `&` that begins no reference, as in addresses. */
const withReferences = (text: string): string => text.replaceAll(/&(?!#?\w{1,40};)/g, '&amp;')

/** Applies a change to a document except inside CDATA and comments. */
const outsideOpaque = (xml: string, change: (text: string) => string): string => {
  const parts: string[] = []
  const opening = /<!\[CDATA\[|<!--/g
  for (let at = 0; ; ) {
    opening.lastIndex = at
    const found = opening.exec(xml)
    parts.push(change(xml.slice(at, found?.index)))
    if (found === null) return parts.join('')
    const [open, close = ''] = OPAQUE.find(([each]) => each === found[0]) ?? ['']
    const end = xml.indexOf(close, found.index + open.length)
    at = end === -1 ? xml.length : end + close.length
    parts.push(xml.slice(found.index, at))
  }
}

/** Repairs mistakes in a feed's text that feed readers tolerate and a strict XML parser refuses. */
export const wellFormed = (xml: string): string => {
  // XML allows only these three control characters.
  const allowed = fromDeclaration(xml).replaceAll(/[^\t\n\r -\ufffd]/g, '')
  return outsideOpaque(allowed, withReferences)
}

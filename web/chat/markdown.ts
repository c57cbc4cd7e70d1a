import { h, safeLink } from './dom.ts'

/** Bold, italic, struck, code, links and bare addresses; groups in this order. */
const INLINE =
  /\*\*(?=\S)([^\n*]+)(?<=\S)\*\*|(?<![\w*])[*_](?=\S)([^\n*_]+?)[*_](?![\w*])|~~([^\n~]+)~~|`([^\n`]+)`|\[([^[\]\n]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/

const link = (text: string, address: string): Node | string => {
  const href = safeLink(address)
  return href === undefined ? text : h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text)
}

const MAX_DEPTH = 5

const inline = (text: string, depth = 0): (Node | string)[] => {
  const nodes: (Node | string)[] = []
  let rest = text
  for (let found = INLINE.exec(rest); found !== null; found = INLINE.exec(rest)) {
    const [whole, bold, italic, struck, code, label, address, bare] = found
    if (found.index > 0) nodes.push(rest.slice(0, found.index))
    const inner = (part: string) => (depth < MAX_DEPTH ? inline(part, depth + 1) : [part])
    if (bold !== undefined) nodes.push(h('strong', {}, ...inner(bold)))
    else if (italic !== undefined) nodes.push(h('em', {}, ...inner(italic)))
    else if (struck !== undefined) nodes.push(h('s', {}, ...inner(struck)))
    else if (code !== undefined) nodes.push(h('code', {}, code))
    else if (label !== undefined && address !== undefined) nodes.push(link(label, address))
    else if (bare !== undefined) nodes.push(link(bare, bare))
    rest = rest.slice(found.index + whole.length)
  }
  if (rest !== '') nodes.push(rest)
  return nodes
}

const ITEM = /^\s{0,3}(?:[-*•]|(\d{1,3})[.)])\s+(.*)$/

const paragraph = (lines: readonly string[]): HTMLElement =>
  h('p', { dir: 'auto' }, ...lines.flatMap((line, at) => [...(at === 0 ? [] : [h('br')]), ...inline(line)]))

const itemsOf = (lines: readonly string[]): HTMLElement => {
  const first = ITEM.exec(lines[0] ?? '')?.[1]
  const items = lines.map(line => h('li', { dir: 'auto' }, ...inline(ITEM.exec(line)?.[2] ?? line)))
  return first === undefined ? h('ul', {}, ...items) : h('ol', { start: first }, ...items)
}

/** Limited Markdown as nodes: paragraphs, lists and what stands inside a line. HTML in it stays the text that it is. */
export const markdown = (text: string): HTMLElement[] => {
  const blocks: { readonly isList: boolean; readonly lines: string[] }[] = []
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const isList = ITEM.test(line)
    const last = blocks.at(-1)
    if (line.trim() === '') blocks.push({ isList: false, lines: [] })
    else if (last !== undefined && last.isList === isList && last.lines.length > 0) last.lines.push(line)
    else blocks.push({ isList, lines: [line] })
  }
  return blocks
    .filter(({ lines }) => lines.length > 0)
    .map(({ isList, lines }) => (isList ? itemsOf(lines) : paragraph(lines)))
}

/** The same words without marks, for a screen reader's announcement and for what is stored. */
export const plainText = (text: string): string =>
  markdown(text)
    .map(({ textContent }) => textContent)
    .join(' ')

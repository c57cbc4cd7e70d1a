import type { AlignType, List, Nodes, RootContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { createElement, Fragment, type JSX } from 'react'

/** Deeper than anyone writes: what lies below is left out. */
const MAX_DEPTH = 60

/** Addresses of `[label]: address` lines, by label. */
type Definitions = ReadonlyMap<string, string>

interface Place {
  readonly definitions: Definitions
  readonly depth: number
}

/** Elements one after the other; a part of a text has no identity beside its place. */
const inOrder = (elements: readonly JSX.Element[]): JSX.Element => createElement(Fragment, null, ...elements)

const isWeb = (address: string): boolean => /^https?:\/\//iu.test(address) && URL.canParse(address)
const isLinked = (address: string): boolean => isWeb(address) || /^mailto:[^\s]+@[^\s]+$/iu.test(address)

const labelOf = (identifier: string): string => identifier.toLowerCase()

const inner = (nodes: readonly Nodes[], place: Place): JSX.Element =>
  place.depth > MAX_DEPTH
    ? inOrder([])
    : inOrder(nodes.map(node => elementOf(node, { ...place, depth: place.depth + 1 })))

const link = (address: string | undefined, children: readonly Nodes[], place: Place): JSX.Element =>
  address !== undefined && isLinked(address) ? (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {inner(children, place)}
    </a>
  ) : (
    inner(children, place)
  )

const image = (address: string | undefined, alt: string | null | undefined): JSX.Element =>
  address !== undefined && isWeb(address) ? (
    <img src={address} alt={alt ?? ''} loading="lazy" referrerPolicy="no-referrer" />
  ) : (
    createElement(Fragment, null, alt)
  )

/** The page has the first two levels for itself. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const

const table = ({ align = [], children: [head, ...rows] }: Table, place: Place): JSX.Element => {
  const cells = (Tag: 'th' | 'td', row: Table['children'][number] | undefined) =>
    inOrder(
      (row?.children ?? []).map((cell, at) => {
        const side: AlignType | undefined = align?.[at]
        return createElement(Tag, { style: { textAlign: side ?? undefined } }, inner(cell.children, place))
      }),
    )
  return (
    <div data-scroll="">
      <table>
        <thead>
          <tr>{cells('th', head)}</tr>
        </thead>
        <tbody>{inOrder(rows.map(row => createElement('tr', null, cells('td', row))))}</tbody>
      </table>
    </div>
  )
}

const list = ({ ordered, start, children }: List, place: Place): JSX.Element => {
  const elements = children.map(({ checked, spread, children: blocks }) => {
    const mark = typeof checked !== 'boolean' ? '' : checked ? '☑ ' : '☐ '
    // The words of a tight item stand in it without a paragraph.
    const contents = blocks.map(block =>
      block.type === 'paragraph' && spread !== true ? inner(block.children, place) : inner([block], place),
    )
    return createElement('li', { 'data-task': checked ?? undefined }, mark, inOrder(contents))
  })
  return createElement(
    ordered === true ? 'ol' : 'ul',
    ordered === true ? { start: start ?? 1 } : null,
    inOrder(elements),
  )
}

const codeBlock = (text: string): JSX.Element => (
  <pre data-scroll="">
    <code>{text}</code>
  </pre>
)

const elementOf = (node: Nodes, place: Place): JSX.Element => {
  switch (node.type) {
    case 'text':
    case 'html':
      return <>{node.value}</>
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'strong':
      return <strong>{inner(node.children, place)}</strong>
    case 'emphasis':
      return <em>{inner(node.children, place)}</em>
    case 'delete':
      return <del>{inner(node.children, place)}</del>
    case 'link':
      return link(node.url, node.children, place)
    case 'linkReference':
      return link(place.definitions.get(labelOf(node.identifier)), node.children, place)
    case 'image':
      return image(node.url, node.alt)
    case 'imageReference':
      return image(place.definitions.get(labelOf(node.identifier)), node.alt)
    case 'break':
      return <br />
    case 'heading':
      return createElement(HEADINGS[node.depth - 1] ?? 'h6', null, inner(node.children, place))
    case 'paragraph':
      return <p>{inner(node.children, place)}</p>
    case 'code':
      return codeBlock(node.value)
    case 'blockquote':
      return <blockquote>{inner(node.children, place)}</blockquote>
    case 'list':
      return list(node, place)
    case 'table':
      return table(node, place)
    case 'thematicBreak':
      return <hr />
    case 'footnoteReference':
      return <sup>{node.label ?? node.identifier}</sup>
    case 'footnoteDefinition':
      return (
        <div>
          <sup>{node.label ?? node.identifier}</sup> {inner(node.children, place)}
        </div>
      )
    default:
      return inOrder([])
  }
}

const definitionsIn = (nodes: readonly RootContent[]): Definitions =>
  new Map(nodes.flatMap(node => (node.type === 'definition' ? [[labelOf(node.identifier), node.url] as const] : [])))

/** Markdown (CommonMark with GitHub's tables, task lists and strikethrough) as elements, never as HTML text. */
export const markdownElement = (source: string): JSX.Element => {
  const { children } = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return inner(children, { definitions: definitionsIn(children), depth: 0 })
}

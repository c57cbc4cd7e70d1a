import type { Definition, List, Nodes, Root, Table } from 'mdast'
import { createElement, Fragment, type JSX } from 'react'

/** Maximum nesting; deeper content is omitted. */
const MAX_DEPTH = 60

interface Scope {
  /** Addresses of `[label]: address` lines, by label. */
  readonly definitions: ReadonlyMap<string, string>
  readonly depth: number
}

/** Relative addresses are resolved against the page; this base only tells where they lead. */
const BASE = 'https://console.invalid'
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

const urlOf = (address: string): URL | undefined => (URL.canParse(address, BASE) ? new URL(address, BASE) : undefined)

const isLinked = (address: string): boolean => {
  const url = urlOf(address)
  return url !== undefined && PROTOCOLS.has(url.protocol) && !address.startsWith('#')
}

/** The web's, and the files that people uploaded to the console. */
const isShown = (address: string): boolean => {
  const url = urlOf(address)
  if (url === undefined || !/^https?:$/u.test(url.protocol)) return false
  return url.origin !== BASE || url.pathname.startsWith('/botadmin/files/')
}

/** Elements one after the other; a part of a text has no identity beside its place. */
const inOrder = (elements: readonly JSX.Element[]): JSX.Element => createElement(Fragment, null, ...elements)

const inner = (nodes: readonly Nodes[], { definitions, depth }: Scope): JSX.Element =>
  inOrder(depth >= MAX_DEPTH ? [] : nodes.map(node => elementOf(node, { definitions, depth: depth + 1 })))

const link = (address: string | undefined, children: readonly Nodes[], scope: Scope): JSX.Element =>
  address !== undefined && isLinked(address) ? (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {inner(children, scope)}
    </a>
  ) : (
    inner(children, scope)
  )

const image = (address: string | undefined, alt: string | null | undefined): JSX.Element =>
  address !== undefined && isShown(address) ? (
    <img src={address} alt={alt ?? ''} loading="lazy" referrerPolicy="no-referrer" />
  ) : (
    inOrder([<Fragment key="alt">{alt}</Fragment>])
  )

/** The page has the first two levels for itself. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const

const table = ({ align, children: [head, ...rows] }: Table, scope: Scope): JSX.Element => {
  const cells = (Tag: 'th' | 'td', row: Table['children'][number] | undefined) =>
    inOrder(
      (row?.children ?? []).map((cell, at) =>
        createElement(Tag, { style: { textAlign: align?.[at] ?? undefined } }, inner(cell.children, scope)),
      ),
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

const list = ({ ordered, start, children }: List, scope: Scope): JSX.Element => {
  const items = children.map(({ checked, spread, children: blocks }) => {
    const isTask = typeof checked === 'boolean'
    const contents = blocks.map(block =>
      // A tight list item has no paragraph around its text.
      block.type === 'paragraph' && spread !== true ? inner(block.children, scope) : inner([block], scope),
    )
    const mark = isTask ? (checked ? '☑ ' : '☐ ') : null
    return createElement('li', isTask ? { 'data-task': checked } : null, mark, inOrder(contents))
  })
  return ordered === true ? <ol start={start ?? 1}>{inOrder(items)}</ol> : <ul>{inOrder(items)}</ul>
}

const elementOf = (node: Nodes, scope: Scope): JSX.Element => {
  switch (node.type) {
    case 'text':
    case 'html':
      return <>{node.value}</>
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'strong':
      return <strong>{inner(node.children, scope)}</strong>
    case 'emphasis':
      return <em>{inner(node.children, scope)}</em>
    case 'delete':
      return <del>{inner(node.children, scope)}</del>
    case 'link':
      return link(node.url, node.children, scope)
    case 'linkReference':
      return link(scope.definitions.get(node.identifier), node.children, scope)
    case 'image':
      return image(node.url, node.alt)
    case 'imageReference':
      return image(scope.definitions.get(node.identifier), node.alt)
    case 'break':
      return <br />
    case 'heading':
      return createElement(HEADINGS[node.depth - 1] ?? 'h6', null, inner(node.children, scope))
    case 'paragraph':
      return <p>{inner(node.children, scope)}</p>
    case 'code':
      return (
        <pre data-scroll="">
          <code>{node.value}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{inner(node.children, scope)}</blockquote>
    case 'list':
      return list(node, scope)
    case 'table':
      return table(node, scope)
    case 'thematicBreak':
      return <hr />
    case 'footnoteReference':
      return <sup>{node.label ?? node.identifier}</sup>
    case 'footnoteDefinition':
      return (
        <div data-footnote="">
          <sup>{node.label ?? node.identifier}</sup>
          <div>{inner(node.children, scope)}</div>
        </div>
      )
    default:
      return inOrder([])
  }
}

const definitionsIn = (nodes: readonly Nodes[], depth = 0): readonly Definition[] =>
  depth >= MAX_DEPTH
    ? []
    : nodes.flatMap(node => {
        if (node.type === 'definition') return [node]
        return 'children' in node ? definitionsIn(node.children, depth + 1) : []
      })

/** Markdown as elements, never as HTML text: raw HTML is shown as it was written. */
export const markdownElement = ({ children }: Root): JSX.Element => {
  // Of several definitions the first one counts.
  const definitions = new Map(
    definitionsIn(children)
      .toReversed()
      .map(({ identifier, url }) => [identifier, url]),
  )
  return inner(children, { definitions, depth: 0 })
}

import * as Y from 'yjs'
import type { Content } from './content.ts'
import { linksOf, nodesOf } from './document.ts'
import { fromShared, patchEntry, toShared } from './shared.ts'
import { type Change, changesBetween, contentAt, contentEqual, isTextChange, type Place, shareOf } from './snapshot.ts'
import { pathOf } from './transaction-before.ts'
import { runTextStep, type TextStep, TextUndo, textAround } from './undo-text.ts'

export interface UndoResult {
  readonly done: boolean
  /** Places that someone else changed since, or that are gone: they were passed over. */
  readonly skipped: readonly (readonly string[])[]
}

export interface Undo {
  undo(): UndoResult
  redo(): UndoResult
  canUndo(): boolean
  canRedo(): boolean
  /** From now on, transactions of this origin are this person's steps as well. */
  include(origin: unknown): void
  /** Ends the present run of typing: what comes next is a step of its own. */
  stop(): void
  onChange(listener: () => void): () => void
  destroy(): void
}

interface Step {
  readonly changes: readonly Change[]
  readonly texts: TextStep[]
}

const NOTHING: UndoResult = { done: false, skipped: [] }

const parentOf = (doc: Y.Doc, place: Place): { readonly map: Y.Map<unknown>; readonly key: string } | undefined => {
  const [share, ...keys] = place
  const key = keys.pop()
  let map: unknown = shareOf(doc, share)
  for (const name of keys) map = map instanceof Y.Map ? map.get(name) : undefined
  return map instanceof Y.Map && key !== undefined ? { map, key } : undefined
}

/** Writes what a place should say if it still says what this person left there. */
const write = (doc: Y.Doc, place: Place, expected: Content | undefined, wanted: Content | undefined): boolean => {
  const found = parentOf(doc, place)
  if (found === undefined) return false
  const { map, key } = found
  const held = map.has(key) ? fromShared(map.get(key)) : undefined
  if (!contentEqual(held, expected)) return false
  if (wanted === undefined) map.delete(key)
  else map.set(key, toShared(wanted))
  return true
}

/** The same for a text that Yjs no longer knows as the one that was typed in. */
const rewrite = (doc: Y.Doc, step: TextStep, back: boolean): boolean => {
  const [share, ...keys] = step.place
  const [expected, wanted] = back ? [step.after, step.before] : [step.before, step.after]
  if (share !== 'nodes' || expected === undefined || wanted === undefined) return false
  const found = parentOf(doc, ['nodes', ...keys])
  if (found === undefined || !contentEqual(fromShared(found.map.get(found.key)), expected)) return false
  patchEntry(found.map, found.key, wanted)
  return true
}

/** Content of every node and link, kept beside the document to know the values before an edit. */
const shadowOf = (doc: Y.Doc) => {
  const shadow = { nodes: new Map<string, Content>(), links: new Map<string, Content>() }
  for (const [id, node] of nodesOf(doc).entries()) shadow.nodes.set(id, fromShared(node))
  for (const [id, link] of linksOf(doc).entries()) shadow.links.set(id, fromShared(link))
  return shadow
}

const touchedBy = (transaction: Y.Transaction): readonly (readonly [Place[0], string])[] => {
  const touched = new Map<string, readonly [Place[0], string]>()
  for (const [type, keys] of transaction.changed) {
    const [share, id] = pathOf(type as Y.AbstractType<unknown>)
    if (share !== 'nodes' && share !== 'links') continue
    const ids = id === undefined ? [...keys].filter(key => key !== null) : [id]
    for (const each of ids) touched.set(`${share} ${each}`, [share, each])
  }
  return [...touched.values()]
}

/**
 * Undo and redo of one person's own steps, in one order for blocks, links, fields and text. Steps are the transactions
 * of these origins. What someone else changed since is passed over and named in the result.
 */
export const createUndo = (doc: Y.Doc, origins: readonly unknown[]): Undo => {
  const own = new Set(origins)
  const shadow = shadowOf(doc)
  const stacks = { undo: [] as Step[], redo: [] as Step[] }
  const listeners = new Set<() => void>()
  const inverse = Symbol('undo')
  let latest: Step | undefined
  let typing: readonly Change[] = []

  const announce = () => {
    for (const listener of listeners) listener()
  }
  const push = (step: Step) => {
    if (stacks.undo.at(-1) === step) return
    stacks.undo.push(step)
    stacks.redo.length = 0
    announce()
  }
  const typed = (place: readonly string[]) => typing.find(change => change.place.join() === place.join())
  const texts = new TextUndo(
    own,
    text => {
      if (latest === undefined) return
      const { before, after } = typed(text.place) ?? {}
      latest.texts.push({ ...text, ...(before && { before }), ...(after && { after }) })
      push(latest)
    },
    text => {
      const held = stacks.undo.at(-1)?.texts.find(step => step.item === text.item)
      const after = typed(text.place)?.after
      if (held !== undefined && after !== undefined) held.after = after
    },
  )

  const renew = (transaction: Y.Transaction): readonly Change[] =>
    touchedBy(transaction).flatMap(([share, id]) => {
      const before = shadow[share].get(id)
      const after = contentAt(doc, share, id)
      if (after === undefined) shadow[share].delete(id)
      else shadow[share].set(id, after)
      return changesBetween([share, id], before, after)
    })

  const prepare = (transaction: Y.Transaction) => {
    if (!own.has(transaction.origin)) return
    const top = stacks.undo.at(-1)
    for (const type of transaction.changed.keys()) {
      const text = textAround(type as Y.AbstractType<unknown>)
      if (text === undefined) continue
      const manager = texts.watch(text)
      if (!top?.texts.some(step => step.manager === manager)) manager.stopCapturing()
    }
  }
  const record = (transaction: Y.Transaction) => {
    const all = renew(transaction)
    const changes = all.filter(change => !isTextChange(change))
    typing = all.filter(isTextChange)
    if (!own.has(transaction.origin)) return
    latest = { changes, texts: [] }
    if (changes.length === 0) return
    texts.endRuns()
    push(latest)
  }
  doc.on('beforeObserverCalls', prepare)
  doc.on('afterTransaction', record)

  const run = (from: Step[], to: Step[], direction: 'undo' | 'redo'): UndoResult => {
    const step = from.pop()
    if (step === undefined) return NOTHING
    latest = undefined
    const skipped: (readonly string[])[] = []
    const back = direction === 'undo'
    const lost = step.texts.filter(text => !runTextStep(text, direction))
    doc.transact(() => {
      for (const text of lost) if (!rewrite(doc, text, back)) skipped.push(text.place)
      for (const { place, before, after } of back ? step.changes.toReversed() : step.changes) {
        if (!write(doc, place, back ? after : before, back ? before : after)) skipped.push(place)
      }
    }, inverse)
    to.push(step)
    announce()
    return { done: skipped.length < step.changes.length + step.texts.length, skipped }
  }

  return {
    undo: () => run(stacks.undo, stacks.redo, 'undo'),
    redo: () => run(stacks.redo, stacks.undo, 'redo'),
    canUndo: () => stacks.undo.length > 0,
    canRedo: () => stacks.redo.length > 0,
    include: origin => {
      own.add(origin)
      texts.include(origin)
    },
    stop: () => texts.endRuns(),
    onChange: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    destroy: () => {
      doc.off('beforeObserverCalls', prepare)
      doc.off('afterTransaction', record)
      texts.destroy()
    },
  }
}

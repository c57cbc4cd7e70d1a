import * as Y from 'yjs'
import { linksOf, nodeOf, nodesOf } from '../document/document.ts'
import { fieldAt } from '../document/location.ts'
import type { Content } from '../document/model.ts'
import { fromShared, patchEntry, toShared } from '../document/shared.ts'
import {
  type Change,
  changesBetween,
  contentAt,
  contentEqual,
  isTextChange,
  type Place,
  pathOf,
  shareOf,
} from '../document/snapshot.ts'

type SharedText = Y.Text | Y.XmlFragment

/** One run of typing by this person in one text. */
interface TextStep {
  readonly manager: Y.UndoManager
  readonly text: SharedText
  readonly place: readonly string[]
  /** Yjs's item for the run; a new one after each undo and redo, none where that changed nothing. */
  item: unknown
  /** Text before and after, for when its block was removed and restored as a new text. */
  before?: Content
  after?: Content
}

type Listener = (step: TextStep) => void

/** Keystrokes closer than this are one step. */
const TYPING_PAUSE_MS = 500

/** Text of a field that is or contains a changed type; undefined for maps. */
const textAround = (type: Y.AbstractType<unknown>): SharedText | undefined => {
  let current: Y.AbstractType<unknown> = type
  while (current._item?.parent instanceof Y.AbstractType && !(current._item.parent instanceof Y.Map)) {
    current = current._item.parent as Y.AbstractType<unknown>
  }
  return current instanceof Y.Text || current instanceof Y.XmlFragment ? current : undefined
}

const isOccupied = (type: Y.AbstractType<unknown>): boolean => {
  for (let item = type._start; item !== null; item = item.right) if (!item.deleted) return true
  return false
}

/**
 * The first keystroke in an empty text also makes the paragraph and the run that hold it. Undo deletes the newest first: a
 * container that still holds something then holds what others typed, and stays.
 */
const mayDelete = ({ content }: Y.Item): boolean => !(content instanceof Y.ContentType && isOccupied(content.type))

/** Yjs's own undo, one for each text that this person types in; reports each new run and each continuation. */
class TextUndo {
  readonly #managers = new Map<SharedText, Y.UndoManager>()
  readonly #origins: ReadonlySet<unknown>
  readonly #onRun: Listener
  readonly #onMore: Listener

  constructor(origins: ReadonlySet<unknown>, onRun: Listener, onMore: Listener) {
    this.#origins = origins
    this.#onRun = onRun
    this.#onMore = onMore
  }

  /** To be called before a transaction's observers: a manager made later would miss this first change. */
  watch(text: SharedText): Y.UndoManager {
    const held = this.#managers.get(text)
    if (held !== undefined) return held
    const manager = new Y.UndoManager(text, {
      trackedOrigins: new Set(this.#origins),
      captureTimeout: TYPING_PAUSE_MS,
      deleteFilter: mayDelete,
    })
    this.#managers.set(text, manager)
    const place = pathOf(text as Y.AbstractType<unknown>)
    const tell = (listener: Listener) => (event: { stackItem: unknown; type: 'undo' | 'redo' }) => {
      if (event.type === 'undo' && !manager.undoing && !manager.redoing) {
        listener({ manager, text, place, item: event.stackItem })
      }
    }
    manager.on('stack-item-added', tell(this.#onRun))
    manager.on('stack-item-updated', tell(this.#onMore))
    return manager
  }

  /** An origin that was added to those given; texts watched before did not know it. */
  include(origin: unknown): void {
    for (const manager of this.#managers.values()) manager.addTrackedOrigin(origin)
  }

  /** Ends the run of typing everywhere but in one text, so that steps stay in their order. */
  endRuns(except?: Y.UndoManager): void {
    for (const manager of this.#managers.values()) if (manager !== except) manager.stopCapturing()
  }

  destroy(): void {
    for (const manager of this.#managers.values()) manager.destroy()
    this.#managers.clear()
  }
}

/** Undoes or redoes a run of typing; false if its text was removed or no longer has it. */
const runTextStep = (step: TextStep, direction: 'undo' | 'redo'): boolean => {
  const { manager, text } = step
  const [from, to] =
    direction === 'undo' ? (['undoStack', 'redoStack'] as const) : (['redoStack', 'undoStack'] as const)
  if (text._item?.deleted === true || step.item === undefined || manager[from].at(-1) !== step.item) return false
  // Yjs skips a run that changes nothing and undoes the one before: only this run is on its stack now.
  const earlier = manager[from].splice(0, manager[from].length - 1)
  const done = direction === 'undo' ? manager.undo() : manager.redo()
  manager[from].unshift(...earlier)
  step.item = done === null ? undefined : manager[to].at(-1)
  return done !== null
}

/** Whether a run of typing took back all that it wrote. */
const isVoid = ({ before, after }: TextStep): boolean =>
  before !== undefined && after !== undefined && contentEqual(before, after)

/** Content of nodes and links before an edit, stored beside the document; read only if it may be needed. */
interface Shadow {
  /** Reads what is not up to date, at most so many of them; answers whether there is more. */
  read(most?: number): boolean
  /** Marks content of a transaction as outdated. */
  outdate(transaction: Y.Transaction): void
  /** Changes of a transaction since the last full read. */
  renew(transaction: Y.Transaction): readonly Change[]
}

type Part = readonly [share: Place[0], id: string]

const partsOf = (doc: Y.Doc): readonly Part[] => [
  ...[...nodesOf(doc).keys()].map(id => ['nodes', id] as const),
  ...[...linksOf(doc).keys()].map(id => ['links', id] as const),
]

const touchedBy = (transaction: Y.Transaction): readonly Part[] =>
  [...transaction.changed].flatMap(([type, keys]) => {
    const [share, id] = pathOf(type as Y.AbstractType<unknown>)
    if (share !== 'nodes' && share !== 'links') return []
    const ids = id === undefined ? [...keys].filter(key => key !== null) : [id]
    return ids.map(each => [share, each] as const)
  })

const keyed = (parts: readonly Part[]) => new Map(parts.map(part => [part.join(' '), part]))

const createShadow = (doc: Y.Doc): Shadow => {
  const held = { nodes: new Map<string, Content>(), links: new Map<string, Content>() }
  const stale = keyed(partsOf(doc))
  const hold = (share: Place[0], id: string): Content | undefined => {
    const content = contentAt(doc, share, id)
    if (content === undefined) held[share].delete(id)
    else held[share].set(id, content)
    return content
  }
  return {
    read: (most = stale.size) => {
      for (const [key, [share, id]] of [...stale].slice(0, most)) {
        hold(share, id)
        stale.delete(key)
      }
      return stale.size > 0
    },
    outdate: transaction => {
      for (const [key, part] of keyed(touchedBy(transaction))) stale.set(key, part)
    },
    renew: transaction =>
      [...keyed(touchedBy(transaction)).values()].flatMap(([share, id]) => {
        const before = held[share].get(id)
        return changesBetween([share, id], before, hold(share, id))
      }),
  }
}

export interface UndoResult {
  readonly done: boolean
  /** Skipped places: changed since by another person, or removed. */
  readonly skipped: readonly (readonly string[])[]
}

export interface Undo {
  undo(): UndoResult
  redo(): UndoResult
  canUndo(): boolean
  canRedo(): boolean
  /** From now on, transactions of this origin are this person's steps as well. */
  include(origin: unknown): void
  /**
   * Runs an edit that continues the previous one: the same step if that was of this run, nothing else came between and
   * nobody else changed the same since.
   */
  goOn(run: object, edit: () => void): void
  /** Ends the present run of typing: the next edit is a new step. */
  stop(): void
  /** Notes what some blocks and links say, so that the next step has it at hand; false when there is nothing left to note. */
  readAhead(): boolean
  onChange(listener: () => void): () => void
  destroy(): void
}

interface Step {
  changes: readonly Change[]
  readonly texts: TextStep[]
}

/** Two changes one after the other as one of each place; undefined where something else came between. */
const joined = (first: readonly Change[], then: readonly Change[]): readonly Change[] | undefined => {
  const all = new Map(first.map(change => [change.place.join(), change]))
  for (const change of then) {
    const held = all.get(change.place.join())
    if (held !== undefined && !contentEqual(held.after, change.before)) return undefined
    all.set(change.place.join(), held === undefined ? change : { ...change, before: held.before })
  }
  return [...all.values()].filter(({ before, after }) => !contentEqual(before, after))
}

/** Origin of what undo and redo write. */
const INVERSE = Symbol('undo')
const NOTHING: UndoResult = { done: false, skipped: [] }
/** Blocks and links that are noted ahead at a time: a few milliseconds. */
const AHEAD = 100

const parentOf = (doc: Y.Doc, place: Place): { readonly map: Y.Map<unknown>; readonly key: string } | undefined => {
  const [share, ...keys] = place
  const key = keys.pop()
  let map: unknown = shareOf(doc, share)
  for (const name of keys) map = map instanceof Y.Map ? map.get(name) : undefined
  return map instanceof Y.Map && key !== undefined ? { map, key } : undefined
}

/** Groups, lists and outputs: the first edit in one makes it, and others may put more into it. */
const isContainer = (doc: Y.Doc, [share, id, part, ...keys]: Place): boolean => {
  if (share !== 'nodes' || id === undefined || part !== 'properties' || keys.length === 0) return false
  const kind = fieldAt(String(nodeOf(doc, id)?.get('type')), keys)?.kind
  return kind === 'group' || kind === 'list' || (keys.length === 1 && keys[0] === 'outputs')
}

/** Takes this person's entries out of a container that others use by now, or puts them back into it. */
const writeEntries = (
  doc: Y.Doc,
  place: Place,
  expected: Content | undefined,
  wanted: Content | undefined,
): boolean => {
  const [from, to] = [
    expected?.kind === 'map' ? expected.entries : undefined,
    wanted?.kind === 'map' ? wanted.entries : undefined,
  ]
  const keys = [...(from ?? to ?? new Map<string, Content>()).keys()]
  const written = keys.map(key => write(doc, [...place, key], from?.get(key), to?.get(key)))
  return written.some(Boolean)
}

/** Writes what a place should say if it still says what this person left there. */
const write = (doc: Y.Doc, place: Place, expected: Content | undefined, wanted: Content | undefined): boolean => {
  const found = parentOf(doc, place)
  if (found === undefined) return false
  const { map, key } = found
  const held = map.has(key) ? fromShared(map.get(key)) : undefined
  if (!contentEqual(held, expected)) {
    const isShared = held?.kind === 'map' && (expected === undefined || wanted === undefined) && isContainer(doc, place)
    return isShared && writeEntries(doc, place, expected, wanted)
  }
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

/**
 * Undo and redo of one person's own steps, in one order for blocks, links, fields and text. Steps are the transactions
 * of these origins. Later changes of others are skipped and named in the result.
 */
export const createUndo = (doc: Y.Doc, origins: readonly unknown[]): Undo => {
  const own = new Set(origins)
  const shadow = createShadow(doc)
  const stacks = { undo: [] as Step[], redo: [] as Step[] }
  const listeners = new Set<() => void>()
  let latest: Step | undefined
  let typing: readonly Change[] = []
  let ongoing: object | undefined
  let begun: { readonly step: Step; readonly run: object } | undefined

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

  const begin = (transaction: Y.Transaction) => {
    if (own.has(transaction.origin)) shadow.read()
  }
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
    if (!own.has(transaction.origin)) {
      shadow.outdate(transaction)
      return
    }
    const all = shadow.renew(transaction)
    const changes = all.filter(change => !isTextChange(change))
    typing = all.filter(isTextChange)
    latest = { changes, texts: [] }
    if (changes.length === 0) return
    texts.endRuns()
    const top = stacks.undo.at(-1)
    const goesOn = ongoing !== undefined && begun?.run === ongoing && begun.step === top && top.texts.length === 0
    const both = goesOn && top !== undefined ? joined(top.changes, changes) : undefined
    if (top !== undefined && both !== undefined) {
      top.changes = both
      if (both.length > 0) return
      stacks.undo.pop()
      announce()
      return
    }
    push(latest)
    begun = ongoing && { step: latest, run: ongoing }
  }
  doc.on('beforeTransaction', begin)
  doc.on('beforeObserverCalls', prepare)
  doc.on('afterTransaction', record)

  const run = (from: Step[], to: Step[], direction: 'undo' | 'redo'): UndoResult => {
    const step = from.pop()
    if (step === undefined) return NOTHING
    latest = undefined
    begun = undefined
    const skipped: (readonly string[])[] = []
    const back = direction === 'undo'
    const lost = step.texts.filter(text => !runTextStep(text, direction))
    doc.transact(() => {
      for (const text of lost) if (!isVoid(text) && !rewrite(doc, text, back)) skipped.push(text.place)
      for (const { place, before, after } of back ? step.changes.toReversed() : step.changes) {
        if (!write(doc, place, back ? after : before, back ? before : after)) skipped.push(place)
      }
    }, INVERSE)
    to.push(step)
    announce()
    if (step.changes.length === 0 && step.texts.every(isVoid) && from.length > 0) return run(from, to, direction)
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
    goOn: (run, edit) => {
      ongoing = run
      try {
        edit()
      } finally {
        ongoing = undefined
      }
    },
    stop: () => texts.endRuns(),
    readAhead: () => shadow.read(AHEAD),
    onChange: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    destroy: () => {
      doc.off('beforeTransaction', begin)
      doc.off('beforeObserverCalls', prepare)
      doc.off('afterTransaction', record)
      texts.destroy()
    },
  }
}

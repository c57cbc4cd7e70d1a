import * as Y from 'yjs'
import type { Content } from '../document/model.ts'
import { pathOf } from '../document/transaction-before.ts'

type SharedText = Y.Text | Y.XmlFragment

/** One run of typing by this person in one text. */
export interface TextStep {
  readonly manager: Y.UndoManager
  readonly text: SharedText
  readonly place: readonly string[]
  /** Yjs's item for the run; a new one after each undo and redo. */
  item: unknown
  /** Text before and after, for when its block was removed and restored as a new text. */
  before?: Content
  after?: Content
}

type Listener = (step: TextStep) => void

/** Keystrokes closer than this are one step. */
const TYPING_PAUSE_MS = 500

/** Text of a field that is or contains a changed type; undefined for maps. */
export const textAround = (type: Y.AbstractType<unknown>): SharedText | undefined => {
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
export class TextUndo {
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
export const runTextStep = (step: TextStep, direction: 'undo' | 'redo'): boolean => {
  const { manager, text } = step
  const [from, to] =
    direction === 'undo' ? (['undoStack', 'redoStack'] as const) : (['redoStack', 'undoStack'] as const)
  if (text._item?.deleted === true || manager[from].at(-1) !== step.item) return false
  const done = direction === 'undo' ? manager.undo() : manager.redo()
  step.item = manager[to].at(-1)
  return done !== null
}

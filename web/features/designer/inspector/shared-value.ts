import { Annotation, type ChangeSpec, type Extension, Transaction } from '@codemirror/state'
import { ViewPlugin, type ViewUpdate } from '@codemirror/view'
import type * as Y from 'yjs'
import type { Json } from '#schemas/event.ts'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'

/** Pause in typing before a value is written to the shared document, so that a word is one edit. */
export const TYPING_PAUSE_MS = 600

/** Properties of a control that writes to a shared document, in the inspector's narrow panel. */
export const SHARED = { typingPauseMs: TYPING_PAUSE_MS, density: 'compact' } as const

export const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const fromShared = Annotation.define<boolean>()

/** A shared text event as editor changes. */
const changesOf = (event: Y.YTextEvent): readonly ChangeSpec[] => {
  const changes: ChangeSpec[] = []
  let at = 0
  for (const { retain = 0, insert, delete: removed = 0 } of event.delta) {
    at += retain
    if (typeof insert === 'string') changes.push({ from: at, insert })
    if (removed > 0) {
      changes.push({ from: at, to: at + removed })
      at += removed
    }
  }
  return changes
}

const write = (text: Y.Text, { changes, startState }: ViewUpdate) => {
  text.doc?.transact(() => {
    let shift = 0
    changes.iterChanges((from, to, _fromB, _toB, inserted) => {
      const added = inserted.sliceString(0, undefined, startState.lineBreak)
      if (to > from) text.delete(from + shift, to - from)
      if (added !== '') text.insert(from + shift, added)
      shift += added.length - (to - from)
    })
  }, OWN_EDIT)
}

/**
 * Binds an editor to a text edited by several people: writes local input to it, applies remote changes and moves the
 * caret along. The designer handles undo, not the editor.
 */
export const sharedBinding = (text: Y.Text): Extension =>
  ViewPlugin.define(view => {
    let isWriting = false
    const hear = (event: Y.YTextEvent) => {
      if (isWriting) return
      view.dispatch({
        changes: [...changesOf(event)],
        annotations: [fromShared.of(true), Transaction.remote.of(true), Transaction.addToHistory.of(false)],
      })
    }
    text.observe(hear)
    return {
      update: update => {
        const isOwn = !update.transactions.some(transaction => transaction.annotation(fromShared) === true)
        if (!update.docChanged || !isOwn) return
        isWriting = true
        try {
          write(text, update)
        } finally {
          isWriting = false
        }
      },
      destroy: () => text.unobserve(hear),
    }
  })

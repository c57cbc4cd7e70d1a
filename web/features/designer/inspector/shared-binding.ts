import { Annotation, type ChangeSpec, type Extension, Transaction } from '@codemirror/state'
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import type * as Y from 'yjs'
import { OWN_EDIT } from '../session/edit/edit-actions.ts'

const fromShared = Annotation.define<boolean>()

/** What happened to the shared text as changes of the editor's. */
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
 * Binds an editor to a text that several people type in at once: what is typed is written to it, what others write comes in
 * and moves the caret with its words. Undo is the designer's, not the editor's.
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

/** Colours and sizes of the inspector's other fields. */
export const editorTheme: Extension = EditorView.theme({
  '&': {
    border: '1px solid var(--chakra-colors-border-control)',
    borderRadius: '7px',
    background: 'var(--chakra-colors-bg-surface)',
    fontSize: '13px',
  },
  '&.cm-focused': {
    borderColor: 'var(--chakra-colors-accent-solid)',
    outline: '2px solid var(--chakra-colors-accent-focus-ring)',
    outlineOffset: '1px',
  },
  '&.pl-code': { fontSize: '12px' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '19px', maxHeight: '304px' },
  '&.pl-code .cm-scroller': { fontFamily: 'var(--chakra-fonts-mono)' },
  '.cm-content': { padding: '5.5px 0', caretColor: 'var(--chakra-colors-fg)' },
  '.cm-line': { padding: '0 10px' },
  '.cm-cursor': { borderLeftColor: 'var(--chakra-colors-fg)' },
  '.pl-x-mark': { color: 'var(--chakra-colors-accent-fg)', fontWeight: '600' },
  '.pl-x-inner': { background: 'var(--chakra-colors-category-datamanagement-muted)', borderRadius: '3px' },
  '.pl-x-name': { color: 'var(--chakra-colors-category-datamanagement-fg)' },
  '.pl-x-function': { color: 'var(--chakra-colors-info-fg)' },
  '.pl-x-text': { color: 'var(--chakra-colors-positive-fg)' },
  '.pl-x-number': { color: 'var(--chakra-colors-warning-fg)' },
  '.cm-tooltip': {
    border: '1px solid var(--chakra-colors-border)',
    borderRadius: '7px',
    background: 'var(--chakra-colors-bg-raised)',
    color: 'var(--chakra-colors-fg)',
    fontSize: '12px',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '190px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--chakra-colors-accent-solid)',
    color: 'var(--chakra-colors-accent-contrast)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.75' },
  '.cm-diagnostic': { padding: '4px 8px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--chakra-colors-danger-solid)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--chakra-colors-warning-solid)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--chakra-colors-danger-solid)',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--chakra-colors-warning-solid)',
  },
})

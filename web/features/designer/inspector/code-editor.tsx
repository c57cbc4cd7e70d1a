import { bracketMatching, defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, tooltips } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type * as Y from 'yjs'
import { completion } from '#web/components/editor-completion.ts'
import { editorKeys, editorTheme } from '#web/components/editor-theme.ts'
import { useDesigner } from '../session/designer.ts'
import { TYPED } from './first-field.ts'
import { sharedBinding } from './shared-value.ts'

export interface CodeEditorProps {
  readonly text: Y.Text
  readonly id: string
  readonly code: boolean
  /** Lines at rest; it grows with its text. */
  readonly rows: number
  readonly readOnly?: boolean | undefined
  /** Single line: pasted lines are joined. */
  readonly single?: boolean | undefined
  readonly describedBy?: string | undefined
  readonly invalid?: boolean
  readonly onFocus?: ((isFocused: boolean) => void) | undefined
  /** Language, completion and checks. */
  readonly extension: Extension
}

/** Breaks of lines are written as spaces. */
const oneLine = EditorState.transactionFilter.of(change => {
  if (change.newDoc.lines === 1) return change
  const breaks = [...change.newDoc.toString().matchAll(/\n/gu)]
  return [
    change,
    { changes: breaks.map(({ index }) => ({ from: index, to: index + 1, insert: ' ' })), sequential: true },
  ]
})

const LINE = 19
const PADDING = 13

/** An editor of a text that several people type in at once. Its label has the id `{id}-label`. */
export const CodeEditor = ({
  text,
  id,
  code,
  rows,
  readOnly,
  single,
  describedBy,
  invalid,
  onFocus,
  extension,
}: CodeEditorProps) => {
  const { undo } = useDesigner()
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef<EditorView>(null)
  const support = useRef(new Compartment())
  const told = useRef(onFocus)
  told.current = onFocus
  useEffect(() => {
    const parent = place.current
    if (parent === null) return
    const act = (run: () => void) => () => {
      run()
      return true
    }
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text.toString(),
        extensions: [
          // Other line ends are characters like any other, so that places are those of the shared text.
          EditorState.lineSeparator.of('\n'),
          EditorState.readOnly.of(readOnly === true),
          EditorView.editable.of(readOnly !== true),
          EditorView.lineWrapping,
          ...(single === true ? [oneLine] : []),
          // Set by hand it would go with the next change of focus.
          EditorView.editorAttributes.of({ class: code ? 'pl-code' : '' }),
          EditorView.contentAttributes.of({
            id,
            'aria-labelledby': `${id}-label`,
            'aria-multiline': String(single !== true),
          }),
          EditorView.domEventHandlers({
            focus: () => told.current?.(true),
            blur: () => {
              undo.stop()
              told.current?.(false)
            },
            [TYPED]: ({ detail }: CustomEvent<string>, view) => {
              const at = view.state.doc.length
              view.dispatch({ changes: { from: at, insert: detail }, selection: { anchor: at + detail.length } })
            },
          }),
          tooltips({ position: 'fixed', parent: document.body }),
          keymap.of([
            { key: 'Mod-z', run: act(() => undo.undo()), shift: act(() => undo.redo()) },
            { key: 'Mod-y', run: act(() => undo.redo()) },
            ...(single === true ? [{ key: 'Enter', run: () => true }] : []),
            ...editorKeys,
          ]),
          completion(),
          bracketMatching(),
          syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
          editorTheme,
          sharedBinding(text),
          support.current.of([]),
        ],
      }),
    })
    shown.current = view
    return () => {
      shown.current = null
      view.destroy()
    }
  }, [text, id, code, readOnly, single, undo])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor is empty
  useEffect(() => {
    shown.current?.dispatch({ effects: support.current.reconfigure(extension) })
  }, [text, id, code, readOnly, single, undo, extension])
  useEffect(() => {
    const content = shown.current?.contentDOM
    if (describedBy === undefined) content?.removeAttribute('aria-describedby')
    else content?.setAttribute('aria-describedby', describedBy)
    if (invalid === true) content?.setAttribute('aria-invalid', 'true')
    else content?.removeAttribute('aria-invalid')
    shown.current?.dom.style.setProperty('min-height', `${rows * LINE + PADDING}px`)
  })
  return <div ref={place} data-pending />
}

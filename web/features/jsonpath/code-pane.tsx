import { Box } from '@chakra-ui/react'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascriptLanguage } from '@codemirror/lang-javascript'
import { bracketMatching, HighlightStyle, LanguageSupport, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import type { Place } from '#domain/expression/place.ts'

const color = (name: string) => `var(--chakra-colors-${name})`

const colors = HighlightStyle.define([
  { tag: [tags.string], color: color('positive-fg') },
  { tag: [tags.number, tags.bool, tags.null], color: color('warning-fg') },
  { tag: [tags.propertyName], color: color('category-datamanagement-fg') },
])

const theme = EditorView.theme({
  '&': {
    height: '100%',
    border: `1px solid ${color('border-control')}`,
    borderRadius: '7px',
    background: color('bg-surface'),
    color: color('fg'),
    fontSize: '13px',
    overflow: 'hidden',
  },
  '&.cm-focused': {
    borderColor: color('accent-solid'),
    outline: `2px solid ${color('accent-focus-ring')}`,
    outlineOffset: '1px',
  },
  '.cm-scroller': { fontFamily: 'var(--chakra-fonts-mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { padding: '6px 0', caretColor: color('fg') },
  '.cm-line': { padding: '0 10px' },
  '.cm-cursor': { borderLeftColor: color('fg') },
  '.cm-gutters': { background: color('bg-subtle'), color: color('fg-subtle'), border: 'none' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    background: `${color('accent-muted')} !important`,
  },
  '.cm-tooltip': {
    border: `1px solid ${color('border')}`,
    borderRadius: '7px',
    background: color('bg-raised'),
    color: color('fg'),
  },
})

/** JSON is what an expression of JavaScript may be. */
const json = new LanguageSupport(javascriptLanguage.configure({ top: 'SingleExpression' }))

const reading = [EditorState.readOnly.of(true), EditorView.editable.of(false)]

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly isJson?: boolean
  readonly lineNumbers?: boolean
  readonly height?: string
  readonly minHeight?: string
  readonly maxLength?: number
  readonly describedBy?: string
  /** What is wrong, and where. */
  readonly fault?: { readonly place: Place; readonly message: string } | undefined
  readonly autoFocus?: boolean
}

const extensionsOf = (props: Props, changed: (value: string) => void): Extension[] => [
  ...(props.lineNumbers === true ? [lineNumbers()] : []),
  history(),
  EditorView.lineWrapping,
  bracketMatching(),
  syntaxHighlighting(colors),
  theme,
  keymap.of([...historyKeymap, ...defaultKeymap]),
  ...(props.isJson === true ? [json] : []),
  EditorView.contentAttributes.of({
    'aria-label': props.label,
    ...(props.describedBy === undefined ? {} : { 'aria-describedby': props.describedBy }),
    // What can not be edited is still read and scrolled by keyboard.
    tabindex: '0',
    ...(props.onChange === undefined ? { role: 'textbox', 'aria-readonly': 'true' } : {}),
  }),
  ...(props.onChange === undefined ? reading : []),
  EditorState.changeFilter.of(change => change.newDoc.length <= (props.maxLength ?? Number.POSITIVE_INFINITY)),
  EditorView.updateListener.of(update => {
    if (update.docChanged) changed(update.state.doc.toString())
  }),
]

const diagnosticOf = ({ place, message }: NonNullable<Props['fault']>, length: number): Diagnostic => {
  const to = Math.min(length, place.offset + Math.max(1, place.length))
  return { from: Math.max(0, Math.min(place.offset, to - 1)), to, severity: 'error', message }
}

/** An editor of one text, or a view of it without `onChange`. */
export const CodePane = (props: Props) => {
  const { value, fault, onChange, height, minHeight, autoFocus } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const changed = useRef(onChange)
  changed.current = onChange
  const first = useRef(props)
  first.current = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: a label in another language needs a new editor, other properties do not
  useEffect(() => {
    const parent = place.current
    if (parent === null) return
    const extensions = extensionsOf(first.current, text => changed.current?.(text))
    const made = new EditorView({ parent, state: EditorState.create({ doc: first.current.value, extensions }) })
    view.current = made
    if (first.current.autoFocus === true) made.focus()
    return () => made.destroy()
  }, [props.label, autoFocus])
  useEffect(() => {
    const shown = view.current
    if (shown === null || shown.state.doc.toString() === value) return
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    const shown = view.current
    if (shown === null) return
    const { length } = shown.state.doc
    shown.dispatch(
      setDiagnostics(shown.state, fault === undefined || length === 0 ? [] : [diagnosticOf(fault, length)]),
    )
  }, [fault])
  return <Box ref={place} h={height} minH={minHeight} minW="0" css={{ '& .cm-editor': { minH: 'inherit' } }} />
}

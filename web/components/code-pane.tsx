import { Box } from '@chakra-ui/react'
import { history, historyKeymap } from '@codemirror/commands'
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript'
import { bracketMatching, LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, type Extension, Transaction } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import type { Place } from '#domain/expression/engine.ts'
import type { CodeLanguage } from '#schemas/field/kind.ts'
import { codeColors, editorKeys, editorTheme } from './editor-theme.ts'

interface CssState {
  /** Inside the braces of a rule, and there after a colon. */
  depth: number
  isValue: boolean
  isComment: boolean
}

const parser: StreamParser<CssState> = {
  name: 'css',
  startState: () => ({ depth: 0, isValue: false, isComment: false }),
  token: (stream, state) => {
    if (state.isComment || stream.match('/*')) {
      state.isComment = !stream.skipTo('*/')
      if (state.isComment) stream.skipToEnd()
      else stream.match('*/')
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)/u)) return 'string'
    if (stream.match(/^@[\w-]+/u)) return 'keyword'
    if (state.isValue && stream.match(/^(?:#[\da-f]{3,8}\b|-?(?:\d*\.)?\d+[\w%]*)/iu)) return 'number'
    if (stream.match(/^[\w-]+/u)) return state.depth === 0 || state.isValue ? null : 'propertyName'
    const sign = stream.next()
    if (sign === '{') state.depth += 1
    if (sign === '}') state.depth = Math.max(0, state.depth - 1)
    if (sign === ':') state.isValue = state.depth > 0
    if (sign === ';' || sign === '{' || sign === '}') state.isValue = false
    return null
  },
}

/** Colours of a style sheet. */
const cssLanguage = StreamLanguage.define(parser)

const color = (name: string) => `var(--chakra-colors-${name})`

const theme = EditorView.theme({
  '&': { height: '100%', color: color('fg'), overflow: 'hidden' },
  '.cm-scroller': {
    fontFamily: 'var(--chakra-fonts-mono)',
    lineHeight: '20px',
    maxHeight: 'inherit',
    overflow: 'auto',
  },
  '.cm-content': { padding: '6px 0' },
  '.cm-gutters': { background: color('bg-subtle'), color: color('fg-muted'), border: 'none' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    background: `${color('accent-muted')} !important`,
  },
})

const LANGUAGES: Readonly<Record<CodeLanguage, () => Extension>> = {
  javascript,
  // JSON is what an expression of JavaScript may be.
  json: () => new LanguageSupport(javascriptLanguage.configure({ top: 'SingleExpression' })),
  css: () => cssLanguage,
}

/** Value property changes are not edits. */
const fromValue = Annotation.define<boolean>()

interface Props {
  readonly id?: string
  /** Without it the element with the id `{id}-label` names the editor. */
  readonly label?: string
  readonly value: string
  readonly onChange?: ((value: string) => void) | undefined
  readonly language?: CodeLanguage | undefined
  /** Completion and checks. */
  readonly extension?: Extension
  readonly lineNumbers?: boolean
  readonly height?: string
  readonly minHeight?: string
  readonly maxHeight?: string
  readonly maxLength?: number
  readonly describedBy?: string | undefined
  readonly invalid?: boolean
  readonly fault?: { readonly place: Place; readonly message: string } | undefined
  readonly autoFocus?: boolean
}

const reading = [EditorState.readOnly.of(true), EditorView.editable.of(false)]

const namesOf = ({ id, label, onChange }: Props): Record<string, string> => ({
  ...(id === undefined ? {} : { id }),
  ...(label === undefined ? { 'aria-labelledby': `${id}-label` } : { 'aria-label': label }),
  'aria-multiline': 'true',
  // Keyboard users read and scroll read-only text too.
  tabindex: '0',
  ...(onChange === undefined ? { role: 'textbox', 'aria-readonly': 'true' } : {}),
})

const extensionsOf = (props: Props, changed: (value: string) => void): Extension[] => [
  // Other line ends are characters like any other, so that a text that nobody edits stays as it is.
  EditorState.lineSeparator.of('\n'),
  ...(props.lineNumbers === true ? [lineNumbers()] : []),
  history(),
  EditorView.lineWrapping,
  bracketMatching(),
  codeColors,
  theme,
  editorTheme,
  keymap.of([...historyKeymap, ...editorKeys]),
  ...(props.language === undefined ? [] : [LANGUAGES[props.language]()]),
  EditorView.contentAttributes.of(namesOf(props)),
  ...(props.onChange === undefined ? reading : []),
  EditorState.changeFilter.of(change => change.newDoc.length <= (props.maxLength ?? Number.POSITIVE_INFINITY)),
  EditorView.updateListener.of(update => {
    const isEdit = !update.transactions.some(transaction => transaction.annotation(fromValue) === true)
    if (update.docChanged && isEdit) changed(update.state.doc.toString())
  }),
]

const diagnosticOf = ({ place, message }: NonNullable<Props['fault']>, length: number): Diagnostic => {
  const to = Math.min(length, place.offset + Math.max(1, place.length))
  return { from: Math.max(0, Math.min(place.offset, to - 1)), to, severity: 'error', message }
}

/** The editor, recreated when a fixed property changes. */
const useEditor = (props: Props): { place: RefObject<HTMLDivElement | null>; view: RefObject<EditorView | null> } => {
  const { label, autoFocus, onChange, extension, id, language } = props
  const isReadOnly = onChange === undefined
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const support = useRef(new Compartment())
  const latest = useRef(props)
  latest.current = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: a label in another language needs a new editor, other properties do not
  useEffect(() => {
    const parent = place.current
    if (parent === null) return
    const extensions = [
      extensionsOf(latest.current, text => latest.current.onChange?.(text)),
      support.current.of(latest.current.extension ?? []),
    ]
    const made = new EditorView({ parent, state: EditorState.create({ doc: latest.current.value, extensions }) })
    view.current = made
    if (latest.current.autoFocus === true) made.focus()
    // A label focuses native controls alone.
    const title = document.getElementById(`${id}-label`)
    const focus = () => made.focus()
    title?.addEventListener('click', focus)
    return () => {
      title?.removeEventListener('click', focus)
      made.destroy()
    }
  }, [label, id, language, autoFocus, isReadOnly])
  useEffect(() => {
    view.current?.dispatch({ effects: support.current.reconfigure(extension ?? []) })
  }, [extension])
  return { place, view }
}

/** An editor of one text, or a view of it without `onChange`. */
export const CodePane = (props: Props) => {
  const { value, fault, height, minHeight, maxHeight, describedBy, invalid } = props
  const { place, view } = useEditor(props)
  useEffect(() => {
    const shown = view.current
    if (shown === null || shown.state.doc.toString() === value) return
    shown.dispatch({
      changes: { from: 0, to: shown.state.doc.length, insert: value },
      annotations: [fromValue.of(true), Transaction.addToHistory.of(false)],
    })
  }, [value, view])
  useEffect(() => {
    const shown = view.current
    if (shown === null) return
    const { length } = shown.state.doc
    shown.dispatch(
      setDiagnostics(shown.state, fault === undefined || length === 0 ? [] : [diagnosticOf(fault, length)]),
    )
  }, [fault, view])
  useEffect(() => {
    const content = view.current?.contentDOM
    if (describedBy === undefined) content?.removeAttribute('aria-describedby')
    else content?.setAttribute('aria-describedby', describedBy)
    if (invalid === true) content?.setAttribute('aria-invalid', 'true')
    else content?.removeAttribute('aria-invalid')
  })
  return (
    <Box
      ref={place}
      w="100%"
      h={height}
      minH={minHeight}
      maxH={maxHeight}
      minW="0"
      css={{ '& .cm-editor': { minH: 'inherit', maxH: 'inherit', fontSize: { base: '16px', md: '13px' } } }}
    />
  )
}

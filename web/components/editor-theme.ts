import { defaultKeymap } from '@codemirror/commands'
import { HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Keys of editors. Escape leaves them also while something is selected, as it leaves other fields. */
export const editorKeys = defaultKeymap.filter(({ key }) => key !== 'Escape')

/** More than these follow from the first ones. */
const MAX_DIAGNOSTICS = 3

/** Underlines syntax errors and reports the first such line, from 1; never runs the code. */
export const syntaxErrors = (message: string, tell: (line: number | undefined) => void): Extension =>
  linter(({ state }) => {
    const found: Diagnostic[] = []
    syntaxTree(state).iterate({
      enter: ({ type, from, to }) => {
        if (!type.isError || found.length >= MAX_DIAGNOSTICS) return
        const end = Math.min(state.doc.length, Math.max(to, from + 1))
        found.push({ from: Math.max(0, Math.min(from, end - 1)), to: end, severity: 'error', message })
      },
    })
    tell(found[0] === undefined ? undefined : state.doc.lineAt(found[0].from).number)
    return found
  })

const color = (name: string) => `var(--chakra-colors-${name})`

/** The colours of code, readable on light and dark alike. */
export const codeColors = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: color('accent-fg') },
    { tag: [tags.string, tags.special(tags.string), tags.regexp], color: color('positive-fg') },
    { tag: [tags.number, tags.bool, tags.null], color: color('warning-fg') },
    { tag: [tags.comment], color: color('fg-subtle'), fontStyle: 'italic' },
    {
      tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))],
      color: color('info-fg'),
    },
    { tag: [tags.propertyName], color: color('category-datamanagement-fg') },
    { tag: [tags.invalid], color: color('danger-fg') },
  ]),
)

/** Colours and sizes of other fields. */
export const editorTheme: Extension = EditorView.theme({
  // The container of tooltips has the classes of the theme as well: a border would make the page higher than the window.
  '&.cm-editor': {
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

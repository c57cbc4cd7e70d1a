import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { type Diagnostic, linter } from '@codemirror/lint'
import { type Extension, type Range, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from '@codemirror/view'
import type { Engine } from '#domain/expression/engine.ts'
import { openEngine } from '#domain/expression/engines.ts'
import { delimitersOf, type Placeholder } from '#domain/expression/template.ts'
import { completion } from '#web/components/editor-completion.ts'
import { type Checked, checkText, engineOfSource, type Finding, partsOfText, type Reading } from './expression-text.ts'

interface KnownVariable {
  readonly name: string
  readonly datatype?: string | undefined
}

/** A member of a value that a variable had. */
interface KnownMember {
  readonly name: string
  readonly detail: string
  /** Nothing leads further into it. */
  readonly isLeaf: boolean
}

interface ExpressionSupport {
  readonly reading: Reading
  readonly variables: readonly KnownVariable[]
  /** Whether there are no others: then a name that is not among them is unknown. */
  readonly isWhole: boolean
  /** Members of the value at a path that ends with a dot. */
  readonly members: (path: string) => readonly KnownMember[]
  readonly typeWords: (datatype: string) => string
  readonly words: (finding: Finding) => string
  readonly tell: (text: string, checked: Checked) => void
}

const WORD =
  /(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<number>\b\d+(?:\.\d+)?\b)|(?<function>\$?[\p{L}_][\p{L}\d_]*(?=\s*\()|(?=[\p{L}_])(?<=[^|]\|\s*)[\p{L}_][\p{L}\d_]*)|(?<name>\$*[\p{L}_][\p{L}\d_$]*)/gu
const KINDS = ['text', 'number', 'function', 'name'] as const
const mark = Object.fromEntries(
  [...KINDS, 'mark', 'inner'].map(kind => [kind, Decoration.mark({ class: `pl-x-${kind}` })]),
)

const shades = (part: Placeholder): readonly Range<Decoration>[] => {
  const ranges: Range<Decoration>[] = []
  const add = (kind: string, from: number, to: number) => {
    const decoration = mark[kind]
    if (decoration !== undefined && to > from) ranges.push(decoration.range(from, to))
  }
  const { offset, length } = part.place
  const inner = part.start + (part.offsets === undefined ? part.source.length : offset + length - part.start)
  add('mark', offset, part.start)
  if (part.offsets === undefined) {
    if (part.start > offset) add('inner', part.start, inner)
    for (const match of part.source.matchAll(WORD)) {
      const kind = KINDS.find(each => match.groups?.[each] !== undefined)
      if (kind !== undefined) add(kind, part.start + match.index, part.start + match.index + match[0].length)
    }
    add('mark', inner, offset + length)
  } else add('inner', part.start, inner)
  return ranges
}

const highlight = (reading: Reading): Extension => {
  const draw = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>()
    const parts = partsOfText(view.state.doc.toString(), reading)
    const ranges = parts.flatMap(part => (part.kind === 'placeholder' ? shades(part) : []))
    for (const { from, to, value } of ranges.toSorted((a, b) => a.from - b.from || b.to - a.to))
      builder.add(from, to, value)
    return builder.finish()
  }
  return ViewPlugin.define(
    view => {
      const plugin = {
        decorations: draw(view),
        update: (update: { readonly docChanged: boolean; readonly view: EditorView }) => {
          if (update.docChanged) plugin.decorations = draw(update.view)
        },
      }
      return plugin
    },
    { decorations: plugin => plugin.decorations },
  )
}

/** The placeholder that the caret is in, or what closes it when it is only begun. */
const openedAt = (text: string, at: number, reading: Reading): { source: string; close: string } | undefined => {
  const inside = partsOfText(text, reading).find(
    part => part.kind === 'placeholder' && part.start <= at && at <= part.start + part.source.length,
  )
  if (inside?.kind === 'placeholder' && inside.closed) return { source: inside.source, close: '' }
  if (reading.language.kind !== 'template') return undefined
  const before = text.slice(0, at)
  const begun = delimitersOf(reading.language.template, reading.parser).find(({ open, close }) => {
    const last = before.lastIndexOf(open)
    return last >= 0 && !before.slice(last).includes(close) && /^[^\s]?[^\n]*$/u.test(before.slice(last + open.length))
  })
  return begun === undefined
    ? undefined
    : { source: before.slice(before.lastIndexOf(begun.open) + begun.open.length), close: begun.close }
}

const PATH_CHARACTER = /[\p{L}\d_$.[\]]/u

/** The path that a text ends with, such as `order.lines[0].`; empty if there is none. */
const pathAtEnd = (text: string): string => {
  let at = text.length
  while (at > 0 && PATH_CHARACTER.test(text.charAt(at - 1))) at -= 1
  return text.slice(at).replace(/^[\d.[\]]+/, '')
}

/** For names-only contexts. */
const NO_FUNCTIONS: { readonly functions: Engine['functions'] } = { functions: [] }

const complete =
  ({ reading, variables, members, typeWords }: ExpressionSupport) =>
  async (context: CompletionContext): Promise<CompletionResult | null> => {
    const opened = openedAt(context.state.doc.toString(), context.pos, reading)
    const word = context.matchBefore(/\$*[\p{L}\d_$]*/u)
    if (opened === undefined || word === null) return null
    if (context.state.sliceDoc(word.from - 1, word.from) === '.') {
      const path = pathAtEnd(context.state.sliceDoc(0, word.from))
      const options = members(path).map(({ name, detail, isLeaf }) => ({
        ...{ label: name, detail, type: 'property' },
        apply: isLeaf ? name + opened.close : name,
      }))
      return options.length === 0 ? null : { from: word.from, options, validFor: /^\$*[\p{L}\d_$]*$/u }
    }
    const { kind } = reading.language
    const { functions } = kind === 'names' ? NO_FUNCTIONS : await openEngine(engineOfSource(opened.source, reading))
    const options: Completion[] = [
      ...(kind === 'path' ? [] : variables).map(({ name, datatype }) => ({
        label: name,
        type: 'variable',
        apply: name + opened.close,
        boost: 1,
        ...(datatype === undefined ? {} : { detail: typeWords(datatype) }),
      })),
      ...functions.map(({ name, takes }) => ({
        label: name,
        type: 'function',
        apply: `${name}(`,
        detail: `(${takes})`,
      })),
    ]
    return { from: word.from, options, validFor: /^\$*[\p{L}\d_$]*$/u }
  }

const diagnosticOf = (finding: Finding, length: number, words: (finding: Finding) => string): Diagnostic => {
  const { offset } = finding.place
  const to = Math.min(length, offset + Math.max(1, finding.place.length))
  return {
    from: Math.max(0, Math.min(offset, to - 1)),
    to,
    severity: finding.code === 'unknown' ? 'warning' : 'error',
    message: words(finding),
  }
}

const PAUSE = 200

/** Highlighting, completion and checks of a text with expressions. */
export const expressionSupport = (support: ExpressionSupport): Extension => {
  const { reading, variables, isWhole, words, tell } = support
  const known = isWhole ? new Set(variables.map(({ name }) => name)) : undefined
  const check = async (view: EditorView): Promise<readonly Diagnostic[]> => {
    const text = view.state.doc.toString()
    const checked = await checkText(text, reading, known)
    tell(text, checked)
    return checked.findings.map(finding => diagnosticOf(finding, text.length, words))
  }
  return [highlight(reading), completion([complete(support)]), linter(check, { delay: PAUSE })]
}

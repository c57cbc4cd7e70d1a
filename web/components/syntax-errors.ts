import { syntaxTree } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'

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

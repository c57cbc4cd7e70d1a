import { expect, test } from 'vitest'
import { isNode, lineOf, type SyntaxNode, sourceFiles, walkFile } from './source-graph.ts'

/** Lines of a function. Above 60 a review asks whether it does one thing; above this limit the function is split. */
const MAX_LINES = 100

/** Functions that were longer when this limit was set, with their lines: a ceiling for each that only decreases. */
const CEILINGS: Readonly<Record<string, number>> = {
  'domain/flow/document/pending-edits.ts followPending': 122,
  'domain/flow/undo/undo.ts createUndo': 127,
  'commands/flow/flow-log.ts createFlowLog': 104,
  'commands/name/reservation.ts createReservation': 126,
  'commands/process/processes.ts createProcesses': 172,
  'gateway/realtime/notifier.ts openNotifier': 107,
  'runtime/sample/content/clinic.ts clinic': 139,
  'runtime/sample/content/energy.ts energy': 105,
  'runtime/sample/content/retail.ts retail': 164,
  'web/entity/form/entity-detail.tsx Present': 102,
  'web/features/audit/audit-page.tsx ActivityBrush': 128,
  'web/features/designer/canvas/flow-canvas.tsx Surface': 125,
  'web/features/designer/canvas/hover-intent.ts watchHoverIntent': 139,
  'web/features/designer/canvas/minimap.tsx Minimap': 102,
  'web/features/designer/canvas/positions.ts createPositions': 102,
  'web/features/designer/chrome/uses-sheet.tsx UsesSheet': 106,
  'web/features/designer/commands/use-commands.ts useDesignerCommands': 175,
  'web/features/designer/comment/composer.tsx Composer': 129,
  'web/features/designer/history-mode.tsx Journey': 109,
  'web/features/designer/history/change-panel.tsx ChangePanel': 111,
  'web/features/designer/history/track.tsx Track': 121,
  'web/features/designer/inspector/variable-control.tsx VariableControl': 133,
  'web/features/designer/search/search-hits.tsx SearchHits': 136,
  'web/features/designer/session/edit/edit-actions.ts createActions': 145,
  'web/features/designer/session/room/room.ts joinRoom': 115,
  'web/features/designer/test-mode.tsx TestMode': 112,
  'web/features/jsonpath/json-path-page.tsx JsonPathPage': 113,
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const FOLDERS = ['schemas', 'domain', 'commands', 'projections', 'realtime', 'runtime', 'gateway', 'web']

const ownName = ({ id, key }: SyntaxNode): string | undefined => {
  const named = isNode(id) ? id.name : isNode(key) ? key.name : undefined
  return typeof named === 'string' ? named : undefined
}

/** A function is called by its own name, or by that of what it is assigned or handed to. */
const nameOf = (node: SyntaxNode, parents: readonly SyntaxNode[]): string =>
  ownName(node) ?? parents.map(ownName).findLast(name => name !== undefined) ?? 'module'

const longFunctions = (): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const file of FOLDERS.flatMap(folder => sourceFiles(`${folder}/**/*.{ts,tsx}`))) {
    walkFile(file, (node, parents) => {
      if (!FUNCTIONS.has(node.type)) return
      const lines = lineOf(file, node.end) - lineOf(file, node.start) + 1
      const name = `${file} ${nameOf(node, parents)}`
      if (lines > MAX_LINES) found[name] = Math.max(found[name] ?? 0, lines)
    })
  }
  return found
}

const found = longFunctions()

test(`no function is longer than ${MAX_LINES} lines, and those that were get no longer`, () => {
  const tooLong = Object.entries(found).filter(([name, lines]) => lines > (CEILINGS[name] ?? MAX_LINES))
  expect(tooLong).toEqual([])
})

test('a function that was split or cut leaves the list or lowers its ceiling', () => {
  const loose = Object.entries(CEILINGS).filter(([name, ceiling]) => found[name] !== ceiling)
  expect(loose.map(([name]) => name)).toEqual([])
})

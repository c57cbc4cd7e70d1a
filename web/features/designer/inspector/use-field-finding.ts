import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import type { Json } from '#schemas/event.ts'
import type { BlockField } from '#schemas/flow/block-field.ts'
import { useWords } from '../canvas/translate-context.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { useForm } from './form-context.ts'
import { useFault } from './use-fault.ts'
import { useFresh } from './use-fresh.ts'

export interface FieldFinding {
  readonly severity: string
  readonly text: string
}

/** Fields whose control itself marks errors in expressions and variables. */
const marksFaults = (field: BlockField) =>
  field.kind === 'expression' ||
  field.kind === 'code' ||
  field.kind === 'json' ||
  field.kind === 'strings' ||
  (field.kind === 'reference' && field.to === 'variable')

const MARKED_CODES: ReadonlySet<string> = new Set([
  'block.expression',
  'block.variable',
  'block.scope',
  'block.datatype',
  'block.schema',
])

/** Missing values, which a block that was just added is not reported for. */
const MISSING_CODES: ReadonlySet<string> = new Set(['block.answer', 'block.nowait', 'block.target', 'block.value'])

const useLintFinding = (path: FieldPath): FieldFinding | undefined => {
  const { node } = useForm()
  const { findings } = useDesigner()
  const words = useWords()
  const isFresh = useFresh(node.id)
  const name = path.join('.')
  const found = useStoreValue(findings).find(
    finding =>
      finding.block === node.id &&
      finding.code !== 'block.rule' &&
      (finding.field === name || finding.field === path[0]),
  )
  if (found === undefined || (found.field !== name && path.length > 1)) return undefined
  const field = fieldAt(node.type, path)
  const isMarked = field !== undefined && marksFaults(field) && MARKED_CODES.has(found.code)
  const isEarly = isFresh && MISSING_CODES.has(found.code)
  if (isEarly || isMarked || found.code.startsWith('block.deadend')) return undefined
  return { severity: found.severity, text: words(`block:lint.${found.code}`, { name: found.name }) }
}

/** A field's finding: its own value's fault first, then lint. */
export const useFieldFinding = (path: FieldPath, value: Json | undefined): FieldFinding | undefined => {
  const fault = useFault(path, value)
  const lint = useLintFinding(path)
  return fault ?? lint
}

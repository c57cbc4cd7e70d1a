import type { FieldWhen } from './field/core.ts'
import { type BlockFields, blockField } from './flow/block-field.ts'

export type BlockCategory = 'flow' | 'interaction' | 'datamanagement' | 'integration' | 'cards'
export const BLOCK_CATEGORIES = ['flow', 'interaction', 'datamanagement', 'integration', 'cards'] as const

/** What a block's value must be beside its kind; domain/flow/lint/check-block.ts knows how each is told. */
export type CheckName =
  | 'required'
  | 'atLeastOne'
  | 'address'
  | 'host'
  | 'picture'
  | 'email'
  | 'cpf'
  | 'telephone'
  | 'date'
  | 'number'
  | 'latitude'
  | 'longitude'
  | 'currency'
  | 'clock'
  | 'timezone'
  | 'json'
  | 'cardparts'

/**
 * A rule of a block's form. `field`: dotted from `properties` down; what stands in a list is checked in each item.
 * The message is `check.{check}` in block.json. `when`: as a field's own.
 */
export interface BlockRule {
  readonly field: string
  readonly check: CheckName
  readonly when?: FieldWhen
  /** Errors stop publishing, warnings do not. */
  readonly severity: 'error' | 'warning'
}

/** What stands beside a block's fields on its form: how it will look, or what it will do. */
export type PanelName =
  | 'card'
  | 'receipt'
  | 'adaptive'
  | 'product'
  | 'openings'
  | 'runs'
  | 'branches'
  | 'choices'
  | 'call'
  | 'transform'
  | 'assign'
  | 'script'
  | 'feed'

/** A fixed place where links begin or end. Its label is `{type}.output.{id}` (or `.input.`) in block.json. */
interface Connector {
  readonly id: string
  /** Several links may leave it, and their ids are random. */
  readonly multiple: boolean
}

/**
 * One building block: the palette, the node, its form, the lint, the import and the runtime's dispatch come from it.
 * Labels are in locales/<language>/block.json under `type.{type}`, `description.{type}`, `field.…`, `output.…`.
 */
export interface Block {
  readonly type: string
  readonly category: BlockCategory
  /** Name of a lucide icon. */
  readonly icon: string
  readonly hasInput: boolean
  readonly hasOutput: boolean
  readonly inputs: readonly Connector[]
  /** Fixed outputs, shown after those of `itemOutputs`. */
  readonly outputs: readonly Connector[]
  /** Name of the list whose items each have an output with the item's id as its connector. */
  readonly itemOutputs?: string
  /** Everything under `properties` but inputs and outputs, the common fields included. */
  readonly fields: BlockFields
  readonly rules: readonly BlockRule[]
  readonly panel?: PanelName
  /** False: it is drawn for people alone. Bots, links, the lint and sections know nothing of it. */
  readonly runs: boolean
  /** Drawn as a sheet of paper, or as a frame under the blocks in it, as large as its fields `width` and `height` say. */
  readonly shape?: 'sheet' | 'frame'
  /** What the block says on the canvas: names of fields in braces, filled with their values in words. */
  readonly summary?: string
  /** The field of its words: what is typed once it was added stands there. */
  readonly words?: string
}

type Declaration = Omit<Block, 'hasInput' | 'hasOutput' | 'inputs' | 'outputs' | 'fields' | 'rules' | 'runs'> & {
  /** Connector ids; default `input_1`, none for a block where a flow begins. */
  readonly inputs?: readonly string[]
  /** Connector ids; default `output_1`, none for a block where a flow ends. */
  readonly outputs?: readonly string[]
  /** Outputs from which several links may leave. */
  readonly multiple?: readonly string[]
  readonly fields?: BlockFields
  readonly rules?: readonly BlockRule[]
  /** With it the block has no connectors and no common fields. */
  readonly runs?: false
}

/** What the specification gives every block beside its own fields. `data` is merged with the block's own `data`. */
const common = {
  titleorig: blockField.string({ hidden: true }),
  enableDelay: blockField.switch(false, { tab: 'rules' }),
  retention: blockField.switch(false, { tab: 'rules' }),
  valid: blockField.switch(false, { tab: 'rules', hidden: true }),
}
const commonData = {
  type: blockField.string({ initial: 'text', hidden: true }),
  name: blockField.string({ hidden: true }),
  options: blockField.list({ label: blockField.string() }, { bare: 'label', hidden: true }),
  tags: blockField.strings({ tab: 'rules' }),
}

const withCommon = (own: BlockFields): BlockFields => {
  const data = own.data?.kind === 'group' ? own.data.fields : {}
  return { ...common, ...own, data: blockField.group({ ...data, ...commonData, ...data }) }
}

/** Declares a block: connectors default to one input and one output, fields to the common ones. */
export const defineBlock = <const Type extends string>(
  declaration: Declaration & { readonly type: Type },
): Block & { readonly type: Type } => {
  const { runs = true, multiple = [], fields = {}, rules = [], ...rest } = declaration
  const { inputs = runs ? ['input_1'] : [], outputs = runs ? ['output_1'] : [] } = declaration
  const connector = (id: string): Connector => ({ id, multiple: multiple.includes(id) })
  return {
    ...rest,
    hasInput: inputs.length > 0,
    hasOutput: outputs.length > 0 || declaration.itemOutputs !== undefined,
    inputs: inputs.map(connector),
    outputs: outputs.map(connector),
    fields: runs ? withCommon(fields) : fields,
    runs,
    rules,
  }
}

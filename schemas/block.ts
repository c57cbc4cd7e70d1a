import type { FieldWhen } from './field/core.ts'
import { type BlockFields, blockField } from './flow/block-field.ts'

export type BlockCategory = 'flow' | 'interaction' | 'datamanagement' | 'integration' | 'cards'
export const BLOCK_CATEGORIES = ['flow', 'interaction', 'datamanagement', 'integration', 'cards'] as const

/** Checks of a block's value besides its kind; domain/flow/lint/check-block.ts reports each. */
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
 * A rule of a block's form. `field`: dotted path below `properties`; in a list, each item is checked. The message is
 * `check.{check}` in block.json. `when`: as in a field.
 */
export interface BlockRule {
  readonly field: string
  readonly check: CheckName
  readonly when?: FieldWhen
  /** Errors stop publishing, warnings do not. */
  readonly severity: 'error' | 'warning'
}

/** Panel beside a block's fields on its form: a preview of its look or its effect. */
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
 * Outputs by what a person chooses: one for each item of a list, or fixed ones. A block shows those that the `outputs`
 * of its file name. An answer whose output is not linked leaves by `output_1`. Errors of a block may have one too.
 */
type ChoiceOutputs = { readonly when?: FieldWhen } & (
  | {
      /** Dotted name of the list, also of one in each item of another list: `cards.items.options`. */
      readonly list: string
    }
  | { readonly fixed: readonly string[] }
)

/** Connector of errors. */
export const ERROR_CONNECTOR = 'output_error'

/** Output of a block for its errors. Without a link, the block leaves as if it had not failed. */
export const ERROR_OUTPUT: ChoiceOutputs = { fixed: [ERROR_CONNECTOR] }

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
  readonly choiceOutputs?: readonly ChoiceOutputs[]
  /** Everything under `properties` but inputs and outputs, the common fields included. */
  readonly fields: BlockFields
  readonly rules: readonly BlockRule[]
  readonly panel?: PanelName
  /** False: a drawing for people. Bots, links, the lint and sections ignore it. */
  readonly runs: boolean
  /** Drawn as a sheet of paper, or as a frame under the blocks in it, as large as its fields `width` and `height` say. */
  readonly shape?: 'sheet' | 'frame'
  /** The block's text on the canvas: field names in braces, replaced by their values in words. */
  readonly summary?: string
  /** Its text field: receives the text typed after the block is added. */
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

/** Specified fields of every block besides its own. `data` is merged with the block's own `data`. */
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

import { DATA_TYPES } from '#schemas/entities/variable.ts'
import type { JsonObject } from '#schemas/event.ts'
import { isObject, own } from '#schemas/json.ts'
import { isSystemSchema } from '#schemas/system-schema.ts'
import type { NodeModel } from '../document/model.ts'
import { rootName } from './variable-use.ts'

type DataType = (typeof DATA_TYPES)[number]

/** A variable of the bot, as far as blocks can disagree with it. */
interface DeclaredVariable {
  readonly datatype: string
  /** '' for none. */
  readonly schema: string
  /** False for one of another dialog or task. */
  readonly inReach: boolean
}

/** The variables of a bot by name; several dialogs may declare the same name. */
export type DeclaredVariables = ReadonlyMap<string, readonly DeclaredVariable[]>

/** A variable as its entity has it; without a task and a dialog it is the whole bot's. */
interface BotVariable {
  readonly name: string
  readonly datatype?: string | undefined
  readonly schema?: string | null | undefined
  readonly task?: string | null | undefined
  readonly dialog?: string | null | undefined
}

/** A bot's variables visible to a flow in `task` and, for a dialog's flow, of `dialog`. */
export const declaredVariables = (
  variables: readonly BotVariable[],
  { task, dialog }: { readonly task: string | undefined; readonly dialog: string | undefined },
): DeclaredVariables => {
  const declared = new Map<string, DeclaredVariable[]>()
  for (const { name, datatype = 'string', schema, ...of } of variables) {
    const inReach = (of.task ?? task) === task && (of.dialog ?? dialog) === dialog
    declared.set(name, [...(declared.get(name) ?? []), { datatype, schema: schema ?? '', inReach }])
  }
  return declared
}

/** Type that a block stores in its answer variable. */
interface AnswerType {
  readonly types: readonly DataType[]
  /** '' where any will do. */
  readonly schema: string
}

const ANY: AnswerType = { types: [], schema: '' }
const object = (schema: string): AnswerType => ({ types: ['object'], schema })

/** Numbers that are kept as they are written, zeros in front included. */
const DOCUMENTS = new Set(['CPF', 'CNPJ', 'CEP', 'Boleto', 'PIS', 'CreditCard', 'IP'])
const PARTS_OF_DATES = new Set(['day', 'month', 'year'])

const text = (values: JsonObject | undefined, name: string): string => {
  const value = values === undefined ? undefined : own(values, name)
  return typeof value === 'string' ? value : ''
}

const askedOf = (data: JsonObject): AnswerType => {
  switch (text(data, 'type')) {
    case 'text':
      return { types: ['string'], schema: '' }
    case 'number':
      return { types: DOCUMENTS.has(text(data, 'validationType')) ? ['number', 'string'] : ['number'], schema: '' }
    case 'time':
      return { types: PARTS_OF_DATES.has(text(data, 'dateExtractType')) ? ['number', 'date'] : ['date'], schema: '' }
    case 'confirm':
      return { types: ['boolean'], schema: '' }
    case 'choice':
      return { types: ['string', 'number', 'boolean', 'date'], schema: '' }
    case 'location':
      return object('system-location')
    case 'attachment':
      return { types: ['object', 'array'], schema: 'system-attachment' }
    default:
      return ANY
  }
}

const NUMBER: AnswerType = { types: ['number'], schema: '' }

const keptOf = ({ type, properties }: NodeModel): AnswerType => {
  const data = own(properties, 'data')
  const natural =
    type === 'prompt' && isObject(data)
      ? askedOf(data)
      : type === 'location'
        ? object('system-location')
        : type === 'rating'
          ? NUMBER
          : type === 'productcard'
            ? object('system-product-choosen')
            : ANY
  const chosen = DATA_TYPES.find(each => each === text(properties, 'datatype'))
  return {
    types: chosen === undefined ? natural.types : [chosen],
    schema: text(properties, 'variableschema') || natural.schema,
  }
}

/** Type of a new variable for a block's answer; `schema` is of the bot, '' for none. */
export const wantedVariable = (node: NodeModel): { readonly datatype: DataType; readonly schema: string } => {
  const { types, schema } = keptOf(node)
  return { datatype: types[0] ?? 'string', schema: isSystemSchema(schema) ? '' : schema }
}

type Misfit = 'block.scope' | 'block.datatype' | 'block.schema'

const misfitWith = (kept: AnswerType, variable: DeclaredVariable): Misfit | undefined => {
  if (!variable.inReach) return 'block.scope'
  const isType = kept.types.length === 0 || kept.types.some(type => type === variable.datatype)
  if (!isType) return 'block.datatype'
  return kept.schema !== '' && variable.schema !== '' && variable.schema !== kept.schema ? 'block.schema' : undefined
}

/**
 * Why what a block brings cannot be kept in a variable: it belongs to another dialog or task, or is of another data type
 * or schema. Undefined where it can, and for a name that no one declared.
 */
export const misfitOf = (node: NodeModel, name: string, declared: DeclaredVariables): Misfit | undefined => {
  const kept = keptOf(node)
  const misfits = (declared.get(rootName(name)) ?? []).map(variable => misfitWith(kept, variable))
  if (misfits.includes(undefined)) return undefined
  return misfits.find(misfit => misfit !== 'block.scope') ?? misfits[0]
}

import { chakra } from '@chakra-ui/react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { leftType } from '#domain/flow/condition/condition.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import {
  isSpecified,
  isUnaryComparison,
  OPERATORS,
  OPERATORS_OF_LISTS,
  type OperandType,
} from '#schemas/blocks/comparison.ts'
import type { JsonObject } from '#schemas/event.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { useWords } from '../../canvas/canvas-context.ts'
import { Field } from '../../inspector/field.tsx'
import { under, useFieldValue, useForm, useLabel } from '../../inspector/form-context.ts'
import { useNames } from '../../session/flow-names.ts'
import { RightSide } from './right-side.tsx'

const TYPES: Readonly<Record<string, OperandType>> = {
  string: 'string',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  object: 'object',
  array: 'array',
}

/** The type of the bot's variables as an operand; a list with a schema is a list of objects. */
export const useTypeOf = (): ((variable: string) => OperandType | undefined) => {
  const { variables } = useNames()
  return name => {
    const found = variables?.find(variable => variable.name === name)
    if (found?.datatype === 'array' && (found.schema ?? '') !== '') return 'array-object'
    return found?.datatype === undefined ? undefined : TYPES[found.datatype]
  }
}

const VARIABLES = new Set(['variable', 'context'])

const useRule = (path: FieldPath): JsonObject => ({
  source: useFieldValue(under(path, 'source'), undefined).value ?? 'input',
  variable: useFieldValue(under(path, 'variable'), undefined).value ?? '',
  datatype: useFieldValue(under(path, 'datatype'), undefined).value ?? '',
  comparison: useFieldValue(under(path, 'comparison'), undefined).value ?? '',
  valueVariable: useFieldValue(under(path, 'valueVariable'), undefined).value ?? '',
})

/** The operators of the left side's type; one that a file brought besides stays as long as it is chosen. */
const Operator = ({ path, operators }: { readonly path: FieldPath; readonly operators: readonly string[] }) => {
  const { node } = useForm()
  const words = useWords()
  const id = useId()
  const at = under(path, 'comparison')
  const label = useLabel(at)
  const { value, set, mayEdit } = useFieldValue(at, fieldAt(node.type, at))
  const held = typeof value === 'string' ? value : ''
  const isOffered = operators.includes(held) || held === ''
  const offered = isOffered ? operators : [...operators, held]
  const note = isOffered || !isSpecified(held) ? undefined : `${id}-note`
  return (
    <div>
      <label htmlFor={id} className="pl-said">
        {label}
      </label>
      <ChoiceControl
        id={id}
        describedBy={note}
        disabled={!mayEdit}
        value={held}
        choices={offered.map(each => ({
          value: each,
          label: words(`block:option.comparison.${each}`, { defaultValue: each }),
        }))}
        onChange={set}
      />
      {note === undefined ? null : (
        <chakra.p id={note} fontSize="xs" color="warning.fg" mt="1">
          {words('block:value.choice')}
        </chakra.p>
      )}
    </div>
  )
}

/** One comparison: operand, operator and value. The operators depend on the operand's type. */
export const Rule = ({ path }: { readonly path: FieldPath }) => {
  const { t } = useTranslation('designer')
  const rule = useRule(path)
  const typeOf = useTypeOf()
  const source = String(rule.source)
  const comparison = String(rule.comparison)
  // A text without a placeholder is what it says, and never what a formula in it would give.
  const written = useFieldValue(under(path, 'expression'), undefined).value
  const isConstant = source === 'expression' && typeof written === 'string' && /^[^{<]*\S[^{<]*$/u.test(written)
  const type = leftType(rule, { typeOf })
  const declared = VARIABLES.has(source) && typeOf(String(rule.variable)) !== undefined
  const list = String(rule.valueVariable) !== '' && typeOf(String(rule.valueVariable))?.startsWith('array')
  return (
    <chakra.div className="pl-item">
      <Field path={under(path, 'source')} bare />
      {VARIABLES.has(source) ? <Field path={under(path, 'variable')} bare /> : null}
      {source === 'expression' ? <Field path={under(path, 'expression')} bare /> : null}
      {isConstant ? (
        <chakra.p role="status" fontSize="xs" color="warning.fg">
          {t('condition.constant', { example: '{{idade > 60}}' })}
        </chakra.p>
      ) : null}
      {source === 'expression' || (VARIABLES.has(source) && !declared) ? (
        <Field path={under(path, 'datatype')} />
      ) : null}
      <Operator path={path} operators={list ? OPERATORS_OF_LISTS : OPERATORS[type]} />
      {isUnaryComparison(comparison) ? null : <RightSide path={path} type={type} comparison={comparison} />}
    </chakra.div>
  )
}

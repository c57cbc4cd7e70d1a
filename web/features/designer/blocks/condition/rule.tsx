import { chakra, Input } from '@chakra-ui/react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holdsPlaceholder } from '#domain/expression/template.ts'
import { leftType } from '#domain/flow/condition/condition.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { passes } from '#domain/flow/lint/check-value.ts'
import type { CheckName } from '#schemas/block.ts'
import {
  isSpecified,
  isUnaryComparison,
  OPERATORS,
  OPERATORS_OF_LISTS,
  type OperandType,
} from '#schemas/blocks/comparison.ts'
import type { JsonObject } from '#schemas/event.ts'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import { linesOf } from '#web/form/control/control-props.ts'
import { useWords } from '../../canvas/canvas-context.ts'
import { Field } from '../../inspector/field.tsx'
import { under, useFieldValue, useForm, useLabel } from '../../inspector/form-context.ts'
import { PlainExpression } from '../../inspector/plain-expression.tsx'
import { useNames } from '../../session/flow-names.ts'

interface RightSideProps {
  readonly path: FieldPath
  readonly type: OperandType
  readonly comparison: string
}

/** A value may hold placeholders, filled in when the conversation is there. */
const VALUE = { kind: 'template', template: 'value' } as const

const LISTS = new Set(['in', 'notIn'])

/** The check that a value fails for this type; values with placeholders are checked at run time. */
const wrongAmong = (values: readonly string[], type: OperandType): CheckName | undefined => {
  const check = type === 'numeric' ? 'number' : type === 'date' ? 'date' : undefined
  const isWrong = (value: string) =>
    check !== undefined && !holdsPlaceholder(value) && !passes(check, value.slice(0, 10))
  return values.some(isWrong) ? check : undefined
}

const Values = ({ path, type, comparison }: RightSideProps) => {
  const { t } = useTranslation('designer')
  const { node } = useForm()
  const words = useWords()
  const id = useId()
  const label = useLabel(under(path, 'values'))
  const { value, set, mayEdit } = useFieldValue(under(path, 'values'), fieldAt(node.type, under(path, 'values')))
  const values = Array.isArray(value) ? value.map(String) : []
  const wrong = values.length === 0 ? 'atLeastOne' : wrongAmong(values, type)
  const common = { id, disabled: !mayEdit, describedBy: wrong === undefined ? undefined : `${id}-wrong` }
  const one = (next: string) => set(next === '' ? [] : [next])
  const control = () => {
    if (LISTS.has(comparison) || values.length > 1) {
      return (
        <>
          <PlainExpression
            {...common}
            language={VALUE}
            value={values.join('\n')}
            onChange={typed => set(linesOf(typed))}
          />
          <chakra.span fontSize="2xs" color="fg.subtle">
            {t('condition.oneALine')}
          </chakra.span>
        </>
      )
    }
    if (type === 'date' && /^(?:\d{4}-\d{2}-\d{2})?$/u.test(values[0] ?? '')) {
      return (
        <Input
          id={id}
          type="date"
          disabled={!mayEdit}
          aria-describedby={common.describedBy}
          value={values[0] ?? ''}
          onChange={event => one(event.target.value)}
        />
      )
    }
    return <PlainExpression {...common} language={VALUE} single value={values[0] ?? ''} onChange={one} />
  }
  return (
    <div>
      <label htmlFor={id} id={`${id}-label`} className="pl-label-text">
        {label}
      </label>
      {control()}
      {wrong === undefined ? null : (
        <chakra.p id={`${id}-wrong`} fontSize="xs" color="warning.fg" mt="1">
          {words(`block:check.${wrong}`, { field: label })}
        </chakra.p>
      )}
    </div>
  )
}

/** Right operand: values, or a variable read at run time; dates by a unit. */
const RightSide = ({ path, type, comparison }: RightSideProps) => {
  const { t } = useTranslation('designer')
  const { mayEdit, value, set } = useFieldValue(under(path, 'valueVariable'), undefined)
  const [chosen, choose] = useState(false)
  const fromVariable = chosen || (typeof value === 'string' && value !== '')
  const turn = (to: boolean) => {
    choose(to)
    if (!to && fromVariable) set('')
  }
  return (
    <>
      {type === 'tag' ? null : (
        <fieldset className="pl-seg" data-small aria-label={t('condition.with')} disabled={!mayEdit}>
          <button type="button" aria-pressed={!fromVariable} onClick={() => turn(false)}>
            {t('condition.value')}
          </button>
          <button type="button" aria-pressed={fromVariable} onClick={() => turn(true)}>
            {t('condition.variable')}
          </button>
        </fieldset>
      )}
      {fromVariable ? (
        <Field path={under(path, 'valueVariable')} bare />
      ) : (
        <Values path={path} type={type} comparison={comparison} />
      )}
      {type === 'date' ? <Field path={under(path, 'dateUnit')} /> : null}
    </>
  )
}

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

import { chakra, Input } from '@chakra-ui/react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holdsPlaceholder } from '#domain/expression/template.ts'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { passes } from '#domain/flow/lint/check-value.ts'
import type { CheckName } from '#schemas/block.ts'
import type { OperandType } from '#schemas/blocks/comparison.ts'
import { linesOf } from '#web/form/control/control-props.ts'
import { useWords } from '../../canvas/canvas-context.ts'
import { Field } from '../../inspector/field.tsx'
import { under, useFieldValue, useForm, useLabel } from '../../inspector/form-context.ts'
import { PlainExpression } from '../../inspector/plain-expression.tsx'

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
export const RightSide = ({ path, type, comparison }: RightSideProps) => {
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

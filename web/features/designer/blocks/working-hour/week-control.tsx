import { Input } from '@chakra-ui/react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldPath } from '#domain/flow/document/location.ts'
import { valueNamed } from '#domain/flow/document/model.ts'
import { WEEKDAYS } from '#schemas/blocks/common-fields.ts'
import { SwitchControl } from '#web/form/control/choice-control.tsx'
import { under, useFieldValue, useForm, useLabel } from '../../inspector/form-context.ts'
import { stringOf } from '../../inspector/shared-value.ts'

/** Weeks are shown from Monday on. */
const SHOWN = [...WEEKDAYS.slice(1), 'sunday'] as const

const Time = ({ path, usual, label }: { path: FieldPath; usual: string; label: string }) => {
  const { node } = useForm()
  const { set, mayEdit } = useFieldValue(path, undefined)
  const own = stringOf(valueNamed(node.properties, path.join('.')))
  return (
    <Input
      type="time"
      aria-label={label}
      disabled={!mayEdit}
      data-usual={own === '' || undefined}
      value={own || usual}
      onChange={event => set(event.target.value === usual ? '' : event.target.value)}
    />
  )
}

const Day = ({ path }: { readonly path: FieldPath }) => {
  const { node } = useForm()
  const id = useId()
  const name = useLabel(path)
  const from = useLabel(under(path, 'startTime'))
  const to = useLabel(under(path, 'endTime'))
  const { t } = useTranslation('designer')
  const { set, mayEdit } = useFieldValue(under(path, 'closed'), undefined)
  const closed = valueNamed(node.properties, [...path, 'closed'].join('.')) === true
  const usual = (field: string) => stringOf(node.properties[field])
  return (
    <li>
      <span id={`${id}-label`}>{name}</span>
      <SwitchControl id={id} value={!closed} disabled={!mayEdit} onChange={open => set(!open)} />
      {closed ? (
        <em>{t('openings.closed')}</em>
      ) : (
        <>
          <Time path={under(path, 'startTime')} usual={usual('startTime')} label={`${name}: ${from}`} />
          <Time path={under(path, 'endTime')} usual={usual('endTime')} label={`${name}: ${to}`} />
        </>
      )}
    </li>
  )
}

/** A row for each weekday: whether it is open, and from when to when; times like the usual ones follow those. */
export const WeekControl = ({ path, label }: { readonly path: FieldPath; readonly label: string }) => (
  <section aria-label={label}>
    <span className="pl-label-text">{label}</span>
    <ul className="pl-week">
      {SHOWN.map(day => (
        <Day key={day} path={under(path, day)} />
      ))}
    </ul>
  </section>
)

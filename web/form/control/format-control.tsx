import { Input } from '@chakra-ui/react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineControlName } from '#schemas/field/core.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { ChoiceControl } from './choice-control.tsx'
import { attributesOf, type Choice, type ControlProps } from './control-props.ts'
import { LineControl } from './line-control.tsx'

/** The calendars of all countries; loaded on first use because they are large. */
export const holidays = lazyModule(() => import('#domain/calendar/holiday.ts'))

/** Names of countries by code, or of a country's states; undefined while they load, and where none are known. */
const useRegions = (country: string | undefined): { readonly [code: string]: string } | undefined => {
  const { value } = useLazyModule(holidays)
  const found = value?.regions(country)
  return found === undefined || Object.keys(found).length === 0 ? undefined : found
}

interface FormatProps extends ControlProps<string> {
  readonly format: LineControlName
  /** Country (ISO 3166) whose states are offered. */
  readonly country: string
}

const sorted = (choices: readonly Choice[]): readonly Choice[] =>
  [...choices].sort((a, b) => a.label.localeCompare(b.label))

const Zones = (props: FormatProps) => {
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone').map(zone => ({ value: zone, label: zone })), [])
  return <ChoiceControl {...props} choices={zones} />
}

const Regions = (props: FormatProps) => {
  const { i18n } = useTranslation()
  const found = useRegions(props.format === 'state' ? props.country : undefined)
  const language = i18n.language
  const choices = useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    const named = (code: string, name: string) =>
      props.format === 'country' && /^[A-Z]{2}$/u.test(code) ? (names.of(code) ?? name) : name
    return sorted(Object.entries(found ?? {}).map(([value, name]) => ({ value, label: named(value, name) })))
  }, [found, language, props.format])
  return found === undefined ? <LineControl {...props} /> : <ChoiceControl {...props} choices={choices} />
}

/** A line in a fixed format: a date, a time of day, a country, a state, a time zone. */
export const FormatControl = (props: FormatProps) => {
  const { format, value, onChange } = props
  switch (format) {
    case 'date':
    case 'clock':
      return (
        <Input
          {...attributesOf(props)}
          type={format === 'date' ? 'date' : 'time'}
          disabled={props.disabled}
          readOnly={props.readOnly}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      )
    case 'timezone':
      return <Zones {...props} />
    case 'country':
    case 'state':
      return <Regions {...props} />
    default:
      return format satisfies never
  }
}

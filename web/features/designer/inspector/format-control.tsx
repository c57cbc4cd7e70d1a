import { Input } from '@chakra-ui/react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineControlName } from '#schemas/flow/block-field.ts'
import { useRegions } from '../blocks/working-hour/late-holidays.ts'
import { useForm } from './form-context.ts'
import { type Choice, ChoiceControl, LineControl } from './plain-control.tsx'

interface FormatProps {
  readonly id: string
  readonly describedBy?: string | undefined
  readonly disabled: boolean
  readonly value: string
  readonly format: LineControlName
  readonly onWrite: (value: string) => void
}

const sorted = (choices: readonly Choice[]): readonly Choice[] =>
  [...choices].sort((a, b) => a.label.localeCompare(b.label))

const Zones = (props: FormatProps) => {
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone').map(zone => ({ value: zone, label: zone })), [])
  return <ChoiceControl {...props} choices={zones} />
}

const Regions = (props: FormatProps) => {
  const { i18n } = useTranslation()
  const { node } = useForm()
  const country = String(node.properties.country ?? '')
  const found = useRegions(props.format === 'state' ? country : undefined)
  const language = i18n.language
  const choices = useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    const named = (code: string, name: string) =>
      props.format === 'country' && /^[A-Z]{2}$/u.test(code) ? (names.of(code) ?? name) : name
    return sorted(Object.entries(found ?? {}).map(([value, name]) => ({ value, label: named(value, name) })))
  }, [found, language, props.format])
  return found === undefined ? <LineControl {...props} /> : <ChoiceControl {...props} choices={choices} />
}

/** A line of a known form: a date, a time, a place, a time zone. */
export const FormatControl = (props: FormatProps) => {
  const { format, value, onWrite, describedBy, ...common } = props
  switch (format) {
    case 'date':
    case 'clock':
      return (
        <Input
          {...common}
          type={format === 'date' ? 'date' : 'time'}
          aria-describedby={describedBy}
          value={value}
          onChange={event => onWrite(event.target.value)}
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

import { Button, chakra, Field, HStack, Input, Text } from '@chakra-ui/react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { submits } from '#web/components/submits.ts'
import { isReversed, parseRange, rangeText } from './list-state.ts'

interface Props {
  readonly title: string
  readonly kind: 'number' | 'time'
  readonly unit: string | undefined
  readonly value: string | undefined
  onChange(value: string | undefined): void
}

/** Both ends of a range; an empty end is open. */
export const RangeFilter = ({ title, kind, unit, value, onChange }: Props) => {
  const { t } = useTranslation('list')
  const given = parseRange(kind, value ?? '') ?? { from: '', to: '' }
  const [range, setRange] = useState(given)
  const [error, setError] = useState<string>()
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const apply = () => {
    if (range.from + range.to === '') return onChange(undefined)
    const text = rangeText(range)
    if (parseRange(kind, text) === undefined) return setError(t(kind === 'time' ? 'filter.nodate' : 'filter.nonumber'))
    if (isReversed(kind, range)) return setError(t('filter.reversed'))
    onChange(text)
  }
  const end = (name: 'from' | 'to') => (
    <Field.Root invalid={error !== undefined} flex="1">
      <Field.Label>
        {t(`filter.${name}`)}
        {unit === undefined ? null : ` (${unit})`}
      </Field.Label>
      <Input
        {...(name === 'from' ? { ref: first } : {})}
        w={kind === 'time' ? '150px' : '110px'}
        {...(kind === 'time' ? { type: 'date' } : { inputMode: 'decimal' as const, autoComplete: 'off' })}
        value={range[name]}
        onChange={event => {
          setError(undefined)
          setRange({ ...range, [name]: event.target.value.trim() })
        }}
      />
    </Field.Root>
  )
  return (
    <chakra.form p="2" aria-label={title} onSubmit={submits(apply)}>
      <HStack gap="2" align="flex-start">
        {end('from')}
        {end('to')}
      </HStack>
      {error === undefined ? null : (
        <Text role="alert" mt="2" textStyle="secondary" color="danger.fg">
          {error}
        </Text>
      )}
      <HStack mt="3" justify="flex-end">
        <Button type="submit" variant="solid" size="sm">
          {t('filter.apply')}
        </Button>
      </HStack>
    </chakra.form>
  )
}

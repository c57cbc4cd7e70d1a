import { Box, Button, chakra, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { CopyCheck, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JsonObject } from '#schemas/event.ts'
import { IconButton } from '#web/components/hint.tsx'
import type { ControlProps } from './control-props.ts'

/** Monday first; 0 is Sunday. */
const DAYS = [1, 2, 3, 4, 5, 6, 0] as const
const WORKDAYS = [1, 2, 3, 4, 5] as const
const PERIODS_A_DAY = 2
const MINUTES_A_DAY = 1440
const USUAL = { from: '09:00', to: '18:00' } as const
const SECOND = { from: '19:00', to: '22:00' } as const

interface Period {
  readonly from: string
  readonly to: string
}

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

const periodsOf = (value: readonly JsonObject[], day: number): readonly Period[] =>
  value
    .filter(item => item.day === day)
    .map(({ from, to }) => ({ from: String(from), to: String(to) }))
    .toSorted((one, other) => one.from.localeCompare(other.from))

/** The list with the periods of one day replaced. */
const withDay = (value: readonly JsonObject[], day: number, periods: readonly Period[]): readonly JsonObject[] => [
  ...value.filter(item => item.day !== day),
  ...periods.map(period => ({ id: crypto.randomUUID(), day, ...period })),
]

/** `9h`, `9h30` in Portuguese and Spanish, `09:00` in English. */
const clockText = (clock: string, language: string): string => {
  if (language === 'en') return clock
  const [hours = '', minutes = ''] = clock.split(':')
  return `${Number(hours)}h${minutes === '00' ? '' : minutes}`
}

const Track = ({ periods }: { readonly periods: readonly Period[] }) => (
  <Box position="relative" flex="1" h="8px" borderRadius="full" bg="bg.sunken" overflow="hidden" aria-hidden="true">
    {periods.map(({ from, to }) => {
      const begin = minutesOf(from)
      const end = minutesOf(to) > begin ? minutesOf(to) : MINUTES_A_DAY
      return (
        <Box
          key={from}
          position="absolute"
          insetBlock="0"
          bg="fg.muted"
          borderRadius="full"
          style={{
            insetInlineStart: `${(begin / MINUTES_A_DAY) * 100}%`,
            width: `${((end - begin) / MINUTES_A_DAY) * 100}%`,
          }}
        />
      )
    })}
  </Box>
)

interface EditorProps {
  readonly name: string
  readonly periods: readonly Period[]
  readonly onChange: (periods: readonly Period[]) => void
  readonly onCopy: () => void
}

const DayEditor = ({ name, periods, onChange, onCopy }: EditorProps) => {
  const { t } = useTranslation('shell')
  return (
    <Stack gap="2" ps="14" pb="2">
      {periods.map((period, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a period has no identity beside its place
        <HStack key={place} gap="2" flexWrap="wrap">
          {(['from', 'to'] as const).map(end => (
            <Input
              key={end}
              type="time"
              w="120px"
              aria-label={t(`form.opening.${end}`, { day: name })}
              value={period[end]}
              onChange={event => onChange(periods.with(place, { ...period, [end]: event.target.value }))}
            />
          ))}
          <IconButton
            icon={X}
            label={t('form.opening.remove', { day: name })}
            onClick={() => onChange(periods.toSpliced(place, 1))}
          />
        </HStack>
      ))}
      <HStack gap="2" flexWrap="wrap">
        {periods.length < PERIODS_A_DAY ? (
          <Button size="xs" onClick={() => onChange([...periods, periods.length === 0 ? USUAL : SECOND])}>
            <Plus size={13} aria-hidden="true" />
            {t('form.opening.add')}
          </Button>
        ) : null}
        <Button size="xs" variant="ghost" onClick={onCopy}>
          <CopyCheck size={13} aria-hidden="true" />
          {t('form.opening.copy')}
        </Button>
      </HStack>
    </Stack>
  )
}

/** Opening hours by weekday, drawn as bars: a press on a day edits it in place. No period at all: always open. */
export const OpeningControl = ({ value, onChange, id, describedBy, ...props }: ControlProps<readonly JsonObject[]>) => {
  const { t, i18n } = useTranslation('shell')
  const [open, setOpen] = useState<number>()
  const isFixed = props.readOnly === true || props.disabled === true
  const setDays = (days: readonly number[], periods: readonly Period[]) =>
    onChange(days.reduce((list, day) => withDay(list, day, periods), value))
  if (value.length === 0)
    return (
      <HStack gap="3">
        <Text textStyle="dense" color="fg.muted">
          {t('form.opening.always')}
        </Text>
        {isFixed ? null : (
          <Button id={id} size="sm" onClick={() => setDays(WORKDAYS, [USUAL])}>
            {t('form.opening.set')}
          </Button>
        )}
      </HStack>
    )
  const weekday = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' })
  return (
    <Box w="100%" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {DAYS.map(day => {
        // The first of January 2023 was a Sunday.
        const name = weekday.format(Date.UTC(2023, 0, 1 + day)).replace('.', '')
        const periods = periodsOf(value, day)
        const words =
          periods.length === 0
            ? t('form.opening.closed')
            : periods
                .map(({ from, to }) =>
                  t('form.opening.range', {
                    from: clockText(from, i18n.language),
                    to: clockText(to, i18n.language),
                  }),
                )
                .join(', ')
        return (
          <Box key={day}>
            <chakra.button
              type="button"
              display="flex"
              alignItems="center"
              gap="3"
              w="100%"
              minH={{ base: '11', md: '7' }}
              px="1"
              borderRadius="sm"
              textStyle="dense"
              textAlign="start"
              cursor={isFixed ? 'default' : 'pointer'}
              disabled={isFixed}
              aria-expanded={open === day}
              _hover={isFixed ? {} : { bg: 'bg.subtle' }}
              focusVisibleRing="inside"
              onClick={() => setOpen(open === day ? undefined : day)}
            >
              <Text as="span" w="10" color="fg.muted">
                {name}
              </Text>
              <Track periods={periods} />
              <Text
                as="span"
                minW={{ base: '92px', md: '172px' }}
                textAlign="end"
                color={periods.length === 0 ? 'fg.muted' : 'fg'}
              >
                {words}
              </Text>
            </chakra.button>
            {open === day && !isFixed ? (
              <DayEditor
                name={name}
                periods={periods}
                onChange={next => setDays([day], next)}
                onCopy={() => setDays(WORKDAYS, periods)}
              />
            ) : null}
          </Box>
        )
      })}
      {isFixed ? null : (
        <Button size="xs" variant="ghost" mt="1" onClick={() => onChange([])}>
          {t('form.opening.clear')}
        </Button>
      )}
    </Box>
  )
}

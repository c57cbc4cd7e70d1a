import { Box, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import type { DurationUnit } from '#schemas/field/kind.ts'
import type { ControlProps } from './control-props.ts'
import { NumberControl } from './number-control.tsx'

const SECONDS: Readonly<Record<DurationUnit, number>> = { ms: 0.001, s: 1, min: 60 }

const PARTS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `1 min 30 s` for 90 seconds, in the reader's language; undefined below a second. */
const durationWords = (value: number, unit: DurationUnit, language: string): string | undefined => {
  let rest = value * SECONDS[unit]
  if (!Number.isFinite(rest) || rest < 1) return undefined
  const words = PARTS.flatMap(([name, seconds]) => {
    const isLast = name === 'second'
    const count = isLast ? Math.round(rest * 1000) / 1000 : Math.floor(rest / seconds)
    rest -= count * seconds
    if (count === 0) return []
    return [new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(count)]
  })
  return words.join(' ')
}

interface DurationProps extends ControlProps<number | string | null, number | null> {
  readonly unit: DurationUnit
  readonly onUnreadable: (text: string) => void
}

/** A time span in its unit, and the same in larger units below. */
export const DurationControl = ({ unit, ...props }: DurationProps) => {
  const { i18n } = useTranslation()
  const words = typeof props.value === 'number' ? durationWords(props.value, unit, i18n.language) : undefined
  return (
    <Box w="100%">
      <NumberControl {...props} unit={unit} whole nullable />
      {words === undefined ? null : (
        <Text mt="1" textStyle="secondary" color="fg.muted">
          = {words}
        </Text>
      )}
    </Box>
  )
}

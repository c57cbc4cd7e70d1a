import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayOf, momentOf } from '#web/format/time.ts'

interface Bucket {
  readonly from: string
  readonly count: number
}

interface Props {
  readonly buckets: readonly Bucket[]
  readonly from: string | undefined
  readonly to: string | undefined
  onChange(period: { from: string; to: string } | undefined): void
}

const HEIGHT = 52
/** From this share of the width on, a day's name would leave a narrow chart. */
const LAST_LABEL = 0.88

/** A day's name begins at its bar; near the end it ends with the chart instead. */
const labelPlace = (share: number) => (share > LAST_LABEL ? { right: 0 } : { left: `${share * 100}%` })

const spanOf = (buckets: readonly Bucket[]) => {
  const first = Date.parse(buckets[0]?.from ?? '')
  const second = Date.parse(buckets[1]?.from ?? '')
  return Number.isNaN(second) ? 3_600_000 : second - first
}

/** Histogram of activity; dragging selects the period, Shift with arrows widens it. */
export const ActivityBrush = ({ buckets, from, to, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const box = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<readonly [number, number]>()
  const most = Math.max(1, ...buckets.map(bucket => bucket.count))
  const span = spanOf(buckets)
  const at = (time: string | undefined, fallback: number) => {
    if (time === undefined) return fallback
    const found = buckets.findIndex(bucket => Date.parse(bucket.from) + span > Date.parse(time))
    return found < 0 ? buckets.length - 1 : found
  }
  const given =
    from === undefined && to === undefined
      ? undefined
      : ([at(from, 0), Math.max(at(from, 0), at(to, buckets.length) - (to === undefined ? 1 : 0))] as const)
  const range = drawn === undefined ? given : ([Math.min(...drawn), Math.max(...drawn)] as const)
  const bucketAt = (event: React.PointerEvent) => {
    const rect = box.current?.getBoundingClientRect()
    if (rect === undefined) return 0
    return Math.max(
      0,
      Math.min(buckets.length - 1, Math.floor(((event.clientX - rect.left) / rect.width) * buckets.length)),
    )
  }
  const choose = ([low, high]: readonly [number, number]) => {
    const begin = buckets[low]?.from
    const end = buckets[high]?.from
    if (begin === undefined || end === undefined) return
    onChange({ from: new Date(begin).toISOString(), to: new Date(Date.parse(end) + span).toISOString() })
  }
  const onKey = (event: React.KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'Escape') return onChange(undefined)
    if (step === undefined) return
    event.preventDefault()
    const [low, high] = range ?? [buckets.length - 8, buckets.length - 1]
    const bounded = (place: number) => Math.max(0, Math.min(buckets.length - 1, place))
    choose(event.shiftKey ? [low, Math.max(low, bounded(high + step))] : [bounded(low + step), bounded(high + step)])
  }
  const labels = buckets.filter(
    (bucket, index) => index > 0 && dayOf(bucket.from) !== dayOf(buckets[index - 1]?.from ?? bucket.from),
  )
  const every = Math.ceil(labels.length / 6)
  return (
    <Box>
      <HStack
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={t('audit.brush')}
        aria-valuemin={0}
        aria-valuemax={buckets.length}
        aria-valuenow={range?.[0] ?? 0}
        aria-valuetext={
          range
            ? `${momentOf(buckets[range[0]]?.from ?? '')} – ${momentOf(buckets[range[1]]?.from ?? '')}`
            : t('audit.always')
        }
        gap="2px"
        align="flex-end"
        position="relative"
        cursor="crosshair"
        userSelect="none"
        touchAction="none"
        borderRadius="sm"
        focusVisibleRing="outside"
        style={{ height: HEIGHT }}
        onKeyDown={onKey}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const place = bucketAt(event)
          setDrawn([place, place])
        }}
        onPointerMove={event => {
          if (drawn !== undefined) setDrawn([drawn[0], bucketAt(event)])
        }}
        onPointerUp={() => {
          if (drawn !== undefined) choose([Math.min(...drawn), Math.max(...drawn)])
          setDrawn(undefined)
        }}
      >
        {range ? (
          <chakra.div
            position="absolute"
            insetBlock="0"
            bg="accent.muted"
            opacity="0.7"
            borderInlineWidth="2px"
            borderColor="accent.solid"
            pointerEvents="none"
            style={{
              left: `${(range[0] / buckets.length) * 100}%`,
              width: `${((range[1] - range[0] + 1) / buckets.length) * 100}%`,
            }}
          />
        ) : null}
        {buckets.map((bucket, index) => (
          <Box
            key={bucket.from}
            flex="1"
            position="relative"
            borderTopRadius="2px"
            bg={range && index >= range[0] && index <= range[1] ? 'accent.solid' : 'border.emphasized'}
            title={`${momentOf(bucket.from)} · ${bucket.count}`}
            style={{ height: bucket.count === 0 ? 1 : Math.max(3, (bucket.count / most) * (HEIGHT - 6)) }}
          />
        ))}
      </HStack>
      <Box position="relative" h="5" mt="0.5" aria-hidden="true">
        {labels
          .filter((_, index) => index % every === 0)
          .map(bucket => (
            <Text
              key={bucket.from}
              as="span"
              position="absolute"
              textStyle="caption"
              color="fg.muted"
              whiteSpace="nowrap"
              style={labelPlace(buckets.indexOf(bucket) / buckets.length)}
            >
              {dayOf(bucket.from).slice(0, 5)}
            </Text>
          ))}
      </Box>
    </Box>
  )
}

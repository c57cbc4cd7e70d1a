import { HStack, Text } from '@chakra-ui/react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { Select } from '#web/form/labelled-select.tsx'
import { numberText } from '#web/format/number.ts'
import { type ListState, SIZES } from './list-state.ts'

interface Props {
  readonly state: Pick<ListState, 'page' | 'size'>
  readonly total: number
  /** Whether another page follows; then `total` is that of the pages up to this one. */
  readonly more?: boolean
  onChange(change: Partial<Pick<ListState, 'page' | 'size'>>): void
}

/**
 * `1–25 of 412`, or `1–25` where the total is not known, how many rows, back and on. A page past the end, as of an old
 * address, becomes the last one.
 */
export const Pagination = ({ state: { page, size }, total, more, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const last = Math.max(1, Math.ceil(total / size))
  const isPast = total > 0 && page > last
  const change = useRef(onChange)
  change.current = onChange
  useEffect(() => {
    if (isPast) change.current({ page: last })
  }, [isPast, last])
  const from = total === 0 ? 0 : (page - 1) * size + 1
  const to = Math.min(page * size, total)
  return (
    <HStack mt="3" gap="3" justify="space-between" textStyle="dense" color="fg.muted" flexWrap="wrap">
      <Text aria-live="polite" fontVariantNumeric="tabular-nums">
        {isPast ? null : more === undefined ? t('list.range', { from, to, total: numberText(total) }) : `${from}–${to}`}
      </Text>
      <HStack gap="2">
        <Text as="label" {...{ htmlFor: 'rows' }} hideBelow="md">
          {t('list.rows')}
        </Text>
        <Select
          w="72px"
          hideBelow="md"
          field={{ id: 'rows' }}
          value={String(size)}
          options={SIZES.map(one => [String(one), String(one)])}
          onChange={chosen => onChange({ size: Number(chosen), page: 1 })}
        />
        <IconButton
          icon={ChevronLeft}
          variant="outline"
          label={t('list.before')}
          disabled={page <= 1}
          onClick={() => onChange({ page: page - 1 })}
        />
        <IconButton
          icon={ChevronRight}
          variant="outline"
          label={t('list.after')}
          disabled={more === undefined ? to >= total : !more}
          onClick={() => onChange({ page: page + 1 })}
        />
      </HStack>
    </HStack>
  )
}

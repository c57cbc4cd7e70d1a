import { Box, chakra } from '@chakra-ui/react'
import { CircleDot } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import { Hint } from '#web/components/hint.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { agoOf, momentOf } from '#web/format/time.ts'

/** Whether a flow is live, and since when. */
export const Published = ({ row }: { row: Row }) => {
  const { t } = useTranslation('shell')
  if (row.published !== true) {
    return (
      <Chip>
        <Box boxSize="2" borderRadius="full" borderWidth="1.5px" borderColor="currentColor" />
        {t('task.draft')}
      </Chip>
    )
  }
  const chip = (
    <Chip tone="positive">
      <CircleDot size={11} aria-hidden="true" />
      {t('task.published')}
    </Chip>
  )
  return typeof row.published_at === 'string' ? (
    <Hint text={`r${row.publishedrevision ?? ''} · ${momentOf(row.published_at)}`}>
      <chakra.span aria-label={`${t('task.published')}, ${agoOf(row.published_at)}`}>{chip}</chakra.span>
    </Hint>
  ) : (
    chip
  )
}

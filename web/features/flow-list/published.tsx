import { Box, chakra } from '@chakra-ui/react'
import { CircleDot, CircleDotDashed } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Chip } from '#web/components/chip.tsx'
import { Hint } from '#web/components/hint.tsx'
import { flowAddress } from '#web/entity/address.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { agoOf, momentOf } from '#web/format/time.ts'

const RouterLink = chakra(Link)

interface Props {
  readonly entity: 'dialog' | 'handler'
  readonly row: Row
  readonly bot: string
}

const revisionOf = (row: Row): number => (typeof row.publishedrevision === 'number' ? row.publishedrevision : 0)

/** Leads to the published revision beside the flow as it is now. */
const Changed = ({ entity, row, bot }: Props) => {
  const { t } = useTranslation('shell')
  const revision = revisionOf(row)
  const time = typeof row.published_at === 'string' ? momentOf(row.published_at) : ''
  return (
    <Hint text={t('task.changedhint', { revision, time })}>
      <RouterLink
        to={flowAddress(entity, row.id, { bot, at: revision, compare: 'now' })}
        aria-label={t('task.changedlink', { name: String(row.name) })}
        position="relative"
        borderRadius="full"
        _hover={{ filter: 'brightness(0.96)' }}
      >
        <Chip tone="warning">
          <CircleDotDashed size={11} aria-hidden="true" />
          {t('task.changed')}
        </Chip>
      </RouterLink>
    </Hint>
  )
}

/** Whether a flow is live, since when, and whether it was drawn on since then. */
export const Published = ({ entity, row, bot }: Props) => {
  const { t } = useTranslation('shell')
  if (row.published !== true) {
    return (
      <Chip>
        <Box boxSize="2" borderRadius="full" borderWidth="1.5px" borderColor="currentColor" />
        {t('task.draft')}
      </Chip>
    )
  }
  if (row.modified === true) return <Changed entity={entity} row={row} bot={bot} />
  const chip = (
    <Chip tone="positive">
      <CircleDot size={11} aria-hidden="true" />
      {t('task.published')}
    </Chip>
  )
  return typeof row.published_at === 'string' ? (
    <Hint text={`r${revisionOf(row)} · ${momentOf(row.published_at)}`}>
      <chakra.span aria-label={`${t('task.published')}, ${agoOf(row.published_at)}`}>{chip}</chakra.span>
    </Hint>
  ) : (
    chip
  )
}

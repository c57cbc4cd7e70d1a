import { Box, chakra, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { ChangeLine } from '#web/entity/history/change-line.tsx'
import { useEntityTextsReady } from '#web/entity/label.ts'
import type { Overview } from './overview-query.ts'

const RouterLink = chakra(Link)
const SHOWN = 8

/** Changes to the bot and its contents by people and the program, newest first. */
export const Happened = ({ bot, overview }: { readonly bot: string; readonly overview: Overview }) => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  const changes = overview.changes.slice(0, SHOWN)
  const isReady = useEntityTextsReady(changes.map(({ entity }) => entity))
  return (
    <Card
      title={t('happened')}
      beside={
        can('readaudit') ? (
          <RouterLink
            to={`/audit?within=${bot}`}
            textStyle="secondary"
            color="accent.fg"
            borderRadius="xs"
            focusVisibleRing="outside"
            _hover={{ textDecoration: 'underline' }}
          >
            {t('inaudit')}
          </RouterLink>
        ) : null
      }
    >
      {changes.length === 0 ? (
        <Text px="4" pb="4" textStyle="dense" color="fg.muted">
          {t('nothinghappened')}
        </Text>
      ) : isReady ? (
        <Box as="ul" listStyleType="none">
          {changes.map(change => (
            <ChangeLine key={`${change.entity}${change.entityid}${change.revision}${change.time}`} change={change} />
          ))}
        </Box>
      ) : null}
    </Card>
  )
}

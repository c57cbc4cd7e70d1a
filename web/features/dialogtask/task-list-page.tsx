import { Box, Button, HStack, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ListTree, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { dialogtask } from '#schemas/entities/dialogtask.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { formAddress } from '#web/entity/address.ts'
import { listQuery } from '#web/entity/entity-query.ts'
import { inSentence, useEntityTexts, useLabel } from '#web/entity/label.ts'
import { EntityTile, PersonTime } from '#web/entity/list/cell.tsx'
import { NameDialog } from '#web/entity/name-dialog.tsx'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { coveringLink } from '#web/theme/highlight.ts'

const TaskCounts = ({ row }: { readonly row: RowOf<'dialogtask'> }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const seesDialogs = can('readdialog')
  const within = { dialogtask: row.id, size: 1 }
  const dialogs = useQuery({ ...listQuery('dialog', within), enabled: seesDialogs }).data?.total
  const handlers = useQuery({ ...listQuery('handler', within), enabled: can('readhandler') }).data?.total
  return (
    <HStack gap="2" flexWrap="wrap" flex="1" align="flex-start">
      {dialogs === undefined ? null : <Chip>{t('task.dialogs', { count: dialogs })}</Chip>}
      {handlers === undefined ? null : <Chip>{t('task.handlers', { count: handlers })}</Chip>}
      {!seesDialogs ? null : typeof row.principaldialog === 'string' ? (
        <Chip tone="accent" maxW="100%">
          <Text as="span" truncate>
            <ReferenceName to="dialog" id={row.principaldialog} />
          </Text>
        </Chip>
      ) : (
        <Chip tone="warning">{t('task.nomain')}</Chip>
      )}
    </HStack>
  )
}

const TaskCard = ({ row, bot }: { row: RowOf<'dialogtask'>; bot: string }) => {
  return (
    <Stack
      as="li"
      position="relative"
      gap="2"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      p="4"
      _hover={{ borderColor: 'border.emphasized' }}
    >
      <HStack gap="3" align="flex-start">
        <EntityTile icon={dialogtask.icon} />
        <Box minW="0" flex="1">
          <RouterLink
            to={formAddress(`/dialogtask/${row.id}`, { bot })}
            textStyle="title"
            {...coveringLink('2px', 'lg')}
          >
            {row.name}
          </RouterLink>
          <Text textStyle="dense" color="fg.muted" lineClamp={2}>
            {row.description ?? ''}
          </Text>
        </Box>
      </HStack>
      <TaskCounts row={row} />
      <HStack borderTopWidth="1px" pt="2" textStyle="secondary">
        <PersonTime id={row.modified_by} time={row.modified_at} words />
      </HStack>
    </Stack>
  )
}

/** /bot/dialogtask/{bot}: the tasks of a bot, which `pid` names as well; without either, those of all bots. */
export const TaskListPage = () => {
  const { bot } = useParams()
  const [search] = useSearchParams()
  const pid = bot ?? search.get('pid')
  return pid ? <TaskList bot={pid} /> : <Redirect to="/dialogtask/search" />
}

const TaskList = ({ bot }: { readonly bot: string }) => {
  const { t } = useTranslation('shell')
  useEntityTexts(['dialogtask'])
  const label = useLabel()
  const { can } = useSession()
  const readable = can('readdialogtask')
  const [creating, setCreating] = useState(false)
  const query = useQuery({ ...listQuery('dialogtask', { bot, size: 100, sort: 'name' }), enabled: readable })
  const may = can('createdialogtask')
  useShortcut('n', () => setCreating(true), may)
  if (!readable) return <ErrorMessage code="403" />
  const button = (
    <Button variant="solid" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden="true" />
      {t('new', { name: inSentence(label.name('dialogtask')) })}
    </Button>
  )
  return (
    <Page
      title={label.plural('dialogtask')}
      beside={<Text color="fg.muted">{query.data?.total}</Text>}
      actions={may ? button : null}
    >
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <RowsSkeleton rows={4} />
      ) : query.data.items.length === 0 ? (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
          <EmptyState
            icon={ListTree}
            title={t('list.empty', { name: inSentence(label.plural('dialogtask')) })}
            text={label.purpose('dialogtask') ?? ''}
          >
            {may ? button : null}
          </EmptyState>
        </Box>
      ) : (
        <SimpleGrid
          as="ul"
          listStyleType="none"
          gap="4"
          templateColumns="repeat(auto-fill, minmax(min(300px, 100%), 1fr))"
        >
          {query.data.items.map(row => (
            <TaskCard key={row.id} row={row} bot={bot} />
          ))}
        </SimpleGrid>
      )}
      {creating ? (
        <NameDialog
          entity="dialogtask"
          fixed={{ bot }}
          openAt={id => formAddress(`/dialogtask/${id}`, { bot })}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </Page>
  )
}

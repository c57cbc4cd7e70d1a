import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CopyPlus, Ellipsis, History, Pencil, Plus, Star, Trash2, Undo2, Upload, UserPen } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { entityOf } from '#schemas/entities/registry.ts'
import { failureOf } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { Chip } from '#web/components/chip.tsx'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/icon-button.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { listQuery, type Row } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { EntityTile, PersonTime } from '#web/entity/list/cell.tsx'
import { NameDialog } from '#web/entity/name-dialog.tsx'
import { RemovalText } from '#web/entity/removal-text.tsx'
import { usedByList } from '#web/entity/used-by-list.tsx'
import { PublishFlowsDialog } from '../publish/index.ts'
import { Published } from './published.tsx'

const RouterLink = chakra(Link)

interface Props {
  readonly entity: 'dialog' | 'handler'
  readonly task: Row
  readonly removed: boolean
  readonly onMain?: (dialog: Row) => void
}

type PendingAction = { readonly what: 'rename' | 'remove' | 'publish'; readonly row: Row }

const FlowRow = ({
  entity,
  task,
  row,
  removed,
  onMain,
  onAsk,
}: Props & { row: Row; onAsk: (asked: PendingAction) => void }) => {
  const { t } = useTranslation('shell')
  const { t: words } = useTranslation('designer')
  const label = useLabel()
  const { can } = useSession()
  const navigate = useNavigate()
  const command = useEntityCommand(entityOf(entity))
  const main = task.principaldialog === row.id
  const name = String(row.name)
  const bot = String(task.bot)
  const open = flowAddress(entity, row.id, { bot })
  const may = (action: string) => can(action + entity)
  const published = row.published === true
  const actions: MenuAction[] = [
    ...(may('publish')
      ? [
          {
            id: 'publish',
            icon: Upload,
            label: label.action(entity, 'publish'),
            run: () => onAsk({ what: 'publish', row }),
          },
        ]
      : []),
    ...(may('unpublish') && published
      ? [
          {
            id: 'unpublish',
            icon: Undo2,
            label: label.action(entity, 'unpublish'),
            run: () => void command.act(row, 'unpublish', {}, words(`failure.unpublish.${entity}`)),
          },
        ]
      : []),
    ...(onMain && !main && can('updatedialogtask')
      ? [{ id: 'main', icon: Star, label: t('task.makemain'), run: () => onMain(row) }]
      : []),
    ...(may('update')
      ? [
          {
            id: 'rename',
            icon: UserPen,
            label: t('renameaction'),
            separated: true,
            run: () => onAsk({ what: 'rename', row }),
          },
        ]
      : []),
    ...(may('duplicate')
      ? [
          {
            id: 'duplicate',
            icon: CopyPlus,
            label: label.action(entity, 'duplicate'),
            run: () =>
              void command
                .act(row, 'duplicate')
                .then(copy => copy && navigate(flowAddress(entity, String(copy.id), { bot }))),
          },
        ]
      : []),
    {
      id: 'history',
      icon: History,
      label: t('history'),
      run: () => void navigate(flowAddress(entity, row.id, { bot, history: true })),
    },
    ...(may('delete')
      ? [
          {
            id: 'remove',
            icon: Trash2,
            danger: true,
            separated: true,
            label: t('remove'),
            run: () => onAsk({ what: 'remove', row }),
          },
        ]
      : []),
  ]
  return (
    <HStack
      as="li"
      position="relative"
      gap="3"
      px="3.5"
      minH="62px"
      py="2"
      _hover={{ bg: 'bg.subtle' }}
      css={{ '&:not(:last-child)': { borderBottomWidth: '1px' } }}
    >
      <EntityTile icon={entityOf(entity).icon} />
      <Box flex="1" minW="0">
        <HStack columnGap="2" rowGap="0.5" flexWrap={{ base: 'wrap', md: 'nowrap' }}>
          {removed ? (
            <Text textStyle="card">{name}</Text>
          ) : (
            <RouterLink
              to={open}
              textStyle="card"
              lineClamp={{ base: 2, md: 1 }}
              overflowWrap="anywhere"
              outline="none"
              _after={{ content: '""', position: 'absolute', inset: 0 }}
              _focusVisible={{
                _after: {
                  outlineWidth: '2px',
                  outlineStyle: 'solid',
                  outlineColor: 'accent.focusRing',
                  outlineOffset: '-2px',
                },
              }}
            >
              {name}
            </RouterLink>
          )}
          {main ? (
            <Chip tone="accent" h="5">
              <Star size={11} fill="currentColor" aria-hidden="true" />
              {t('task.main')}
            </Chip>
          ) : null}
          {row.global === true ? <Chip h="5">{label.field('handler', 'global')}</Chip> : null}
          {row.slow === true ? <Chip h="5">{label.field('handler', 'slow')}</Chip> : null}
        </HStack>
        <Text textStyle="secondary" color="fg.muted" truncate>
          {typeof row.description === 'string' ? row.description : ''}
        </Text>
      </Box>
      {removed ? null : <Published entity={entity} row={row} bot={bot} />}
      <Box hideBelow="md" w="110px" position="relative" fontSize="sm">
        <PersonTime id={row.modified_by} time={row.modified_at} />
      </Box>
      <HStack position="relative" gap="1">
        {removed ? (
          <Button onClick={() => void command.bringBack(row)}>
            <Undo2 size={15} aria-hidden="true" />
            {t('bringback')}
          </Button>
        ) : (
          <>
            <Button hideBelow="lg" size="xs" onClick={() => void navigate(open)}>
              <Pencil size={14} aria-hidden="true" />
              {t('task.draw')}
            </Button>
            <ActionMenu label={t('moreof', { name })} actions={actions}>
              <IconButton icon={Ellipsis} label={t('moreof', { name })} />
            </ActionMenu>
          </>
        )}
      </HStack>
    </HStack>
  )
}

/** The dialogs or the handlers of a task, with what can be done with each. */
export const FlowList = (props: Props) => {
  const { entity, task, removed } = props
  const { t } = useTranslation('shell')
  const { t: words } = useTranslation('designer')
  const label = useLabel()
  const { can } = useSession()
  const command = useEntityCommand(entityOf(entity))
  const [asked, setAsked] = useState<PendingAction>()
  const [creating, setCreating] = useState(false)
  const query = useQuery(
    listQuery(entity, { dialogtask: task.id, size: 100, sort: 'name', ...(removed ? { removed: true } : {}) }),
  )
  const rows = query.data?.items ?? []
  const may = can(`create${entity}`) && !removed
  const close = () => setAsked(undefined)
  return (
    <chakra.section mb="6">
      <HStack mb="2" minH="8">
        <Text as="h2" textStyle="card">
          {label.plural(entity)}
        </Text>
        <Text color="fg.muted" textStyle="secondary">
          {query.data?.total}
        </Text>
        <Box flex="1" />
        {may ? (
          <Button onClick={() => setCreating(true)}>
            <Plus size={15} aria-hidden="true" />
            {t('new', { name: label.name(entity).toLocaleLowerCase() })}
          </Button>
        ) : null}
      </HStack>
      {query.error ? (
        <ErrorState error={query.error} title={words(`failure.list.${entity}`)} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <RowsSkeleton rows={3} />
      ) : (
        <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="lg" bg="bg.surface">
          {rows.length === 0 ? (
            <Box as="li">
              <EmptyState
                small
                title={
                  removed ? t('list.noremoved') : t('list.empty', { name: label.plural(entity).toLocaleLowerCase() })
                }
                text={label.purpose(entity) ?? ''}
              />
            </Box>
          ) : (
            rows.map(row => <FlowRow key={row.id} {...props} row={row} onAsk={setAsked} />)
          )}
        </Box>
      )}
      {creating ? (
        <NameDialog
          entity={entity}
          fixed={{ dialogtask: task.id }}
          openAt={id => flowAddress(entity, id, { bot: String(task.bot) })}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {asked?.what === 'rename' ? <NameDialog entity={entity} fixed={{}} row={asked.row} onClose={close} /> : null}
      {asked?.what === 'publish' ? (
        <PublishFlowsDialog
          entity={entity}
          rows={[asked.row]}
          onClose={close}
          onPublish={body => command.act(asked.row, 'publish', body, words(`failure.publish.${entity}`))}
        />
      ) : null}
      {asked?.what === 'remove' ? (
        <ConfirmDialog
          details={usedByList}
          title={t('removetitle', { kind: label.name(entity).toLocaleLowerCase(), name: String(asked.row.name) })}
          action={t('remove')}
          onClose={close}
          onConfirm={() =>
            command.remove(asked.row).catch(error => {
              throw new Error(failureOf(error, words(`failure.remove.${entity}`)), { cause: error })
            })
          }
        >
          <RemovalText entity={entity} id={asked.row.id} bot={String(task.bot)} />
        </ConfirmDialog>
      ) : null}
    </chakra.section>
  )
}

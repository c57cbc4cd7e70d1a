import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import {
  CircleDot,
  CircleDotDashed,
  CopyPlus,
  Ellipsis,
  FlaskConical,
  History,
  Pencil,
  Star,
  Trash2,
  Undo2,
  Upload,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { entityOf } from '#schemas/entities/registry.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { Chip } from '#web/components/chip.tsx'
import { Hint, IconButton } from '#web/components/hint.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { useLabel } from '#web/entity/label.ts'
import { EntityTile, PersonTime } from '#web/entity/list/cell.tsx'
import { type Outcome, runQuery, testAddress } from '#web/features/conversationtest/index.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { coveringLink } from '#web/theme/highlight.ts'

export type FlowKind = 'dialog' | 'handler'

export type FlowEntry = RowOf<FlowKind>

/** Task data that a list of flows needs. */
export interface FlowTask {
  readonly id: string
  readonly bot: string
  readonly principaldialog: string | null
}

/** Actions with a dialog. */
export type DialogAction = 'rename' | 'duplicate' | 'remove' | 'publish'

interface Listed {
  readonly kind: FlowKind
  readonly task: FlowTask
  readonly onMain?: ((dialog: FlowEntry) => void) | undefined
  readonly onAsk: (what: DialogAction, row: FlowEntry) => void
}

/** Actions on a flow of the list that the user's rights permit. */
export const useFlowActions = ({ kind, task, onMain, onAsk }: Listed): ((row: FlowEntry) => readonly MenuAction[]) => {
  const { t } = useTranslation('shell')
  const { t: words } = useTranslation('designer')
  const label = useLabel()
  const { can } = useSession()
  const navigate = useNavigate()
  const command = useEntityCommand(entityOf(kind))
  return row => {
    const asks = (id: DialogAction) => ({ id, run: () => onAsk(id, row) })
    const isMain = task.principaldialog === row.id
    const actions: readonly (MenuAction & { readonly if: boolean })[] = [
      { ...asks('publish'), if: can(`publish${kind}`), icon: Upload, label: label.action(kind, 'publish') },
      {
        id: 'unpublish',
        if: can(`unpublish${kind}`) && row.published,
        icon: Undo2,
        label: label.action(kind, 'unpublish'),
        run: () => void command.act(row, 'unpublish', {}, words(`failure.unpublish.${kind}`)),
      },
      {
        id: 'main',
        if: onMain !== undefined && !isMain && can('updatedialogtask'),
        icon: Star,
        label: t('task.makemain'),
        run: () => onMain?.(row),
      },
      { ...asks('rename'), if: can(`update${kind}`), separated: true, icon: Pencil, label: t('renameaction') },
      { ...asks('duplicate'), if: can(`duplicate${kind}`), icon: CopyPlus, label: label.action(kind, 'duplicate') },
      {
        id: 'history',
        if: true,
        icon: History,
        label: t('history'),
        run: () => void navigate(flowAddress(kind, row.id, { bot: task.bot, history: true })),
      },
      {
        ...asks('remove'),
        // A global handler belongs to the whole bot.
        if: can(`delete${kind}`) && !('global' in row && row.global),
        separated: true,
        danger: true,
        icon: Trash2,
        label: t('remove'),
      },
    ]
    return actions.filter(action => action.if).map(({ if: _, ...action }) => action)
  }
}

interface Props {
  readonly entity: 'dialog' | 'handler'
  readonly row: FlowEntry
  readonly bot: string
}

const revisionOf = (row: FlowEntry): number => row.publishedrevision ?? 0

/** Leads to the published revision beside the flow as it is now. */
const Changed = ({ entity, row, bot }: Props) => {
  const { t } = useTranslation('shell')
  const revision = revisionOf(row)
  const time = row.published_at === null ? '' : momentOf(row.published_at)
  return (
    <Hint text={t('task.changedhint', { revision, time })}>
      <RouterLink
        to={flowAddress(entity, row.id, { bot, at: revision, compare: 'now' })}
        aria-label={t('task.changedlink', { name: row.name })}
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
const Published = ({ entity, row, bot }: Props) => {
  const { t } = useTranslation('shell')
  if (!row.published) {
    return (
      <Chip>
        <Box boxSize="2" borderRadius="full" borderWidth="1.5px" borderColor="currentColor" />
        {t('task.draft')}
      </Chip>
    )
  }
  if (row.modified) return <Changed entity={entity} row={row} bot={bot} />
  const chip = (
    <Chip tone="positive">
      <CircleDot size={11} aria-hidden="true" />
      {t('task.published')}
    </Chip>
  )
  return row.published_at ? (
    <Hint text={`r${revisionOf(row)} · ${momentOf(row.published_at)}`}>
      <chakra.span aria-label={`${t('task.published')}, ${agoOf(row.published_at)}`}>{chip}</chakra.span>
    </Hint>
  ) : (
    chip
  )
}

/** The dialog that a failure belongs to: of its block, or where none ran that of the beginning. */
const failedIn = ({ at, path }: Outcome): string | undefined => at?.dialog ?? path[0]?.dialog

/** That tests fail at a dialog with what is drawn, leading to them. */
const FailingTests = ({ bot, dialog }: { readonly bot: string; readonly dialog: string }) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const run = useQuery({ ...runQuery(bot, {}), enabled: can('readconversationtest') })
  const failed = run.data?.outcomes.filter(outcome => !outcome.passed && failedIn(outcome) === dialog) ?? []
  const [first] = failed
  if (first === undefined) return null
  const text = t('mark.failed', { count: failed.length })
  return (
    <RouterLink to={testAddress(bot, first.id)} position="relative" borderRadius="full" title={text} aria-label={text}>
      <Chip tone="danger">
        <FlaskConical size={11} aria-hidden="true" />
        <chakra.span hideBelow="md">{text}</chakra.span>
        <chakra.span hideFrom="md">{failed.length}</chakra.span>
      </Chip>
    </RouterLink>
  )
}

export interface FlowRowProps {
  readonly kind: FlowKind
  readonly task: FlowTask
  readonly row: FlowEntry
  readonly actions: readonly MenuAction[]
}

const Title = ({ kind, task, row, removed }: FlowRowProps & { readonly removed: boolean }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const name = row.name
  return (
    <HStack columnGap="2" rowGap="0.5" flexWrap={{ base: 'wrap', md: 'nowrap' }}>
      {removed ? (
        <Text textStyle="card">{name}</Text>
      ) : (
        <RouterLink
          to={flowAddress(kind, row.id, { bot: task.bot })}
          textStyle="card"
          lineClamp={{ base: 2, md: 1 }}
          overflowWrap="anywhere"
          {...coveringLink('-2px')}
        >
          {name}
        </RouterLink>
      )}
      {task.principaldialog === row.id ? (
        <Chip tone="accent" h="5">
          <Star size={11} fill="currentColor" aria-hidden="true" />
          {t('task.main')}
        </Chip>
      ) : null}
      {removed || kind !== 'dialog' ? null : <FailingTests bot={task.bot} dialog={row.id} />}
      {'global' in row && row.global ? <Chip h="5">{label.field('handler', 'global')}</Chip> : null}
      {'slow' in row && row.slow ? <Chip h="5">{label.field('handler', 'slow')}</Chip> : null}
    </HStack>
  )
}

/** A flow among those of its task's page; one that was removed can be brought back. */
export const FlowRow = (props: FlowRowProps & { readonly removed: boolean }) => {
  const { kind, task, row, actions, removed } = props
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const command = useEntityCommand(entityOf(kind))
  const more = t('moreof', { name: row.name })
  return (
    <HStack
      as="li"
      position="relative"
      gap="3"
      rowGap="1"
      flexWrap={{ base: 'wrap', md: 'nowrap' }}
      px="3.5"
      minH="62px"
      py="2"
      _hover={{ bg: 'bg.subtle' }}
      css={{ '&:not(:last-child)': { borderBottomWidth: '1px' } }}
    >
      <EntityTile icon={entityOf(kind).icon} />
      <Box flex="1" minW="0">
        <Title {...props} />
        <Text textStyle="secondary" color="fg.muted" truncate>
          {row.description}
        </Text>
      </Box>
      {removed ? null : (
        <Box order={{ base: 2, md: 0 }} flexBasis={{ base: '100%', md: 'auto' }} ps={{ base: '12', md: '0' }}>
          <Published entity={kind} row={row} bot={task.bot} />
        </Box>
      )}
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
            <Button
              hideBelow="lg"
              size="xs"
              onClick={() => void navigate(flowAddress(kind, row.id, { bot: task.bot }))}
            >
              <Pencil size={14} aria-hidden="true" />
              {t('task.draw')}
            </Button>
            <ActionMenu label={more} actions={actions}>
              <IconButton icon={Ellipsis} label={more} />
            </ActionMenu>
          </>
        )}
      </HStack>
    </HStack>
  )
}

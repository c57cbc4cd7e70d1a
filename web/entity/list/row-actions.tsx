import { Button, HStack } from '@chakra-ui/react'
import { Ellipsis, History, ListTree, Pencil, RotateCcw, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { ConfirmDialog } from '#web/components/modal.tsx'
import { useEntityActions } from '#web/entity/action/use-entity-actions.tsx'
import { formAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { RemovalText, usedByList } from '#web/entity/used-by.tsx'
import type { ListPlace } from './use-list-state.ts'

interface Props {
  readonly place: ListPlace
  readonly row: Row
  readonly removed: boolean
  /** Only the menu, as on cards. */
  readonly compact?: boolean
}

const BotButtons = ({ row, restart }: Pick<Props, 'row'> & { readonly restart: MenuAction | undefined }) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  return (
    <HStack
      className="row-hover"
      gap="1"
      ps="3"
      pe="1"
      h="44px"
      bg="bg.subtle"
      position="absolute"
      insetInlineEnd="100%"
      top="50%"
      transform="translateY(-50%)"
    >
      <Button size="xs" onClick={() => void navigate(`/bot/dialogtask/${row.id}`)}>
        <ListTree size={14} aria-hidden="true" />
        {t('opentasks')}
      </Button>
      {restart === undefined ? null : (
        <IconButton
          icon={RotateCcw}
          iconSize={14}
          size="xs"
          variant="outline"
          label={String(restart.label)}
          onClick={restart.run}
        />
      )}
    </HStack>
  )
}

/** Actions of one row; on a wide screen hover shows the two most common ones. */
export const RowActions = ({ place, row, removed, compact = false }: Props) => {
  const { t } = useTranslation('shell')
  const { entity } = place
  const label = useLabel()
  const { can } = useSession()
  const navigate = useNavigate()
  const command = useEntityCommand(entity)
  const declared = useEntityActions(entity)
  const [removing, setRemoving] = useState(false)
  const name = label.title(entity, row)
  if (removed) {
    return can(`update${entity.name}`) ? (
      <Button onClick={() => void command.bringBack(row)}>
        <Undo2 size={15} aria-hidden="true" />
        {t('bringback')}
      </Button>
    ) : null
  }
  const isBot = entity.name === 'bot'
  const actions: MenuAction[] = [
    { id: 'open', label: t('open'), icon: Pencil, keys: '↵', run: () => void navigate(place.formAt(row.id)) },
    ...(isBot
      ? [{ id: 'tasks', label: t('opentasks'), icon: ListTree, run: () => void navigate(`/bot/dialogtask/${row.id}`) }]
      : []),
    {
      id: 'history',
      label: t('history'),
      icon: History,
      keys: 'H',
      run: () => void navigate(formAddress(place.formAt(row.id), { history: true })),
    },
    ...declared.entries(row, 'row'),
    ...(can(`delete${entity.name}`)
      ? [
          {
            id: 'remove',
            label: t('remove'),
            icon: Trash2,
            danger: true,
            separated: true,
            run: () => (entity.confirm ? setRemoving(true) : void command.remove(row).catch(command.failed)),
          },
        ]
      : []),
  ]
  return (
    <HStack gap="1" justify="flex-end" position="relative">
      {compact || !isBot ? null : <BotButtons row={row} restart={actions.find(({ id }) => id === 'restart')} />}
      <ActionMenu label={t('moreof', { name })} actions={actions}>
        <IconButton icon={Ellipsis} label={t('moreof', { name })} size={compact ? 'xl' : 'md'} />
      </ActionMenu>
      {declared.dialog}
      {removing ? (
        <ConfirmDialog
          details={usedByList}
          title={t('removetitle', { kind: inSentence(label.name(entity.name)), name })}
          action={t('remove')}
          onClose={() => setRemoving(false)}
          onConfirm={() => command.remove(row)}
        >
          <RemovalText entity={entity.name} id={row.id} bot={typeof row.bot === 'string' ? row.bot : undefined} />
        </ConfirmDialog>
      ) : null}
    </HStack>
  )
}

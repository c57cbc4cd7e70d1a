import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Eye, History, RotateCcw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { type Change, type HistoryItem, historyQuery, type Row } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { BeforeAfter } from '#web/entity/value-text.tsx'
import { HistoryEntry } from './history-entry.tsx'

interface Props {
  readonly entity: EntityDeclaration
  readonly row: Row
  /** Only changes of this field. */
  readonly field: string | undefined
  readonly chosen: number | undefined
  readonly previewing: boolean
  onField(field: string | undefined): void
  onChoose(item: HistoryItem | undefined): void
  onPreview(revision: number | undefined): void
  onClose(): void
}

interface EntriesProps extends Pick<Props, 'entity' | 'chosen' | 'onChoose'> {
  readonly items: readonly HistoryItem[]
}

const Entries = ({ entity, items, chosen, onChoose }: EntriesProps) => (
  <chakra.ol listStyleType="none">
    {items.map((one, at) => (
      <HistoryEntry
        key={one.revision}
        entity={entity}
        item={one}
        chosen={one.revision === chosen}
        last={at === items.length - 1}
        onChoose={() => onChoose(one.revision === chosen ? undefined : one)}
      />
    ))}
  </chakra.ol>
)

/** Everything that happened to a thing, newest first; a change can be looked at, previewed and taken back. */
export const HistoryPanel = (props: Props) => {
  const { entity, row, field, chosen, onChoose, onClose, onField } = props
  const { t } = useTranslation(['history', 'shell'])
  const label = useLabel()
  const query = useQuery(historyQuery(entity.name, row.id))
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const all = query.data ?? []
  const items =
    field === undefined ? all : all.filter(item => item.changes.some(({ path }) => path.split('.')[0] === field))
  const item = all.find(one => one.revision === chosen)
  const before = item === undefined ? undefined : all[all.indexOf(item) + 1]
  return (
    <chakra.aside
      aria-label={t('history:title')}
      display="flex"
      flexDirection="column"
      bg="bg.surface"
      borderLeftWidth="1px"
      w={{ base: '100%', md: 'historyPanel' }}
      position={{ base: 'fixed', md: 'absolute', xl: 'static' }}
      insetBlock={{ base: '0', md: '0' }}
      right="0"
      zIndex={{ base: 'drawer', xl: 'auto' }}
      boxShadow={{ base: 'overlay', xl: 'none' }}
      flex="none"
      minH="0"
      animation="slide-from-right 240ms, fade-in 160ms"
      onKeyDown={event => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <HStack h="52px" px="4" gap="2" borderBottomWidth="1px" flex="none">
        <History size={17} aria-hidden="true" />
        <chakra.h2 ref={heading} tabIndex={-1} outline="none" textStyle="title">
          {t('history:title')}
        </chakra.h2>
        <Text textStyle="secondary" color="fg.muted">
          {t('history:count', { count: items.length })}
        </Text>
        <Box flex="1" />
        {field === undefined ? null : (
          <Button size="xs" onClick={() => onField(undefined)}>
            {label.field(entity.name, field)}
            <X size={12} aria-hidden="true" />
          </Button>
        )}
        <IconButton icon={X} label={t('shell:close')} onClick={onClose} />
      </HStack>
      <Box flex="1" minH="160px" overflow="auto">
        {query.error ? (
          <Box p="4">
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          </Box>
        ) : query.data === undefined ? (
          <Box p="4">
            <RowsSkeleton rows={5} />
          </Box>
        ) : (
          <Entries entity={entity} items={items} chosen={chosen} onChoose={onChoose} />
        )}
      </Box>
      {item === undefined ? null : <ChosenChange {...props} item={item} before={before} />}
    </chakra.aside>
  )
}

/** Takes changes back to the revision before them; that can be undone. */
const useRestoreChanges = (entity: EntityDeclaration, row: Row, before: HistoryItem | undefined) => {
  const { t } = useTranslation(['history', 'shell'])
  const command = useEntityCommand(entity)
  const [busy, setBusy] = useState(false)
  const restore = async (changes: readonly Change[]) => {
    if (before === undefined) return
    setBusy(true)
    try {
      const fields = [...new Set(changes.map(({ path }) => path.split('.')[0] ?? path))]
      const back = row.revision
      const undo = () => void command.restore(row, back, fields).catch(command.failed)
      await command.restore(row, before.revision, fields, {
        text: t('history:restored', { count: fields.length }),
        options: { action: { label: t('shell:undo'), run: undo } },
      })
    } catch (error) {
      command.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, restore }
}

const ChosenChange = ({
  entity,
  row,
  item,
  before,
  previewing,
  onPreview,
}: Props & { item: HistoryItem; before: HistoryItem | undefined }) => {
  const { t } = useTranslation(['history', 'shell'])
  const label = useLabel()
  const { can } = useSession()
  const restorable = item.changes.filter(change => isRestorable(entity, change))
  const mayRestore = can(`update${entity.name}`) && before !== undefined && restorable.length > 0
  const { busy, restore } = useRestoreChanges(entity, row, before)
  return (
    <Box
      borderTopWidth="1px"
      borderColor="border.emphasized"
      flex="none"
      maxH="55%"
      display="flex"
      flexDirection="column"
    >
      <HStack px="4" py="3" gap="2" flexWrap="wrap">
        <Text textStyle="card">{t('history:change', { revision: item.revision })}</Text>
        <Text textStyle="secondary" color="fg.muted">
          {item.changes.length > 0 ? t('history:beforeafter') : ''}
        </Text>
        <Box flex="1" />
        <Button
          variant="plain"
          aria-pressed={previewing}
          onClick={() => onPreview(previewing ? undefined : item.revision)}
        >
          <Eye size={15} aria-hidden="true" />
          {previewing ? t('history:closepreview') : t('history:preview')}
        </Button>
      </HStack>
      <Box overflow="auto" px="4" pb="3" tabIndex={0}>
        {item.changes.length === 0 ? (
          <Text textStyle="dense" color="fg.muted">
            {t('history:nochanges')}
          </Text>
        ) : null}
        {item.changes.map(change => (
          <Box key={change.path} borderTopWidth="1px" py="2.5">
            <HStack justify="space-between" mb="1.5">
              <Text textStyle="dense" fontWeight="semibold">
                {label.path(entity.name, change.path)}
              </Text>
              {mayRestore && isRestorable(entity, change) ? (
                <Button variant="plain" fontSize="xs" disabled={busy} onClick={() => void restore([change])}>
                  {t('history:restore')}
                </Button>
              ) : null}
            </HStack>
            <BeforeAfter entity={entity.name} change={change} />
          </Box>
        ))}
      </Box>
      {mayRestore ? (
        <HStack px="4" py="3" borderTopWidth="1px" gap="3">
          <Text flex="1" textStyle="secondary" color="fg.muted">
            {t('history:comesback')}
          </Text>
          <Button loading={busy} onClick={() => void restore(restorable)}>
            <RotateCcw size={15} aria-hidden="true" />
            {t('history:restoreall', { count: restorable.length })}
          </Button>
        </HStack>
      ) : null}
    </Box>
  )
}

const isRestorable = (entity: EntityDeclaration, change: Change): boolean => {
  const field = entity.fields[change.path.split('.')[0] ?? '']
  return field !== undefined && !field.readonly && !field.fixed
}

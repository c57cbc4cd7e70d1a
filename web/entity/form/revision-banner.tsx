import { Button, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { History, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { historyQuery, type Row } from '#web/entity/entity-query.ts'
import { longDayOf, minuteOf } from '#web/format/time.ts'

interface Props {
  readonly entity: EntityDeclaration
  readonly row: Row
  readonly revision: number
  onBack(): void
}

/** Over a form that shows an earlier moment: when it was, the way back, and bringing it all back. */
export const InkBand = ({ entity, row, revision, onBack }: Props) => {
  const { t } = useTranslation(['history', 'shell'])
  const { can } = useSession()
  const command = useEntityCommand(entity)
  const [busy, setBusy] = useState(false)
  const items = useQuery(historyQuery(entity.name, row.id)).data
  const item = items?.find(one => one.revision === revision)
  const restore = async () => {
    setBusy(true)
    const back = row.revision
    try {
      const undo = () => void command.restore(row, back).catch(command.failed)
      await command.restore(row, revision, undefined, {
        text: t('history:restoredall', { revision }),
        options: { action: { label: t('shell:undo'), run: undo } },
      })
      onBack()
    } catch (error) {
      command.failed(error)
      setBusy(false)
    }
  }
  return (
    <HStack
      role="status"
      bg="bg.inverted"
      color="fg.inverted"
      px={{ base: '3', md: '6' }}
      py="2"
      gap="3"
      flex="none"
      flexWrap="wrap"
    >
      <History size={16} aria-hidden="true" />
      <Text flex="1" textStyle="dense">
        {item
          ? t('history:band', { day: longDayOf(item.time), time: minuteOf(item.time), revision })
          : t('history:bandshort', { revision })}
      </Text>
      <Button size="xs" variant="ghost" color="inherit" _hover={{ bg: 'whiteAlpha.200' }} onClick={onBack}>
        {t('history:now')}
      </Button>
      {can(`update${entity.name}`) ? (
        <Button size="xs" loading={busy} onClick={() => void restore()}>
          <RotateCcw size={14} aria-hidden="true" />
          {t('history:restoreshown')}
        </Button>
      ) : null}
    </HStack>
  )
}

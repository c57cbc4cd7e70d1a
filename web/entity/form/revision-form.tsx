import { Button, HStack, type StackProps, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { History, type LucideIcon, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { type HistoryItem, historyQuery, type Row } from '#web/entity/entity-query.ts'
import { longDayOf, minuteOf } from '#web/format/time.ts'
import { EntityForm } from './entity-form.tsx'
import { useEntityForm } from './use-entity-form.ts'

interface Props {
  readonly entity: EntityDeclaration
  /** As it stood then. */
  readonly row: Row
  readonly chosen?: HistoryItem | undefined
  readonly hidden?: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** Fields that the past does not show: words of people. */
const wordFields = ({ fields }: EntityDeclaration): string[] =>
  Object.keys(fields).filter(name => fields[name]?.words === true)

/** A form that only shows an earlier moment. */
export const RevisionForm = ({ entity, row, chosen, hidden = NONE }: Props) => {
  const { form } = useEntityForm({ entity, row, fixed: {}, onCreated: () => {} })
  return (
    <EntityForm
      entity={entity}
      form={form}
      creating={false}
      readOnly
      dirty={[]}
      errors={[]}
      failure={undefined}
      refusals={0}
      conflicts={[]}
      onLeave={() => {}}
      meanwhile={{}}
      chosen={chosen}
      hidden={new Set([...hidden, ...wordFields(entity)])}
      onHistory={undefined}
    />
  )
}

interface PastBandProps extends StackProps {
  readonly icon: LucideIcon
  readonly text: string
}

/** Over a form of the past: what it shows, and the ways from there. */
export const PastBand = ({ icon: Icon, text, children, ...props }: PastBandProps) => (
  <HStack
    role="status"
    bg="bg.inverted"
    color="fg.inverted"
    px={{ base: '3', md: '6' }}
    py="2"
    gap="3"
    flexWrap="wrap"
    {...props}
  >
    <Icon size={16} aria-hidden="true" />
    <Text flex="1" textStyle="dense">
      {text}
    </Text>
    {children}
  </HStack>
)

interface RevisionBannerProps {
  readonly entity: EntityDeclaration
  readonly row: Row
  readonly revision: number
  onBack(): void
}

/** Over a form that shows an earlier moment: when it was, the way back, and bringing it all back. */
export const InkBand = ({ entity, row, revision, onBack }: RevisionBannerProps) => {
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
    <PastBand
      icon={History}
      text={
        item
          ? t('history:band', { day: longDayOf(item.time), time: minuteOf(item.time), revision })
          : t('history:bandshort', { revision })
      }
      flex="none"
    >
      <Button size="xs" variant="ghost" color="inherit" _hover={{ bg: 'whiteAlpha.200' }} onClick={onBack}>
        {t('history:now')}
      </Button>
      {can(`update${entity.name}`) ? (
        <Button size="xs" loading={busy} onClick={() => void restore()}>
          <RotateCcw size={14} aria-hidden="true" />
          {t('history:restoreshown')}
        </Button>
      ) : null}
    </PastBand>
  )
}

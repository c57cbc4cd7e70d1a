import { Button, HStack, Text } from '@chakra-ui/react'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityAction, EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { IconButton } from '#web/components/hint.tsx'
import { ActionDialog } from '#web/entity/action/action-dialog.tsx'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { numberText } from '#web/format/number.ts'
import type { BulkAction } from './bulk-action.ts'
import { BAR, ProcessBar } from './process-bar.tsx'
import type { ListPlace } from './use-list-state.ts'
import type { ProcessControl } from './use-process.ts'
import type { Selection } from './use-selection.ts'

interface Props {
  readonly place: ListPlace
  readonly actions: readonly BulkAction[]
  readonly selection: Selection
  readonly total: number
  /** The filter that selects "all". */
  readonly narrowing: Readonly<Record<string, string>>
  readonly control: ProcessControl
}

/** Confirmation before changes to several rows. */
const askedAction = (
  { actions, confirm }: EntityDeclaration,
  { action, isDeclared, isDanger }: BulkAction,
): EntityAction => {
  const declared = isDeclared ? actions[action] : undefined
  if (declared !== undefined) return { ...declared, confirm: declared.confirm ?? 'question' }
  const isTyped = action === 'remove' && confirm
  return { icon: '', on: [], confirm: isTyped ? 'typed' : 'question', ...(isDanger ? { danger: true } : {}) }
}

const Chosen = ({ place, actions, selection, total, narrowing, control }: Props) => {
  const { t } = useTranslation('list')
  const label = useLabel()
  const [asked, setAsked] = useState<BulkAction>()
  const { entity } = place
  const { count } = selection
  const verb = ({ id, isDeclared }: BulkAction) => (isDeclared ? label.action(entity.name, id) : t(`bulk.do.${id}`))
  const start = async (action: BulkAction, { confirm, ...input }: JsonObject) => {
    const target = selection.isAll ? { filter: narrowing } : { ids: selection.ids }
    await control.start(action.isDeclared ? { ...action, input } : action, target, confirm !== undefined)
    selection.clear()
  }
  return (
    <HStack {...BAR} aria-label={t('select.title')}>
      <Text role="status" textStyle="dense" fontWeight="semibold" fontVariantNumeric="tabular-nums">
        {t('select.count', { count, shown: numberText(count) })}
      </Text>
      {!selection.isAll && count < total ? (
        <Button variant="plain" onClick={selection.selectAll}>
          {t('select.all', { count: total, shown: numberText(total) })}
        </Button>
      ) : null}
      <HStack flex="1" justify={{ base: 'flex-start', md: 'flex-end' }} gap="2" flexWrap="wrap">
        {actions.map(action => (
          <Button
            key={action.id}
            h={{ base: '11', md: '8' }}
            {...(action.isDanger ? { color: 'danger.fg' } : {})}
            onClick={() => setAsked(action)}
          >
            <action.icon size={15} aria-hidden="true" />
            {verb(action)}
          </Button>
        ))}
        <IconButton icon={X} label={t('select.clear')} onClick={selection.clear} />
      </HStack>
      {asked === undefined ? null : (
        <ActionDialog
          action={askedAction(entity, asked)}
          title={t('bulk.title', {
            count,
            shown: numberText(count),
            action: verb(asked),
            kind: inSentence(count === 1 ? label.name(entity.name) : label.plural(entity.name)),
          })}
          text={t(asked.id === 'remove' ? 'bulk.removetext' : 'bulk.text')}
          verb={verb(asked)}
          texts={field => label.input(entity.name, asked.action, field)}
          onSubmit={body => start(asked, body)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </HStack>
  )
}

/** The selection and its actions; after a command, its progress. */
export const SelectionBar = (props: Props) => {
  const { place, selection, control } = props
  if (selection.count > 0) return <Chosen {...props} />
  return control.started === undefined ? null : <ProcessBar key={control.started.id} place={place} control={control} />
}

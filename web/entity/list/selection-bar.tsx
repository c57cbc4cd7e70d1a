import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityAction, EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { IconButton } from '#web/components/hint.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { ActionDialog } from '#web/entity/action/action-dialog.tsx'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { numberText } from '#web/format/number.ts'
import { RouterLink } from '#web/page/router-link.ts'
import type { ListPlace, Selection } from './use-list-state.ts'
import type { BulkAction, ProcessControl, ProcessState } from './use-process.ts'

/** A bar that stays at the bottom of a list. */
const BAR = {
  as: 'section',
  flex: 'none',
  minH: '52px',
  px: { base: '3', md: '6' },
  py: '2',
  gap: '3',
  bg: 'bg.surface',
  borderTopWidth: '1px',
  animation: 'slide-from-bottom 160ms, fade-in 160ms',
  flexWrap: 'wrap',
} as const

const Refused = ({ place, rows }: { readonly place: ListPlace; readonly rows: ProcessState['refused'] }) => {
  const { t } = useTranslation('list')
  return (
    <Box
      as="ul"
      listStyleType="none"
      maxH="min(240px, 40dvh)"
      overflowY="auto"
      w="100%"
      borderTopWidth="1px"
      pt="2"
      tabIndex={0}
      aria-label={t('bulk.refusedlist')}
    >
      {rows.map(({ id, message }) => (
        <HStack as="li" key={id} gap="3" py="1" fontSize="sm" align="baseline" flexWrap="wrap">
          <RouterLink to={place.formAt(id)} fontWeight="semibold" textDecoration="underline" borderRadius="xs">
            <ReferenceName to={place.entity.name} id={id} />
          </RouterLink>
          <Text as="span" color="fg.muted">
            {message}
          </Text>
        </HStack>
      ))}
    </Box>
  )
}

const useTitle = (entity: EntityDeclaration, { started }: ProcessControl) => {
  const { t } = useTranslation('list')
  const label = useLabel()
  if (started === undefined) return ''
  const { id, isDeclared } = started.action
  return isDeclared ? label.action(entity.name, id) : t(`bulk.do.${id}`)
}

/** Progress of a bulk command, then its result: refusals with reasons, and undo. */
const ProcessBar = ({ place, control }: { readonly place: ListPlace; readonly control: ProcessControl }) => {
  const { t } = useTranslation('list')
  const { t: ts } = useTranslation('shell')
  const { process, error } = control
  const [isUndoing, setUndoing] = useState(false)
  const [isListed, setListed] = useState(false)
  const title = useTitle(place.entity, control)
  const refused = process?.refusals ?? 0
  const isRunning = error === null && (process === undefined || process.state === 'running')
  const close = <IconButton icon={X} label={ts('close')} onClick={control.close} />
  if (isRunning) {
    const { done = 0, total = 0 } = process ?? {}
    return (
      <HStack {...BAR} aria-label={title}>
        <Text flex="none" textStyle="dense" fontWeight="semibold">
          {title}
        </Text>
        <ProgressBar label={title} percent={total === 0 ? 0 : (100 * done) / total} flex="1" minW="120px" />
        <Text flex="none" textStyle="dense" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('bulk.progress', { done: numberText(done), total: numberText(total) })}
        </Text>
      </HStack>
    )
  }
  const isFailed = error !== null || process?.state === 'failed'
  const succeeded = (process?.done ?? 0) - refused
  const Glyph = isFailed || refused > 0 ? CircleAlert : CircleCheck
  return (
    <HStack {...BAR} aria-label={title}>
      <Box color={isFailed ? 'danger.fg' : refused > 0 ? 'warning.fg' : 'positive.fg'} flex="none">
        <Glyph size={18} aria-hidden="true" />
      </Box>
      <Text role="status" flex="1" minW="160px" textStyle="dense">
        <b>{title}</b>
        {': '}
        {process === undefined ? t('bulk.lost') : t('bulk.done', { count: succeeded })}
        {process?.state === 'failed' ? ` ${t('bulk.failed')}` : ''}
        {refused > 0 ? ` ${t('bulk.refused', { count: refused })}` : ''}
      </Text>
      {refused > 0 ? (
        <Button aria-expanded={isListed} onClick={() => setListed(!isListed)}>
          {t(isListed ? 'bulk.hide' : 'bulk.show')}
        </Button>
      ) : null}
      {process?.undo ? (
        <Button
          loading={isUndoing}
          onClick={() => {
            setUndoing(true)
            void control.undo().finally(() => setUndoing(false))
          }}
        >
          {ts('undo')}
        </Button>
      ) : null}
      {close}
      {isListed && process !== undefined ? <Refused place={place} rows={process.refused} /> : null}
    </HStack>
  )
}

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

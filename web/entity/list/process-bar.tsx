import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useLabel } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { numberText } from '#web/format/number.ts'
import type { ListPlace } from './use-list-state.ts'
import type { ProcessControl, ProcessState } from './use-process.ts'

/** A bar that stays at the bottom of a list. */
export const BAR = {
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

const RouterLink = chakra(Link)

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

const ProgressLine = ({
  label,
  done,
  total,
}: {
  readonly label: string
  readonly done: number
  readonly total: number
}) => (
  <Box
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={total}
    aria-valuenow={done}
    flex="1"
    minW="120px"
    h="6px"
    borderRadius="full"
    bg="bg.sunken"
    overflow="hidden"
  >
    <Box h="100%" bg="accent.solid" style={{ width: `${total === 0 ? 0 : (100 * done) / total}%` }} />
  </Box>
)

const useTitle = (entity: EntityDeclaration, { started }: ProcessControl) => {
  const { t } = useTranslation('list')
  const label = useLabel()
  if (started === undefined) return ''
  const { id, isDeclared } = started.action
  return isDeclared ? label.action(entity.name, id) : t(`bulk.do.${id}`)
}

/** Progress of a bulk command, then its result: refusals with reasons, and undo. */
export const ProcessBar = ({ place, control }: { readonly place: ListPlace; readonly control: ProcessControl }) => {
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
        <ProgressLine label={title} done={done} total={total} />
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

import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { ChevronDown, ChevronRight, History, LockKeyhole } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { deviceName } from '#domain/people/device-name.ts'
import { isEntityName } from '#schemas/entities/registry.ts'
import { Chip } from '#web/components/chip.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { addressOf } from '#web/entity/address.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { useActor } from '#web/entity/person-query.ts'
import { BeforeAfter, ReferenceName, ValueText } from '#web/entity/value-text.tsx'
import { momentOf, secondOf } from '#web/format/time.ts'
import { type AuditLine, isFlowLine } from './audit-query.ts'
import { FlowChanges, FlowSummaryText } from './flow-changes.tsx'

const RouterLink = chakra(Link)
/** Time, who, action, on what, change, revision, replay. */
export const GRID = {
  base: '1fr auto',
  lg: '28px 78px minmax(150px,1fr) minmax(170px,1.2fr) minmax(180px,1.3fr) minmax(140px,1.2fr) 56px 84px',
}

interface Props {
  readonly line: AuditLine
  readonly open: boolean
  onToggle(): void
}

const momentAddress = ({ entity, entityid, revision }: AuditLine): string | undefined =>
  addressOf(entity, entityid, { at: revision })

const LEVEL_ACTIONS: ReadonlySet<string> = new Set(['levelchanged', 'transferred'])

/** From which level to which. */
const LevelChange = ({ change: { before, after } }: { readonly change: AuditLine['changes'][number] }) => (
  <>
    {typeof before === 'string' ? <ReferenceName to="hierarchy" id={before} /> : '–'} →{' '}
    {typeof after === 'string' ? <ReferenceName to="hierarchy" id={after} /> : '–'}
  </>
)

/** Address and browser of the request. */
const Origin = ({ origin }: Pick<AuditLine, 'origin'>) => {
  const { t } = useTranslation('shell')
  if (origin === null) return null
  const device = deviceName(origin.agent)
  return (
    <>
      <Text textStyle="dense" mt="1" title={origin.agent ?? ''}>
        {t('audit.origin')} <b>{[origin.address, device].filter(Boolean).join(' · ')}</b>
      </Text>
      {origin.name === undefined ? null : (
        <Text textStyle="dense">
          {t('audit.tried')} <b>{origin.name}</b>
        </Text>
      )}
    </>
  )
}

/** Bot or other entity that a change names, in a line without an entity. */
const referenceOf = (entity: string, { path, after }: AuditLine['changes'][number]) =>
  !isEntityName(entity) && isEntityName(path) && typeof after === 'string' ? { to: path, id: after } : undefined

/** Name of a changed field. */
const useFieldName = () => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (entity: string, change: AuditLine['changes'][number], isPath = false) => {
    const reference = referenceOf(entity, change)
    if (reference !== undefined) return label.name(reference.to)
    // Conversations and opted-out numbers are no declared entities.
    const fact = isEntityName(entity) ? '' : t(`audit.fact.${change.path}`, { defaultValue: '' })
    if (fact !== '') return fact
    return isPath ? label.path(entity, change.path) : label.field(entity, change.path)
  }
}

/** Name of what a line is about. */
const Subject = ({ line }: { readonly line: AuditLine }) => {
  const [reference] = line.changes.flatMap(change => referenceOf(line.entity, change) ?? [])
  const name = line.name ?? line.origin?.name
  if (name !== undefined) return name
  return reference === undefined ? '–' : <ReferenceName {...reference} />
}

const Summary = ({ line }: { line: AuditLine }) => {
  const { t } = useTranslation(['shell', 'history'])
  const label = useLabel()
  const fieldName = useFieldName()
  if (line.changes.some(change => change.secret)) {
    return (
      <Chip>
        <LockKeyhole size={12} aria-hidden="true" />
        {t('history:secret')}
      </Chip>
    )
  }
  if (isFlowLine(line))
    return (
      <Text as="span" textStyle="dense" color="fg.muted" lineClamp={2}>
        <FlowSummaryText line={line} />
      </Text>
    )
  const [only] = line.changes
  if (LEVEL_ACTIONS.has(line.action) && only !== undefined)
    return (
      <Text as="span" textStyle="dense" color="fg.muted" lineClamp={2}>
        <LevelChange change={only} />
      </Text>
    )
  if (line.action === 'moved' && only !== undefined)
    return (
      <Text as="span" textStyle="dense" color="fg.muted" lineClamp={2}>
        <ValueText entity={line.entity} path={only.path} value={only.before} /> →{' '}
        <ValueText entity={line.entity} path={only.path} value={only.after} />
      </Text>
    )
  const fields = [...new Set(line.changes.map(change => fieldName(line.entity, change)))]
  return (
    <Text as="span" textStyle="dense" color="fg.muted" lineClamp={2}>
      {fields.length > 0 ? fields.join(', ') : label.verb(line.entity, line.action)}
    </Text>
  )
}

/** A change with its words in the reader's language, in a line without a declared entity. */
const useTranslated = () => {
  const { t } = useTranslation('shell')
  return (entity: string, change: AuditLine['changes'][number]) => {
    const wordOf = (value: typeof change.before) =>
      typeof value === 'string' ? t(`audit.value.${change.path}.${value}`, { defaultValue: value }) : value
    return isEntityName(entity) ? change : { ...change, before: wordOf(change.before), after: wordOf(change.after) }
  }
}

/** Values of a change. */
const Values = ({ line, change }: { readonly line: AuditLine; readonly change: AuditLine['changes'][number] }) => {
  const translated = useTranslated()
  const reference = referenceOf(line.entity, change)
  if (reference !== undefined) return <ReferenceName {...reference} />
  return LEVEL_ACTIONS.has(line.action) ? (
    <LevelChange change={change} />
  ) : (
    <BeforeAfter entity={line.entity} change={translated(line.entity, change)} />
  )
}

const Opened = ({ line }: { line: AuditLine }) => {
  const { t } = useTranslation('shell')
  const fieldName = useFieldName()
  const actorOf = useActor()
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap="6" px={{ base: '3', lg: '10' }} py="4" bg="bg" borderTopWidth="1px">
      <Box minW="0">
        <Text textStyle="label" color="fg.muted" mb="2">
          {t('audit.changes')}
        </Text>
        {isFlowLine(line) ? (
          <FlowChanges line={line} />
        ) : line.changes.length === 0 ? (
          <Text textStyle="dense" color="fg.muted">
            –
          </Text>
        ) : (
          line.changes.map(change => (
            <Box key={change.path} mb="2.5">
              <Text textStyle="code" mb="1">
                {fieldName(line.entity, change, true)}
              </Text>
              <Values line={line} change={change} />
            </Box>
          ))
        )}
      </Box>
      <Box>
        <Text textStyle="label" color="fg.muted" mb="2">
          {t('audit.who')}
        </Text>
        <Text textStyle="dense">
          {nameOf(actorOf({ ...line, person: line.user }))} · {momentOf(line.time)}
        </Text>
        <Text textStyle="dense">
          {t('audit.groups')} <b>{line.groups.join(', ') || '–'}</b> · {t('audit.roles')}{' '}
          <b>{line.roles.join(', ') || '–'}</b>
        </Text>
        <Text textStyle="dense" color="fg.muted">
          {t('audit.hierarchy')} {line.hierarchy ? <ReferenceName to="hierarchy" id={line.hierarchy} /> : '–'}
        </Text>
        {line.token === undefined ? null : (
          <Text textStyle="dense" mt="1">
            {t('audit.token')} <b>{line.token.name ?? '–'}</b>
          </Text>
        )}
        <Origin origin={line.origin} />
        <Text textStyle="code" color="fg.subtle" mt="2" overflowWrap="anywhere">
          {line.entity} {line.entityid}
        </Text>
      </Box>
    </SimpleGrid>
  )
}

/** Opens and closes a line; all of the line is its target. */
const Toggle = ({ line, open, onToggle }: Props) => {
  const { t } = useTranslation('shell')
  return (
    <chakra.button
      type="button"
      aria-expanded={open}
      aria-label={t('audit.open', { name: line.name ?? line.entity, time: momentOf(line.time) })}
      onClick={onToggle}
      color="fg.muted"
      cursor="pointer"
      position={{ base: 'absolute', lg: 'static' }}
      inset="0"
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
      <chakra.span hideBelow="lg">{open ? <ChevronDown size={15} /> : <ChevronRight size={15} />}</chakra.span>
    </chakra.button>
  )
}

/** One line of the audit: opens to before and after. */
export const AuditRow = ({ line, open, onToggle }: Props) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const to = momentAddress(line)
  const actor = useActor()({ ...line, person: line.user })
  return (
    <Box as="li" borderTopWidth="1px" bg={open ? 'bg.subtle' : 'transparent'}>
      <chakra.div
        display="grid"
        gridTemplateColumns={GRID}
        alignItems="center"
        columnGap="3"
        px={{ base: '3', lg: '2' }}
        minH="50px"
        py="1.5"
        position="relative"
        _hover={{ bg: 'bg.subtle' }}
      >
        <Toggle line={line} open={open} onToggle={onToggle} />
        <chakra.time fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums" hideBelow="lg">
          {secondOf(line.time)}
        </chakra.time>
        <HStack gap="2" minW="0">
          <PersonAvatar person={actor} size={24} />
          <Text fontSize="sm" fontWeight="semibold" truncate>
            {nameOf(actor)}
          </Text>
        </HStack>
        <Text textStyle="code" truncate hideBelow="lg" title={line.service}>
          {line.entity}.{line.action}
        </Text>
        <Box minW="0" gridColumn={{ base: '1', lg: 'auto' }}>
          <Text fontSize="sm" fontWeight="semibold" truncate>
            <Subject line={line} />
          </Text>
          <Text textStyle="secondary" color="fg.muted" truncate>
            {inSentence(t(`audit.kind.${line.entity}`, { defaultValue: label.name(line.entity) }))} ·{' '}
            {label.verb(line.entity, line.action)}
            <chakra.span hideFrom="lg"> · {secondOf(line.time)}</chakra.span>
          </Text>
        </Box>
        <Box hideBelow="lg" minW="0">
          <Summary line={line} />
        </Box>
        <Text textStyle="secondary" color="fg.muted" hideBelow="lg">
          r{line.revision}
        </Text>
        <Box
          position="relative"
          textAlign="end"
          gridRow={{ base: '1 / span 2', lg: 'auto' }}
          gridColumn={{ base: '2', lg: 'auto' }}
        >
          {to === undefined ? null : (
            <RouterLink
              to={to}
              aria-label={`${t('audit.replay')}: ${line.name ?? ''}`}
              display="inline-flex"
              alignItems="center"
              gap="1.5"
              h={{ base: '11', md: '7' }}
              px="2"
              borderRadius="md"
              borderWidth={open ? '1px' : '0'}
              bg={open ? 'bg.surface' : 'transparent'}
              fontSize="xs"
              fontWeight="semibold"
              color="fg.muted"
              _hover={{ color: 'fg', bg: 'bg.surface' }}
              focusVisibleRing="outside"
            >
              <History size={14} aria-hidden="true" />
              {open ? t('audit.replay') : null}
            </RouterLink>
          )}
        </Box>
      </chakra.div>
      {open ? <Opened line={line} /> : null}
    </Box>
  )
}

import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight, History, LockKeyhole } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ValueChange } from '#domain/flow/diff/diff-flows.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { deviceName } from '#domain/people/device-name.ts'
import { ENTITIES, isEntityName } from '#schemas/entities/registry.ts'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { addressOf } from '#web/entity/address.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { useActor } from '#web/entity/person-query.ts'
import { BeforeAfter, BeforeAfterBoxes, ReferenceName, ValueText } from '#web/entity/value-text.tsx'
import { type FieldDetail, fieldLabel, fieldRows, valueWords } from '#web/features/designer/index.ts'
import { momentOf, secondOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { coveringLink } from '#web/theme/highlight.ts'
import {
  type AuditLine,
  blocksOf,
  flowCounts,
  isFlowLine,
  isPositionOnlyChange,
  type TouchedBlock,
  type TouchKind,
} from './audit-query.ts'

/** Blocks named one by one; the rest is counted. */
const MAX_NAMED = 50

const COLORS = { added: 'diff.added.fg', changed: 'diff.changed.fg', removed: 'diff.removed.fg' } as const

const useWords = () => {
  const { t } = useTranslation(['block', 'designer'])
  return (key: string, values?: Readonly<Record<string, unknown>>): string => String(t(key, { ...values }))
}

const useBlockName = () => {
  const words = useWords()
  return ({ title, type }: TouchedBlock): string => {
    const typeName = words(`block:type.${type}`, { defaultValue: type })
    return title === '' || isMachineTitle(title, type) ? typeName : `${title} · ${typeName}`
  }
}

/** The values of changed blocks; undefined while they are read, null for who may not read them. */
const useValues = (line: AuditLine): ReadonlyMap<string, readonly ValueChange[]> | null | undefined => {
  const { entity, entityid, revision, since = revision - 1 } = line
  const isWanted = blocksOf(line, 'changed').some(block => !isPositionOnlyChange(block))
  const query = useQuery({
    queryKey: ['flow', entity, entityid, 'difference', since, revision],
    queryFn: () =>
      http.get('/{kind}/{id}/flow/diff', {
        params: { kind: entity, id: entityid },
        query: { from: since, to: revision },
      }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (query.isError) return null
  return (
    query.data && new Map(query.data.nodes.changed.map(({ id, changes }) => [id, changes as readonly ValueChange[]]))
  )
}

const Detail = ({ type, detail }: { readonly type: string; readonly detail: FieldDetail }) => {
  const { t } = useTranslation('history')
  const words = useWords()
  const { before, after } = valueWords(type, detail, words, t)
  const empty = <chakra.em color="fg.subtle">{t('empty')}</chakra.em>
  return (
    <Box mt="1.5">
      <Text textStyle="secondary" color="fg.muted" mb="0.5">
        {fieldLabel(type, detail, words, t)}
      </Text>
      <BeforeAfterBoxes before={before === '' ? empty : before} after={after === '' ? empty : after} />
    </Box>
  )
}

interface BlockProps {
  readonly block: TouchedBlock
  readonly kind: TouchKind
  readonly changes: readonly ValueChange[]
}

const BlockLine = ({ block, kind, changes }: BlockProps) => {
  const nameOf = useBlockName()
  const details = fieldRows(
    changes.filter(({ path }) => path !== 'pos'),
    block.type,
  ).flatMap(row => row.details)
  return (
    <Box as="li" mb="2">
      <Text textStyle="dense">
        <chakra.span aria-hidden="true" color={COLORS[kind]} fontWeight="bold">
          {{ added: '+', changed: '△', removed: '−' }[kind]}
        </chakra.span>{' '}
        {nameOf(block)}
      </Text>
      {details.map(detail => (
        <Detail key={`${detail.names.join('.')} ${detail.places.join('.')}`} type={block.type} detail={detail} />
      ))}
    </Box>
  )
}

/** Changes of a flow in one sentence. */
const FlowSummaryText = ({ line }: { readonly line: AuditLine }) => {
  const { t } = useTranslation('shell')
  const words = flowCounts(line).map(({ key, count }) => t(`audit.flow.${key}`, { count }))
  if (line.changes.some(({ path }) => path === 'js')) words.push(t('audit.flow.script'))
  return <>{words.join(', ') || '–'}</>
}

/** Changes of a flow: each block by name, each changed field before and after. */
const FlowChanges = ({ line }: { readonly line: AuditLine }) => {
  const { t } = useTranslation(['shell', 'history', 'block', 'designer'])
  const values = useValues(line)
  const kinds: readonly TouchKind[] = ['changed', 'added', 'removed']
  return (
    <>
      <Text textStyle="dense" mb="2">
        <FlowSummaryText line={line} />
      </Text>
      {values === null ? (
        <Text textStyle="secondary" color="fg.muted" mb="2">
          {t('audit.flow.unread')}
        </Text>
      ) : null}
      <Box as="ul" listStyleType="none">
        {kinds.flatMap(kind =>
          blocksOf(line, kind)
            .filter(block => !isPositionOnlyChange(block))
            .slice(0, MAX_NAMED)
            .map(block => (
              <BlockLine key={`${kind} ${block.id}`} block={block} kind={kind} changes={values?.get(block.id) ?? []} />
            )),
        )}
      </Box>
    </>
  )
}

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

/** A line about values that left is no revision of the thing. */
const momentAddress = ({ entity, entityid, revision, action }: AuditLine): string | undefined =>
  entityid === '' || action === 'personalsent' ? undefined : addressOf(entity, entityid, { at: revision })

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
    // Conversations and opted-out numbers are no declared entities; counts and reasons are no fields.
    const isField = isEntityName(entity) && change.path in ENTITIES[entity].fields
    const fact = isField ? '' : t(`audit.fact.${change.path}`, { defaultValue: '' })
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
    return <Chip icon={LockKeyhole}>{t('history:secret')}</Chip>
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
      {...coveringLink('-2px')}
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

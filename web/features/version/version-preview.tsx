import { Box, Button, chakra, Field, HStack, Input, SimpleGrid, Skeleton, Text } from '@chakra-ui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Check, Download, Lock, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { version } from '#schemas/entities/version.ts'
import type { RowOf } from '#schemas/row.ts'
import { fileUrl, http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { isConfirmed } from '#web/components/modal.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { useLabel } from '#web/entity/label.ts'
import { untestedPrompt } from '#web/entity/untested.ts'
import { momentOf } from '#web/format/time.ts'

type VersionPreview = AnswerOf<'GET /version/{id}/preview'>
type PreviewedThing = VersionPreview['things'][number]
type Summary = NonNullable<PreviewedThing['summary']>
type PreviewedFlow = PreviewedThing & { readonly summary: Summary }

const isFlow = (thing: PreviewedThing): thing is PreviewedFlow => thing.summary !== undefined

const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['version', 'preview', id],
    queryFn: () => http.get('/version/{id}/preview', { params: { id } }),
    staleTime: 0,
  })

const countOf = ({ summary }: PreviewedFlow, part: keyof Summary): number => summary[part].length

/** Sign and colours of what happens to a thing, so that colour is never alone. */
const LOOKS = {
  added: { sign: '+', tone: 'positive', palette: 'diff.added' },
  changed: { sign: '△', tone: 'warning', palette: 'diff.changed' },
  removed: { sign: '−', tone: 'danger', palette: 'diff.removed' },
} as const
const PARTS = ['added', 'changed', 'removed'] as const

const FlowLine = ({ flow, most }: { flow: PreviewedFlow; most: number }) => {
  const { t } = useTranslation('shell')
  const look = LOOKS[flow.state]
  return (
    <chakra.tr css={{ '&:not(:last-child) > td': { borderBottomWidth: '1px' } }}>
      <chakra.td px="4" h="40px" fontSize="sm" fontWeight="semibold">
        {flow.name}
      </chakra.td>
      <chakra.td px="3">
        <HStack gap="1" py="1" flexWrap="wrap">
          <Chip tone={look.tone}>
            {look.sign} {t(`version.state.${flow.state}`)}
          </Chip>
          {flow.publishes === true ? <Chip tone="accent">{t('version.publishes')}</Chip> : null}
        </HStack>
      </chakra.td>
      <chakra.td px="3" fontSize="sm" whiteSpace="nowrap">
        <HStack gap="2.5" fontWeight="semibold">
          {PARTS.map(part =>
            countOf(flow, part) > 0 ? (
              <Text as="span" key={part} color={`${LOOKS[part].palette}.fg`}>
                {LOOKS[part].sign}
                {countOf(flow, part)}
              </Text>
            ) : null,
          )}
        </HStack>
      </chakra.td>
      <chakra.td px="3" w="30%">
        <HStack gap="1px" h="8px" borderRadius="2px" overflow="hidden" aria-hidden="true">
          {PARTS.map(part => (
            <Box
              key={part}
              h="100%"
              bg={`${LOOKS[part].palette}.solid`}
              {...(part === 'changed'
                ? {
                    backgroundImage:
                      'repeating-linear-gradient(135deg, {colors.diff.changed.solid} 0 4px, {colors.diff.changed.emphasized} 4px 8px)',
                  }
                : {})}
              style={{ width: `${(countOf(flow, part) / most) * 100}%` }}
            />
          ))}
        </HStack>
      </chakra.td>
    </chakra.tr>
  )
}

const TableHead = ({ columns, border }: { readonly columns: readonly string[]; readonly border: '0' | '1px' }) => {
  const { t } = useTranslation('shell')
  const look = { scope: 'col', h: '34px', textAlign: 'start', textStyle: 'label', color: 'fg.muted' } as const
  return (
    <chakra.thead bg="bg">
      <tr>
        {columns.map((key, at) => (
          <chakra.th key={key} {...look} px={at === 0 ? '4' : '3'} borderBottomWidth={border}>
            {t(`version.column.${key}`)}
          </chakra.th>
        ))}
      </tr>
    </chakra.thead>
  )
}

/** Flows that change, and by how much. */
const FlowTable = ({ flows }: { readonly flows: readonly PreviewedFlow[] }) => {
  const { t } = useTranslation('shell')
  const most = Math.max(1, ...flows.map(flow => PARTS.reduce((sum, part) => sum + countOf(flow, part), 0)))
  return (
    <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" overflowX="auto" mb="4">
      <chakra.table w="100%" borderCollapse="separate" borderSpacing="0">
        <TableHead columns={['flow', 'happens', 'blocks', 'size']} border="1px" />
        <tbody>
          {flows.map(flow => (
            <FlowLine key={`${flow.entity}-${flow.id}`} flow={flow} most={most} />
          ))}
          {flows.length === 0 ? (
            <tr>
              <chakra.td colSpan={4} px="4" h="44px" fontSize="sm" color="fg.muted">
                {t('version.nodifference')}
              </chakra.td>
            </tr>
          ) : null}
        </tbody>
      </chakra.table>
    </Box>
  )
}

/** Rows of one kind to show until the list is expanded. */
const MAX_ROWS = 8

const ThingLine = ({ thing }: { readonly thing: PreviewedThing }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const look = LOOKS[thing.state]
  const fields = thing.changes.map(({ path }) => label.field(thing.entity, path))
  return (
    <chakra.tr css={{ '& > td': { borderTopWidth: '1px' } }}>
      <chakra.td px="4" py="2" fontSize="sm" fontWeight="semibold" overflowWrap="anywhere">
        {thing.name === '' ? label.name(thing.entity) : thing.name}
        {thing.within.length > 0 ? (
          <Text as="span" color="fg.muted" fontWeight="normal" ms="2">
            {thing.within.join(' › ')}
          </Text>
        ) : null}
      </chakra.td>
      <chakra.td px="3" py="2">
        <Chip tone={look.tone}>
          {look.sign} {t(`version.thing.${thing.state}`)}
        </Chip>
      </chakra.td>
      <chakra.td px="3" py="2" fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        {fields.join(', ')}
      </chakra.td>
    </chakra.tr>
  )
}

const Kind = ({ entity, things }: { readonly entity: string; readonly things: readonly PreviewedThing[] }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? things : things.slice(0, MAX_ROWS)
  return (
    <tbody>
      <tr>
        <chakra.th
          scope="rowgroup"
          colSpan={3}
          px="4"
          h="34px"
          textAlign="start"
          textStyle="label"
          bg="bg"
          borderTopWidth="1px"
        >
          <HStack gap="2">
            <span>{label.plural(entity)}</span>
            <Text as="span" color="fg.muted" fontWeight="normal">
              {things.length}
            </Text>
          </HStack>
        </chakra.th>
      </tr>
      {shown.map((thing, index) => (
        <ThingLine key={`${thing.id ?? index}-${thing.state}`} thing={thing} />
      ))}
      {shown.length < things.length ? (
        <tr>
          <chakra.td colSpan={3} px="4" py="2" borderTopWidth="1px">
            <Button size="sm" variant="ghost" onClick={() => setWhole(true)}>
              {t('version.showall', { count: things.length })}
            </Button>
          </chakra.td>
        </tr>
      ) : null}
    </tbody>
  )
}

/** Everything but the drawings that comes, changes or goes, by kind. */
const EntityChangesTable = ({ things }: { readonly things: readonly PreviewedThing[] }) => {
  if (things.length === 0) return null
  return (
    <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" overflowX="auto" mb="4">
      <chakra.table w="100%" borderCollapse="separate" borderSpacing="0">
        <TableHead columns={['thing', 'happens', 'fields']} border="0" />
        {[...Map.groupBy(things, ({ entity }) => entity)].map(([entity, group]) => (
          <Kind key={entity} entity={entity} things={group} />
        ))}
      </chakra.table>
    </Box>
  )
}

type Staying = VersionPreview['stays'][number]

const Line = ({ thing, isNew }: { readonly thing: Staying; readonly isNew: boolean }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (
    <chakra.li display="flex" flexWrap="wrap" alignItems="baseline" gap="2" py="1" fontSize="sm">
      <Text as="span" fontWeight="semibold" overflowWrap="anywhere">
        {thing.name === '' ? label.name(thing.entity) : thing.name}
      </Text>
      <Text as="span" color="fg.muted">
        {label.name(thing.entity)}
      </Text>
      <Text as="span" color="fg.muted" overflowWrap="anywhere">
        {thing.fields.map(field => label.field(thing.entity, field)).join(', ')}
      </Text>
      {isNew ? <Chip tone="warning">{t('version.environment.new')}</Chip> : null}
    </chakra.li>
  )
}

/** Fields that a version of another bot does not change, and those of new things that people have to fill in. */
const StayingFields = ({ preview: { stays, things } }: { readonly preview: VersionPreview }) => {
  const { t } = useTranslation('shell')
  if (stays.length === 0) return null
  const added = new Set(things.flatMap(({ entity, id, state }) => (state === 'added' ? [`${entity} ${id}`] : [])))
  return (
    <Box
      as="section"
      aria-label={t('version.environment.title')}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      p="4"
      mb="4"
    >
      <HStack gap="2.5" mb="1">
        <Lock size={16} aria-hidden="true" />
        <Text as="h3" textStyle="card">
          {t('version.environment.title')}
        </Text>
      </HStack>
      <Text textStyle="dense" color="fg.muted" mb="2">
        {t('version.environment.text')}
      </Text>
      <chakra.ul listStyleType="none">
        {stays.map((thing, index) => (
          <Line
            key={`${thing.entity}-${thing.id ?? index}`}
            thing={thing}
            isNew={added.has(`${thing.entity} ${thing.id}`)}
          />
        ))}
      </chakra.ul>
    </Box>
  )
}

const Count = ({ part, count }: { part: (typeof PARTS)[number] | 'settings'; count: number }) => {
  const { t } = useTranslation('shell')
  const look = LOOKS[part === 'settings' ? 'changed' : part]
  return (
    <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" px="4" py="3">
      <Text
        fontSize="2xl"
        lineHeight="30px"
        fontWeight="semibold"
        color={count === 0 ? 'fg.subtle' : `${look.palette}.fg`}
      >
        {look.sign} {count}
      </Text>
      <Text textStyle="secondary" color="fg.muted">
        {t(`version.count.${part}`, { count })}
      </Text>
    </Box>
  )
}

const Unchanged = () => {
  const { t } = useTranslation('shell')
  return (
    <Box p="4" borderTopWidth="1px">
      <Text textStyle="label" color="fg.muted" mb="2">
        {t('version.stays')}
      </Text>
      {['conversations', 'secrets', 'offline', 'state'].map(key => (
        <HStack key={key} gap="2.5" textStyle="dense" color="fg.muted" py="0.5">
          <Check size={15} aria-hidden="true" />
          {t(`version.stay.${key}`)}
        </HStack>
      ))}
    </Box>
  )
}

/** Applies a version; asks first if tests block it. */
const useApply = (row: RowOf<'version'>, onDone: () => void) => {
  const { t } = useTranslation('shell')
  const command = useEntityCommand(version)
  const [busy, setBusy] = useState(false)
  const apply = async () => {
    setBusy(true)
    const confirm = 'CONFIRM' as const
    try {
      await command.perform(row, 'apply', { confirm })
    } catch (error) {
      const goOn = async (reason: string) => void (await command.perform(row, 'publishuntested', { confirm, reason }))
      await untestedPrompt
        .ask(error, { entity: 'version', name: row.name, what: 'apply', goOn })
        .catch(refusal => command.failed(refusal, t('version.notapplied')))
    }
    setBusy(false)
    onDone()
  }
  return { apply, busy }
}

const Apply = ({ row, bot, ready }: { row: RowOf<'version'>; bot: string; ready: boolean }) => {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  const word = t('confirm.word')
  const confirmed = ready && isConfirmed(typed, word)
  const { apply, busy } = useApply(row, () => setTyped(''))
  return (
    <Box as="section" aria-label={t('version.apply')} bg="bg.surface" borderWidth="1px" borderRadius="lg">
      <Box p="4">
        <HStack gap="2.5" mb="2">
          <TriangleAlert size={18} aria-hidden="true" />
          <Text as="h3" textStyle="card">
            {t('version.replaces', { name: bot })}
          </Text>
        </HStack>
        <Text textStyle="dense" color="fg.muted" mb="3">
          {t('version.replacestext')}
        </Text>
        <form
          onSubmit={event => {
            event.preventDefault()
            if (confirmed && !busy) void apply()
          }}
        >
          <HStack align="flex-end" gap="3" flexWrap="wrap">
            <Field.Root flex="1" minW="180px" maxW="280px">
              <Field.Label>{t('confirm.type', { word })}</Field.Label>
              <Input
                fontFamily="mono"
                autoComplete="off"
                spellCheck={false}
                value={typed}
                onChange={event => setTyped(event.target.value)}
              />
            </Field.Root>
            <Button type="submit" variant="solid" colorPalette="danger" disabled={!confirmed} loading={busy}>
              {t('version.apply')}
            </Button>
          </HStack>
        </form>
      </Box>
      <Unchanged />
    </Box>
  )
}

/** Preview of a version: added, changed and removed items, with an apply button. */
export const VersionPreviewPane = ({ row, bot }: { readonly row: RowOf<'version'>; readonly bot: string }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const query = useQuery(previewQuery(row.id))
  const flows = (query.data?.things ?? []).filter(isFlow)
  const things = (query.data?.things ?? []).filter(thing => thing.changes.length > 0 || !isFlow(thing))
  const name = row.name
  return (
    <Box p={{ base: '3', md: '6' }} minW="0">
      <HStack mb="4" gap="3" flexWrap="wrap">
        <Box flex="1" minW="200px">
          <Text as="h2" textStyle="page">
            {t('version.if', { name })}
          </Text>
          <Text textStyle="dense" color="fg.muted">
            {row.description ? row.description : t('version.compared', { time: momentOf(row.created_at) })}
          </Text>
        </Box>
        <Button asChild>
          <a href={fileUrl('/version/{id}/download', { params: { id: row.id } })} download>
            <Download size={15} aria-hidden="true" />
            {t('version.download')}
          </a>
        </Button>
      </HStack>
      {query.error && query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <SimpleGrid columns={{ base: 2, lg: 4 }} gap="3" mb="4">
            {PARTS.map(part => (
              <Count key={part} part={part} count={flows.filter(flow => flow.state === part).length} />
            ))}
            <Count part="settings" count={things.length} />
          </SimpleGrid>
          {query.data === undefined ? (
            <Skeleton h="180px" borderRadius="lg" mb="4" />
          ) : (
            <>
              <FlowTable flows={flows} />
              <EntityChangesTable things={things} />
              <StayingFields preview={query.data} />
            </>
          )}
        </>
      )}
      {can('applyversion') ? <Apply key={row.id} row={row} bot={bot} ready={query.data !== undefined} /> : null}
    </Box>
  )
}

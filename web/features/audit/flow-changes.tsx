import { Box, chakra, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ValueChange } from '#domain/flow/diff/diff-flows.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { http } from '#web/api/http.ts'
import { BeforeAfterBoxes } from '#web/entity/value-text.tsx'
import { type FieldDetail, fieldLabel, fieldRows, valueWords } from '#web/features/designer/index.ts'
import {
  type AuditLine,
  blocksOf,
  flowCounts,
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
  const details = fieldRows(changes.filter(({ path }) => path !== 'pos')).flatMap(row => row.details)
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
export const FlowSummaryText = ({ line }: { readonly line: AuditLine }) => {
  const { t } = useTranslation('shell')
  const words = flowCounts(line).map(({ key, count }) => t(`audit.flow.${key}`, { count }))
  if (line.changes.some(({ path }) => path === 'js')) words.push(t('audit.flow.script'))
  return <>{words.join(', ') || '–'}</>
}

/** Changes of a flow: each block by name, each changed field before and after. */
export const FlowChanges = ({ line }: { readonly line: AuditLine }) => {
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

import { Box, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { MessageCircleQuestionMark } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { notice } from '#web/notice/notice.ts'
import { type UnrecognizedLine, unrecognizedQuery } from './unrecognized-query.ts'
import { UnrecognizedRow } from './unrecognized-row.tsx'

const ORDERS = ['newest', 'often'] as const
type Order = (typeof ORDERS)[number]

/** The server lists the newest first. */
const inOrder = (lines: readonly UnrecognizedLine[], order: Order): readonly UnrecognizedLine[] =>
  order === 'newest' ? lines : lines.toSorted((one, other) => other.count - one.count)

const useTellAdded = () => {
  const { t } = useTranslation(['unrecognized', 'shell'])
  return ({ text }: UnrecognizedLine, intent: string, undo: () => Promise<void>) => {
    const run = () => void undo().catch(error => notice.toast(failureOf(error, t('notundone')), { tone: 'danger' }))
    notice.snack(t('added', { text, intent }), { tone: 'positive', action: { label: t('shell:undo'), run } })
  }
}

interface LinesProps {
  readonly project: string
  readonly lines: readonly UnrecognizedLine[]
}

const Lines = ({ project, lines }: LinesProps) => {
  const { t } = useTranslation('unrecognized')
  const heading = useRef<HTMLHeadingElement>(null)
  const tellAdded = useTellAdded()
  const [order, setOrder] = useState<Order>('newest')
  const [state, setState] = useState({ page: 1, size: 25 })
  const page = Math.min(state.page, Math.max(1, Math.ceil(lines.length / state.size)))
  const shown = inOrder(lines, order).slice((page - 1) * state.size, page * state.size)
  return (
    <>
      <Box as="section" aria-label={t('title')} borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
        <HStack px="4" py="2.5" gap="2" flexWrap="wrap" justify="space-between">
          <Text as="h2" ref={heading} tabIndex={-1} textStyle="card" focusVisibleRing="outside">
            {t('title')}
          </Text>
          <Segments<Order>
            label={t('sort')}
            value={order}
            options={ORDERS.map(value => ({ value, label: t(value) }))}
            onChange={setOrder}
          />
        </HStack>
        <Box as="ul" listStyleType="none">
          {shown.map(line => (
            <UnrecognizedRow
              key={line.text}
              project={project}
              line={line}
              onAdded={(...added) => {
                tellAdded(...added)
                // The row goes, and the keyboard's focus would go with it.
                heading.current?.focus()
              }}
            />
          ))}
        </Box>
        <Text textStyle="secondary" color="fg.muted" px="4" py="2" borderTopWidth="1px">
          {t('help')}
        </Text>
      </Box>
      {lines.length > 25 ? (
        <Pagination
          state={{ page, size: state.size }}
          total={lines.length}
          onChange={change => setState(before => ({ ...before, page, ...change }))}
        />
      ) : null}
    </>
  )
}

/** What people said to a project's bots that nobody understood, to label from. */
export const UnrecognizedList = ({ project }: { readonly project: string }) => {
  const { t } = useTranslation('unrecognized')
  const { data, error, refetch } = useQuery(unrecognizedQuery(project))
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton rows={6} />
  if (data.items.length === 0)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <EmptyState icon={MessageCircleQuestionMark} title={t('empty')} text={t('emptytext')} />
      </Box>
    )
  return (
    <>
      <Lines project={project} lines={data.items} />
      {data.more ? (
        <Text mt="2" textStyle="secondary" color="fg.muted">
          {t('more')}
        </Text>
      ) : null}
    </>
  )
}

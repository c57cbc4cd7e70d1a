import { Button, chakra, HStack, Link, Text } from '@chakra-ui/react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { isRemovedWith } from '#domain/entity.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import { ENTITIES_IN_FLOWS } from '#schemas/flow/summary.ts'
import { textOf } from '#schemas/json.ts'
import { isProblem, type LocalizedFieldProblem, type Problem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { addressOf } from './address.ts'
import { inSentence, useLabel } from './label.ts'

type UsedBy = AnswerOf<'GET /{entity}/{id}/usedby'>
type Use = UsedBy['items'][number]

const PAGE_SIZE = 50

const pointsAt = (holder: EntityDeclaration, entity: string): boolean =>
  Object.entries(holder.fields).some(([name, { to }]) => to === entity && name !== parentField(holder))

/** Whether a field or block can reference rows of an entity or their contents. */
const isReferable = (entity: string): boolean =>
  ENTITIES_IN_FLOWS.has(entity) ||
  Object.values<EntityDeclaration>(ENTITIES).some(
    other => pointsAt(other, entity) || (parentField(other) === entity && isReferable(other.name)),
  )

const useUses = (entity: string, id: string) =>
  useInfiniteQuery({
    queryKey: [entity, 'usedby', id],
    queryFn: ({ pageParam, signal }) =>
      http.get('/{entity}/{id}/usedby', {
        params: { entity, id },
        query: { page: pageParam, size: PAGE_SIZE },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_SIZE < last.total ? pages.length + 1 : undefined),
    enabled: isReferable(entity),
  })

const UseLine = ({ use }: { readonly use: Use }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const address = addressOf(use.entity, use.id, { block: use.flow?.block })
  const where = use.flow === undefined ? label.field(use.entity, use.field) : t('usedby.inblock')
  return (
    <chakra.li display="flex" flexWrap="wrap" columnGap="2" alignItems="baseline" py="1" fontSize="sm">
      {address === undefined ? (
        <span>{use.title}</span>
      ) : (
        <Link asChild overflowWrap="anywhere">
          <RouterLink to={address}>{use.title}</RouterLink>
        </Link>
      )}
      <Text as="span" textStyle="secondary" color="fg.muted">
        {where}
      </Text>
    </chakra.li>
  )
}

const Kinds = ({ uses, kinds }: { readonly uses: readonly Use[]; readonly kinds: UsedBy['kinds'] }) => {
  const label = useLabel()
  return kinds.map(({ entity, total }) => {
    const items = uses.filter(use => use.entity === entity)
    if (items.length === 0) return null
    return (
      <chakra.div key={entity} mt="3">
        <Text as="h3" textStyle="secondary" fontWeight="semibold" color="fg.muted">
          {label.plural(entity)} · {total}
        </Text>
        <chakra.ul ps="0" listStyleType="none">
          {items.map(use => (
            <UseLine key={`${use.id} ${use.flow?.block ?? ''} ${use.field}`} use={use} />
          ))}
        </chakra.ul>
      </chakra.div>
    )
  })
}

/** References to a row and its contents, by kind; absent if nothing can reference it. */
export const UsedBySection = ({ entity, id }: { readonly entity: string; readonly id: string }) => {
  const { t } = useTranslation('shell')
  const query = useUses(entity, id)
  const [first] = query.data?.pages ?? []
  if (first === undefined) return null
  const { total, hidden, kinds } = first
  const uses = query.data?.pages.flatMap(page => page.items) ?? []
  return (
    <chakra.section aria-labelledby={`usedby-${id}`} maxW="960px" pt="5" pb="6" borderTopWidth="1px">
      <HStack gap="2" align="baseline">
        <Text as="h2" id={`usedby-${id}`} textStyle="card">
          {t('usedby.title')}
        </Text>
        <Text as="span" textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
          {total + hidden}
        </Text>
      </HStack>
      {total + hidden === 0 ? (
        <Text textStyle="secondary" color="fg.muted">
          {t('usedby.none')}
        </Text>
      ) : null}
      <Kinds uses={uses} kinds={kinds} />
      {query.hasNextPage ? (
        <Button mt="2" size="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('usedby.more')}
        </Button>
      ) : null}
      {hidden === 0 ? null : (
        <Text mt="2" textStyle="secondary" color="fg.muted">
          {t('usedhidden', { count: hidden })}
        </Text>
      )}
    </chakra.section>
  )
}

const BlockingUse = ({ params = {} }: LocalizedFieldProblem) => {
  const label = useLabel()
  const entity = textOf(params.entity)
  const address = addressOf(entity, textOf(params.id), { block: textOf(params.block) })
  const name = `${label.name(entity)} ${textOf(params.title)}`
  if (address === undefined) return <li>{name}</li>
  return (
    <li>
      <Link asChild>
        <RouterLink to={address}>{name}</RouterLink>
      </Link>
    </li>
  )
}

const UsedByList = ({ problem }: { readonly problem: Problem }) => {
  const { t } = useTranslation('shell')
  const hidden = typeof problem.params.hidden === 'number' ? problem.params.hidden : 0
  const users = new Map(
    problem.errors.map(error => [`${textOf(error.params?.entity)} ${textOf(error.params?.id)}`, error]),
  )
  return (
    <>
      <chakra.ul ps="0" fontSize="sm" maxH="40" overflowY="auto">
        {[...users].map(([key, error]) => (
          <BlockingUse key={key} {...error} />
        ))}
      </chakra.ul>
      {hidden === 0 ? null : <Text>{t('usedhidden', { count: hidden })}</Text>}
    </>
  )
}

/** Entities that still use the row and block its removal, each with a link. */
export const usedByList = (failure: unknown): ReactNode => {
  const problem = failure instanceof Error && !isProblem(failure) ? failure.cause : failure
  return isProblem(problem) && problem.code === 'entity.used' ? <UsedByList problem={problem} /> : null
}

/** The row to remove. `bot`: the bot whose flows may use it. */
interface Removed {
  readonly entity: string
  readonly id: string
  readonly bot?: string | undefined
}

/** Rows removed along with it, and blocks elsewhere that reference it: any such block prevents removal. */
interface Removal {
  readonly goes: readonly { readonly entity: string; readonly count: number }[]
  readonly leads: number
}

/** Entities removed with another, except comments: the dialog counts each one. */
const insideOf = (entity: string): readonly string[] =>
  Object.values<EntityDeclaration>(ENTITIES)
    .filter(child => isRemovedWith(child, entity) && child.rights !== 'readers')
    .map(({ name }) => name)
const LED_TO = ['dialogtask', 'dialog', 'handler'] as const

const isCounted = (entity: string): boolean => insideOf(entity).length > 0 || LED_TO.some(name => name === entity)

const leadsTo = async ({ entity, id, bot }: Removed, signal: AbortSignal): Promise<number> => {
  const of = LED_TO.find(name => name === entity)
  if (bot === undefined || of === undefined) return 0
  const { items, total } = await http.get('/bot/{id}/flow/uses', {
    params: { id: bot },
    query: { of, value: id },
    signal,
  })
  const own = items.filter(flow => flow.id === id || flow.dialogtask.id === id)
  return Math.max(0, total - own.reduce((sum, { hits }) => sum + hits.length, 0))
}

/** Counts only entities the caller may read; omits the others. */
const removalOf = async (removed: Removed, signal: AbortSignal): Promise<Removal> => {
  const { entity, id } = removed
  const inside = insideOf(entity)
  const count = (child: string) =>
    http
      .get('/{entity}', { params: { entity: child }, query: { [entity]: id, size: 1 }, signal })
      .then(({ total }) => total)
  const [leads, ...counts] = await Promise.all([
    leadsTo(removed, signal).catch(() => 0),
    ...inside.map(child => count(child).catch(() => 0)),
  ])
  const goes = inside.map((child, at) => ({ entity: child, count: counts[at] ?? 0 }))
  return { goes: goes.filter(each => each.count > 0), leads }
}

interface Props extends Removed {
  /** Of the flow that is removed, where they are known. */
  readonly blocks?: number | undefined
}

/** Text of a removal: removed contents, with counts once loaded, and how to restore. */
export const RemovalText = ({ blocks, ...removed }: Props) => {
  const { entity } = removed
  const { t: shell } = useTranslation('shell')
  const { t, i18n, ready } = useTranslation('designer', { useSuspense: false })
  const label = useLabel()
  const { data } = useQuery({
    queryKey: [entity, 'removal', removed],
    queryFn: ({ signal }) => removalOf(removed, signal),
    enabled: isCounted(entity),
    staleTime: 0,
    gcTime: 0,
  })
  const goes = [...(blocks === undefined ? [] : [{ entity: 'block', count: blocks }]), ...(data?.goes ?? [])]
  const isWhole = entity === 'bot'
  if (!ready || (goes.length === 0 && (data?.leads ?? 0) === 0)) return shell(isWhole ? 'removebottext' : 'removetext')
  const counted = goes.map(({ entity, count }) => {
    const name = inSentence(count === 1 ? label.name(entity) : label.plural(entity))
    return t([`removal.count.${entity}`, 'removal.count.any'], { count, name })
  })
  const what = new Intl.ListFormat(i18n.language).format(counted)
  const leads = data?.leads ?? 0
  return [
    counted.length === 0 ? t('removal.alone') : t(isWhole ? 'removal.bot' : 'removal.with', { what }),
    ...(leads === 0 ? [] : [t('removal.leads', { count: leads })]),
    t('removal.back'),
  ].join(' ')
}

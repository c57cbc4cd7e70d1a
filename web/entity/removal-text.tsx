import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isRemovedWith } from '#domain/entity.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { http } from '#web/api/http.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'

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

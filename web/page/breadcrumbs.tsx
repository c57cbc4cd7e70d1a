import { Box, chakra } from '@chakra-ui/react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Fragment, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { type Ancestor, type Crumb, trailOf, updateBreadcrumb } from '#domain/breadcrumb.ts'
import { botOfAddress, entityAddress, sectionParent } from '#domain/place.ts'
import { http } from '#web/api/http.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'

interface Thing {
  readonly entity: string
  readonly id: string
}

const useFields = (thing: Thing | undefined): Row | undefined =>
  useQuery({
    queryKey: [thing?.entity, 'detail', thing?.id],
    queryFn: thing === undefined ? skipToken : () => http.get('/{entity}/{id}', { params: { ...thing } }),
    retryOnMount: false,
  }).data

const parentOf = (entity: string, fields: Row | undefined): Thing | undefined => {
  const parent = ENTITY_PLACES.get(entity)?.parent
  const id = parent === undefined ? undefined : fields?.[parent]
  return parent === undefined || typeof id !== 'string' ? undefined : { entity: parent, id }
}

/** The thing of the address when its parent can only be read from itself. */
const readFor = (path: string, search: string): { readonly own?: Thing; readonly parent?: Thing } => {
  const at = entityAddress(ENTITY_PLACES, path, search)
  if (at === undefined) {
    const bot = botOfAddress(ENTITY_PLACES, path, search)
    return bot === undefined ? {} : { parent: { entity: 'bot', id: bot } }
  }
  const { entity, id, within, section } = at
  const isOwnPage = section === true && within?.entity === entity.name
  if (within !== undefined && (isOwnPage || within.entity === (sectionParent(entity) ?? entity.parent)))
    return { parent: within }
  return entity.parent === undefined || id === undefined ? {} : { own: { entity: entity.name, id } }
}

const named = (thing: Thing | undefined, fields: Row | undefined): readonly Ancestor[] => {
  if (thing === undefined) return []
  const name = fields?.[ENTITY_PLACES.get(thing.entity)?.title ?? 'name']
  return [{ ...thing, name: typeof name === 'string' ? name : undefined }]
}

/** Ancestors of the current address, from the root to the parent. Entities nest three levels deep at most. */
const useAncestors = (): readonly Ancestor[] => {
  const { pathname, search } = useLocation()
  const { own, parent } = readFor(pathname, search)
  const ownFields = useFields(own)
  const first = parent ?? (own && parentOf(own.entity, ownFields))
  const firstFields = useFields(first)
  const second = first && parentOf(first.entity, firstFields)
  const secondFields = useFields(second)
  const third = second && parentOf(second.entity, secondFields)
  const thirdFields = useFields(third)
  return [...named(third, thirdFields), ...named(second, secondFields), ...named(first, firstFields)]
}

const RouterLink = chakra(Link)
const MAX = 4

/** Home and what lies between it and this page; the middle folds when there is much. */
export const Breadcrumbs = ({ crumbs }: { readonly crumbs: readonly Crumb[] }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const wordsOf = ({ name, entity, key }: Crumb) =>
    name ?? (entity === undefined ? t(`crumb.${key}`) : label.menu(entity))
  const folded = crumbs.length > MAX ? crumbs.slice(1, -2) : []
  const shown = folded.length > 0 ? [crumbs[0], undefined, ...crumbs.slice(-2)] : crumbs
  return (
    <chakra.nav aria-label={t('crumb.label')} mb="1.5" minH="5">
      <chakra.ol
        display="flex"
        alignItems="center"
        gap="1.5"
        listStyleType="none"
        textStyle="secondary"
        color="fg.muted"
        flexWrap="wrap"
      >
        {shown.map((crumb, at) => (
          <Fragment key={crumb === undefined ? 'folded' : `${crumb.to}${wordsOf(crumb)}`}>
            {at > 0 ? (
              <Box as="li" aria-hidden="true" color="fg.subtle">
                <ChevronRight size={13} />
              </Box>
            ) : null}
            <li>
              {crumb === undefined ? (
                <FoldedCrumbs crumbs={folded} wordsOf={wordsOf} />
              ) : at === shown.length - 1 ? (
                <chakra.span aria-current="page" fontWeight="semibold" color="fg">
                  {wordsOf(crumb)}
                </chakra.span>
              ) : (
                <RouterLink
                  to={crumb.to ?? '/'}
                  borderRadius="xs"
                  focusVisibleRing="outside"
                  _hover={{ color: 'fg', textDecoration: 'underline' }}
                >
                  {wordsOf(crumb)}
                </RouterLink>
              )}
            </li>
          </Fragment>
        ))}
      </chakra.ol>
    </chakra.nav>
  )
}

const FoldedCrumbs = ({ crumbs, wordsOf }: { crumbs: readonly Crumb[]; wordsOf: (crumb: Crumb) => string }) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  return (
    <ActionMenu
      label={t('crumb.more')}
      align="start"
      actions={crumbs.map(crumb => ({
        id: crumb.to ?? '',
        label: wordsOf(crumb),
        run: () => void navigate(crumb.to ?? '/'),
      }))}
    >
      <chakra.button
        type="button"
        aria-label={t('crumb.more')}
        px="1"
        borderRadius="xs"
        cursor="pointer"
        focusVisibleRing="outside"
        _hover={{ color: 'fg' }}
      >
        …
      </chakra.button>
    </ActionMenu>
  )
}

interface Visit {
  /** Of the history entry. */
  readonly key: string
  readonly before: readonly Crumb[]
  readonly after: readonly Crumb[]
}

/** Kept in memory alone: after a reload the trail is rebuilt from the parents of the page. */
let visit: Visit = { key: '', before: [], after: [] }

/** The trail to the open page; `name`: of what is open. */
export const useBreadcrumbs = (name: string | undefined): readonly Crumb[] => {
  const { key, pathname, search } = useLocation()
  const ancestors = useAncestors()
  const before = visit.key === key ? visit.before : visit.after
  const parents = trailOf(ENTITY_PLACES, pathname, search, { ancestors, ...(name === undefined ? {} : { name }) })
  const crumbs = parents.map((crumb, at) => (at === parents.length - 1 ? { ...crumb, to: pathname + search } : crumb))
  const isRoot = entityAddress(ENTITY_PLACES, pathname, search)?.id === undefined
  const after = updateBreadcrumb(before, { crumbs, isRoot })
  useEffect(() => {
    visit = { key, before, after }
  })
  return after
}

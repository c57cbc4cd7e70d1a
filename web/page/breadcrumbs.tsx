import { Box, chakra } from '@chakra-ui/react'
import { ChevronRight } from 'lucide-react'
import { Fragment, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { type Crumb, trailOf, updateBreadcrumb } from '#domain/breadcrumb.ts'
import { entityAddress } from '#domain/place.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { useLabel } from '#web/entity/label.ts'
import { ENTITY_PLACES } from '#web/entity/place.ts'
import { useAncestors } from '#web/entity/use-ancestors.ts'
import { RouterLink } from './router-link.ts'

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

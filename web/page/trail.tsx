import { Box, chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { type Crumb, type Place, trailOf } from '#domain/breadcrumb.ts'
import { api } from '#web/api/client.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { botOfAddress } from '#web/shell/bot-of-address.ts'

const RouterLink = chakra(Link)
const MAX = 4

const useNamed = (entity: 'bot' | 'dialogtask', id: string | undefined) => {
  const name = useQuery({
    queryKey: [entity, 'detail', id],
    queryFn: async () => (await api.read<{ name: string }>(`/${entity}/${id}`)).data,
    enabled: id !== undefined,
    retryOnMount: false,
  }).data?.name
  return id === undefined || name === undefined ? undefined : { id, name }
}

/** What the present address runs through, with names. */
export const usePlace = (): Place => {
  const { pathname, search } = useLocation()
  const bot = useNamed('bot', botOfAddress(pathname, search))
  const task = useNamed('dialogtask', /^\/dialogtask\/(?!search$|new$)([^/]+)$/.exec(pathname)?.[1])
  return { ...(bot ? { bot } : {}), ...(task ? { dialogtask: task } : {}) }
}

/** Home and what lies between it and this page; the middle folds when there is much. */
export const Trail = ({ name }: { readonly name?: string }) => {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const place = usePlace()
  const crumbs = trailOf(pathname, name === undefined ? place : { ...place, name })
  const wordsOf = (crumb: Crumb) => crumb.name ?? t(`crumb.${crumb.key}`)
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
              ) : crumb.to === undefined ? (
                <chakra.span
                  {...(at === shown.length - 1 ? { 'aria-current': 'page', fontWeight: 'semibold', color: 'fg' } : {})}
                >
                  {wordsOf(crumb)}
                </chakra.span>
              ) : (
                <RouterLink
                  to={crumb.to}
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
